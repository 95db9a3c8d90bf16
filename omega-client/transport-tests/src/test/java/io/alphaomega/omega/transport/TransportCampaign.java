package io.alphaomega.omega.transport;

import static org.awaitility.Awaitility.await;

import com.jayway.jsonpath.DocumentContext;
import com.jayway.jsonpath.JsonPath;
import io.alphaomega.repository.servers.Command;
import io.alphaomega.repository.servers.RabbitMqServer;
import io.alphaomega.repository.servers.ServerProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.kafka.test.EmbeddedKafkaKraftBroker;

/**
 * Customers order by all transports while the shop, its stock and alpha are killed and stand still; then what alpha has
 * decided is compared with what is taken. Brokers run through.
 */
final class TransportCampaign implements AutoCloseable {
    private static final int CUSTOMERS = 6;

    /** Of an order without messages. */
    private static final int CALLS = 3;

    private static final int ABORTS_PERCENT = 25;
    private static final int MESSAGES_PERCENT = 30;
    private static final Duration PATIENCE = Duration.ofMinutes(8);

    /** From a blow to the end of it, and from that to the next blow. */
    private static final Duration BLOW = Duration.ofSeconds(2);

    private static final Duration CALM = Duration.ofSeconds(10);

    /** Who was refused by somebody who is away comes back after that. */
    private static final Duration AWAY = Duration.ofSeconds(1);

    private final Random random;
    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(5)).build();
    private final EmbeddedKafkaKraftBroker kafka = new EmbeddedKafkaKraftBroker(1, 1, CampaignStock.ORDERS);
    private final RabbitMqServer rabbit;
    private final int alphaPort = ServerProcess.freePort();
    private final int shopPort = ServerProcess.freePort();
    private final int stockPort = ServerProcess.freePort();
    private final ServerProcess alpha;
    private final ServerProcess shop;
    private final ServerProcess stock;
    private final SortedMap<String, Order> orders = new ConcurrentSkipListMap<>();
    private final AtomicInteger numbers = new AtomicInteger();
    private volatile boolean open = true;

    /**
     * What a customer has ordered.
     *
     * @param by what is taken, each once
     * @param aborts whether they change their mind at the end
     * @param answered whether they were told that it is done
     */
    record Order(List<CalledBy> by, boolean aborts, boolean answered) {
        private boolean isOfMessage() {
            return by.stream().anyMatch(CalledBy::isMessage);
        }
    }

    /**
     * What became of the orders.
     *
     * @param committed per transport, how many orders of it are
     * @param undone likewise, those that alpha knows and that are not
     * @param violations a sentence each
     */
    record Report(Map<CalledBy, Integer> committed, Map<CalledBy, Integer> undone, List<String> violations) {}

    /** @param stockIs what the stock is told besides */
    TransportCampaign(long seed, String... stockIs) {
        random = new Random(seed);
        kafka.afterPropertiesSet();
        rabbit = RabbitMqServer.start();
        int grpc = ServerProcess.freePort();
        String omega = "--omega.alpha.addresses=127.0.0.1:" + grpc;
        List<String> stockAt = List.of(
                "--stock.http=http://127.0.0.1:" + stockPort,
                "--stock.dubbo=" + ServerProcess.freePort(),
                "--stock.tri=" + ServerProcess.freePort());
        int stockGrpc = ServerProcess.freePort();
        alpha = StarterCost.alpha(alphaPort, grpc);
        stock = service(
                "stock",
                CampaignStock.class,
                stockPort,
                Stream.concat(stockAt.stream(), Stream.of(omega, "--spring.grpc.server.port=" + stockGrpc)),
                stockIs);
        shop = service(
                "shop",
                CampaignShop.class,
                shopPort,
                Stream.concat(
                        stockAt.stream(),
                        Stream.of(
                                omega,
                                "--stock.grpc=static://127.0.0.1:" + stockGrpc,
                                "--spring.grpc.server.port=" + ServerProcess.freePort())));
        alpha.start();
        stock.start();
        shop.start();
    }

    private ServerProcess service(String name, Class<?> main, int port, Stream<String> settings, String... more) {
        Path directory = ServerProcess.newDirectory(name);
        Command command = StarterCost.service(main, "-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1")
                .with("--spring.application.name=" + name, "--server.port=" + port)
                .with(
                        "--spring.datasource.url=jdbc:sqlite:" + directory.resolve("stock.db")
                                + "?journal_mode=WAL&busy_timeout=60000&transaction_mode=IMMEDIATE",
                        "--spring.kafka.bootstrap-servers=" + kafka.getBrokersAsString(),
                        "--spring.kafka.consumer.group-id=" + name,
                        "--spring.kafka.consumer.auto-offset-reset=earliest",
                        // Who is killed says nothing to the broker, which gives the topic to the next one after this.
                        "--spring.kafka.consumer.properties.session.timeout.ms=6000",
                        "--spring.rabbitmq.host=127.0.0.1",
                        "--spring.rabbitmq.port=" + rabbit.port(),
                        "--spring.cloud.openfeign.circuitbreaker.enabled=false",
                        // What fails since somebody is away is no news.
                        "--logging.level.root=off",
                        "--omega.begin-timeout=5s",
                        "--omega.hold-for=2s",
                        "--omega.saga.timeout=40s")
                .with(settings.toArray())
                .with((Object[]) more);
        return new ServerProcess(directory, command, ServerProcess.listening(port));
    }

    /** So many blows, while customers order. Then all is up, and alpha has nothing left to do. */
    Report run(int blows) {
        List<Thread> customers = Stream.generate(() -> random.nextLong())
                .limit(CUSTOMERS)
                .map(seed -> Thread.ofPlatform().start(() -> order(new Random(seed))))
                .toList();
        try {
            for (int blow = 1; blow <= blows; blow++) {
                pause(CALM);
                strike(blow, blows);
            }
            pause(CALM);
        } finally {
            open = false;
            customers.forEach(TransportCampaign::join);
        }
        await().atMost(PATIENCE)
                .until(() -> sagas("&state=ACTIVE&state=CONFIRMING&state=COMPENSATING")
                        .isEmpty());
        return audit();
    }

    private void strike(int blow, int blows) {
        ServerProcess struck = List.of(alpha, shop, stock, stock).get(random.nextInt(4));
        boolean killed = random.nextInt(4) > 0;
        System.out.printf(
                "Blow %d of %d: %s %s after %d orders.%n",
                blow, blows, struck.directory().getFileName(), killed ? "is killed" : "stands still", numbers.get());
        if (killed) struck.kill();
        else struck.pause();
        pause(BLOW);
        if (killed) struck.start();
        else struck.resume();
    }

    private void order(Random choice) {
        while (open) {
            String number = Integer.toString(numbers.incrementAndGet());
            List<CalledBy> by = choose(choice);
            boolean aborts = choice.nextInt(100) < ABORTS_PERCENT;
            boolean answered = order(number, by, aborts);
            orders.put(number, new Order(by, aborts, answered));
            if (!answered && !aborts) pause(AWAY);
        }
    }

    private static List<CalledBy> choose(Random choice) {
        List<CalledBy> all = new ArrayList<>(List.of(CalledBy.values()));
        boolean message = choice.nextInt(100) < MESSAGES_PERCENT;
        all.removeIf(by -> by.isMessage() != message);
        Collections.shuffle(all, choice);
        return List.copyOf(all.subList(0, message ? 1 : CALLS));
    }

    private boolean order(String number, List<CalledBy> by, boolean aborts) {
        String names = by.stream().map(CalledBy::name).collect(Collectors.joining(","));
        URI uri =
                URI.create("http://127.0.0.1:%d/orders/%s?by=%s&aborts=%s".formatted(shopPort, number, names, aborts));
        HttpRequest request = HttpRequest.newBuilder(uri)
                .timeout(PATIENCE)
                .POST(BodyPublishers.noBody())
                .build();
        try {
            return http.send(request, BodyHandlers.discarding()).statusCode() == 200;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    // ---- what became of it

    /** By business key, which is the number of the order. */
    private Map<String, String> sagas(String query) {
        Map<String, String> states = new HashMap<>();
        String cursor = "";
        do {
            DocumentContext page = JsonPath.parse(get(alphaPort, "/api/v1/sagas?limit=1000" + query + cursor));
            List<String> keys = page.read("$.sagas[*].businessKey");
            List<String> itsStates = page.read("$.sagas[*].state");
            for (int i = 0; i < keys.size(); i++) states.put(keys.get(i), itsStates.get(i));
            String next = page.read("$.next");
            cursor = next == null ? "" : "&cursor=" + URLEncoder.encode(next, StandardCharsets.UTF_8);
        } while (!cursor.isEmpty());
        return states;
    }

    private Report audit() {
        Map<String, String> states = sagas("");
        Map<String, Integer> taken = new HashMap<>();
        Stream.of(shopPort, stockPort)
                .flatMap(port -> get(port, "/stock").lines())
                .forEach(item -> taken.merge(item, 1, Integer::sum));
        Map<CalledBy, Integer> committed = new EnumMap<>(CalledBy.class);
        Map<CalledBy, Integer> undone = new EnumMap<>(CalledBy.class);
        List<String> violations = new ArrayList<>();
        orders.forEach((number, order) -> {
            String state = states.get(number);
            boolean done = "COMMITTED".equals(state);
            for (CalledBy by : order.by()) {
                int times = taken.getOrDefault(number + "-" + by, 0);
                if (state != null) (done ? committed : undone).merge(by, 1, Integer::sum);
                if (times == (done ? 1 : 0)) continue;
                violations.add("Order %s is %s, and by %s it was taken %d times.".formatted(number, state, by, times));
            }
            String wrong = wrong(order, state);
            if (wrong != null) violations.add("Order %s is %s, %s: %s.".formatted(number, state, wrong, order));
        });
        return new Report(committed, undone, violations);
    }

    private static @Nullable String wrong(Order order, @Nullable String state) {
        boolean done = "COMMITTED".equals(state);
        // Who handles a message ends the saga, and may do so before its sender throws, or whatever the sender was told.
        if (!order.isOfMessage()) {
            if (order.aborts() && done) return "though its customer has changed their mind";
            if (order.answered() && !done) return "though its customer was told that it is done";
        }
        if (!done && state != null && !state.equals("COMPENSATED")) return "which is no end";
        return null;
    }

    private String get(int port, String path) {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .build();
        try {
            HttpResponse<String> answer = http.send(request, BodyHandlers.ofString());
            if (answer.statusCode() == 200) return answer.body();
            throw new IllegalStateException(
                    "%s was answered with %d %s".formatted(path, answer.statusCode(), answer.body()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void pause(Duration duration) {
        long end = System.nanoTime() + duration.toNanos();
        for (long left = duration.toNanos(); left > 0; left = end - System.nanoTime()) LockSupport.parkNanos(left);
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        shop.close();
        stock.close();
        alpha.close();
        rabbit.close();
        kafka.destroy();
    }
}
