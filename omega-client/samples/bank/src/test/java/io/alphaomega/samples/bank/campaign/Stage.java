package io.alphaomega.samples.bank.campaign;

import static org.awaitility.Awaitility.await;

import io.alphaomega.repository.servers.AlphaCommand;
import io.alphaomega.repository.servers.DatabaseServer;
import io.alphaomega.repository.servers.MariaDbServer;
import io.alphaomega.repository.servers.MySqlServer;
import io.alphaomega.repository.servers.Network;
import io.alphaomega.repository.servers.ServerProcess;
import io.alphaomega.samples.bank.campaign.hooks.Order;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.awaitility.core.ConditionTimeoutException;

/**
 * One whole installation: a cluster of alphas, each in a network of its own, on one store; and a bank of services, each a
 * process with a database server of its own.
 */
final class Stage implements AutoCloseable {
    static final int ALPHAS = 3;

    /** A saga that nobody ends is aborted after this: longer than a failover, short enough to happen in a campaign. */
    static final Duration SAGA_TIMEOUT = Duration.ofSeconds(20);

    static final int ACCOUNTS_PER_TOWN = 20;
    static final long OPENING_BALANCE = 1_000;

    /** These neither give nor take. */
    static final Set<Integer> CLOSED = Set.of(7, 13);

    /** A node that has stood still looks around several times meanwhile, and sees that the others have gone on. */
    private static final Duration SETTLED = Duration.ofSeconds(1);

    private static final Duration SETTLES = Duration.ofMinutes(8);
    private static final String HOOKS = "io.alphaomega.samples.bank.campaign.hooks.";
    private static final Path HAPROXY = Path.of("/usr/sbin/haproxy");

    /** What the services keep their accounts in. */
    enum Databases {
        MARIADB,
        MYSQL;

        DatabaseServer start() {
            return switch (this) {
                case MARIADB -> MariaDbServer.start();
                case MYSQL -> MySqlServer.start();
            };
        }
    }

    final Path directory;
    final Network network = new Network(ALPHAS);
    final HttpClient http =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(2)).build();
    final Store store;
    final List<Node> alphas;
    final Node teller;

    /** Teller and accounts. */
    final List<Node> services = new ArrayList<>();

    /** By the name of the service that owns it. */
    final Map<String, DatabaseServer> databases = new LinkedHashMap<>();

    private final List<Node> all = new ArrayList<>();
    private final Thread atExit = new Thread(this::kill);

    /** @param balanced whether services reach alphas through a load balancer, or know each by its address */
    Stage(String name, Store.Type storeType, Databases kind, boolean balanced) {
        Runtime.getRuntime().addShutdownHook(atExit);
        directory = emptied(Jvm.directory("bank.target").resolve("campaign").resolve(name));
        CompletableFuture<Store> starting =
                CompletableFuture.supplyAsync(() -> Store.start(storeType, network.address(Network.HOST)));
        Map<String, CompletableFuture<DatabaseServer>> databasesStarting = new LinkedHashMap<>();
        for (String service : List.of("teller", "accounts-north", "accounts-south")) {
            databasesStarting.put(service, CompletableFuture.supplyAsync(kind::start));
        }
        store = starting.join();
        databasesStarting.forEach((service, database) -> databases.put(service, database.join()));
        alphas = IntStream.rangeClosed(1, ALPHAS).mapToObj(this::alpha).toList();
        String addresses = network.addresses(AlphaCommand.GRPC);
        List<Integer> ports =
                IntStream.generate(ServerProcess::freePort).limit(6).boxed().toList();
        if (balanced) addresses = balancer(ports.get(3), ports.get(4), ports.get(5));
        teller = service(
                "teller",
                "teller",
                "teller.TellerApplication",
                ports.get(0),
                List.of(
                        "--omega.alpha.addresses=" + addresses,
                        "--spring.http.clients.read-timeout=5s",
                        "--teller.accounts.north=http://127.0.0.1:" + ports.get(1),
                        "--teller.accounts.south=http://127.0.0.1:" + ports.get(2)));
        for (int town = 0; town < 2; town++) {
            String which = List.of("north", "south").get(town);
            var unused = service(
                    which,
                    "accounts-" + which,
                    "accounts.AccountsApplication",
                    ports.get(1 + town),
                    List.of("--omega.alpha.addresses=" + addresses, "--town=" + which));
        }
    }

    /** Everything, serving; the accounts are open. */
    Stage start() {
        launch();
        awaitReady();
        for (int town = 1; town < services.size(); town++) open(services.get(town));
        return this;
    }

    /** What is not there, and is to be there from now on. */
    void launch() {
        all.forEach(Node::launch);
    }

    void awaitReady() {
        all.forEach(Node::awaitReady);
    }

    /**
     * When everything has served for a while, and every alpha sees all of them. One that was out of reach serves at first,
     * finds out that the others gave it up, ends, and comes back.
     */
    void awaitWhole() {
        awaitReady();
        AtomicReference<Map<Node, String>> missing = new AtomicReference<>(Map.of());
        try {
            await().atMost(SETTLES)
                    .pollInterval(Duration.ofMillis(250))
                    .during(SETTLED)
                    .until(() -> {
                        Map<Node, String> now = missing();
                        if (!now.isEmpty()) missing.set(now);
                        return now.isEmpty();
                    });
        } catch (ConditionTimeoutException never) {
            StringBuilder complaint =
                    new StringBuilder("Not everything was there for %s within %s.".formatted(SETTLED, SETTLES));
            missing.get()
                    .forEach((node, what) -> complaint.append("\n%s %s: %s".formatted(node.name, what, node.tail())));
            throw new IllegalStateException(complaint.toString(), never);
        }
    }

    /** Who does not serve, or does not see all alphas. */
    private Map<Node, String> missing() {
        Map<Node, String> missing = new LinkedHashMap<>();
        for (Node node : all) if (!node.serves()) missing.put(node, "does not serve");
        for (Node alpha : alphas) {
            if (missing.containsKey(alpha)) continue;
            int seen = new AlphaApi(alpha.address, http).membersInTouch();
            if (seen != ALPHAS) missing.put(alpha, "sees %d alphas".formatted(seen));
        }
        return missing;
    }

    Node alpha(int number) {
        String name = "alpha-" + number;
        List<String> arguments = new ArrayList<>(AlphaCommand.member(network, number));
        arguments.addAll(List.of(
                "--alpha.saga.branch-timeout=4s",
                "--alpha.saga.callback-timeout=5s",
                "--alpha.saga.callback-attempts=100",
                "--alpha.saga.callback-first-delay=100ms",
                "--alpha.saga.callback-max-delay=2s",
                "--alpha.saga.start-grace=1s"));
        arguments.addAll(store.alpha());
        List<String> command = Stream.concat(network.on(number).stream(), Jvm.alpha(orders(name), arguments).stream())
                .toList();
        return node(name, command, "http://%s:%d".formatted(network.address(number), AlphaCommand.HTTP));
    }

    /** The configuration that users get; its address for gRPC. */
    private String balancer(int grpc, int http, int status) {
        if (!Files.exists(HAPROXY)) {
            throw new IllegalStateException(
                    "The campaign needs a load balancer, but there is no %s: scripts/test installs it."
                            .formatted(HAPROXY));
        }
        List<String> command = new ArrayList<>(List.of(
                "env",
                "BALANCER_ADDRESS=127.0.0.1",
                "BALANCER_GRPC_PORT=" + grpc,
                "BALANCER_HTTP_PORT=" + http,
                "BALANCER_STATUS=127.0.0.1:" + status));
        for (int number = 1; number <= ALPHAS; number++) {
            command.add("ALPHA_%d_GRPC=%s:%d".formatted(number, network.address(number), AlphaCommand.GRPC));
            command.add("ALPHA_%d_HTTP=%s:%d".formatted(number, network.address(number), AlphaCommand.HTTP));
        }
        Path configuration = Jvm.directory("root.directory").resolve("docker").resolve("haproxy.cfg");
        command.addAll(List.of(HAPROXY.toString(), "-db", "-f", configuration.toString()));
        var unused = node("balancer", command, "http://127.0.0.1:" + http);
        return "127.0.0.1:" + grpc;
    }

    private Node service(String name, String service, String main, int port, List<String> own) {
        DatabaseServer database = databases.get(service);
        if (database == null) throw new IllegalStateException(service + " has no database.");
        List<String> arguments = new ArrayList<>(List.of(
                "--spring.main.sources=" + HOOKS + "ObedientDesk",
                "--server.port=" + port,
                "--spring.datasource.url=" + url(database),
                "--spring.datasource.username=" + DatabaseServer.USER,
                "--spring.datasource.password=" + DatabaseServer.PASSWORD,
                "--omega.saga.timeout=" + SAGA_TIMEOUT.toSeconds() + "s",
                "--omega.alpha.connect-timeout=2s",
                "--omega.alpha.reconnect-delay-max=500ms"));
        arguments.addAll(own);
        Node node = node(
                name,
                Jvm.bank("io.alphaomega.samples.bank." + main, orders(name), arguments),
                "http://127.0.0.1:" + port);
        services.add(node);
        return node;
    }

    /** For MariaDB's driver, which the bank has: it talks to MySQL as well. */
    static String url(DatabaseServer database) {
        return database.url().replace("jdbc:mysql:", "jdbc:mariadb:");
    }

    private Node node(String name, List<String> command, String address) {
        Node node = new Node(name, command, directory.resolve(name + ".log"), URI.create(address), http);
        all.add(node);
        return node;
    }

    private void open(Node accounts) {
        for (int number = 1; number <= ACCOUNTS_PER_TOWN; number++) {
            String path = "/accounts/" + accounts.name + "-" + number;
            ask(accounts, path + "?balance=" + OPENING_BALANCE, "PUT");
            if (CLOSED.contains(number)) ask(accounts, path, "DELETE");
        }
    }

    private void ask(Node node, String path, String method) {
        try {
            HttpRequest request = HttpRequest.newBuilder(node.address.resolve(path))
                    .method(method, HttpRequest.BodyPublishers.noBody())
                    .build();
            int status =
                    http.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
            if (status != 200) throw new IllegalStateException("%s answered %d to %s.".formatted(path, status, method));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while accounts were opened.", e);
        }
    }

    /** The service obeys when that method runs next. */
    void order(Node service, Order order) {
        try {
            Path draft = directory.resolve(service.name + ".draft");
            Files.writeString(draft, order.toString());
            Files.move(draft, orders(service.name));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    boolean isOrderTaken(Node service) {
        return !Files.exists(orders(service.name));
    }

    void revokeOrder(Node service) {
        try {
            Files.deleteIfExists(orders(service.name));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Path orders(String name) {
        return directory.resolve(name + ".order");
    }

    private static Path emptied(Path directory) {
        ServerProcess.delete(directory);
        try {
            return Files.createDirectories(directory);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void kill() {
        all.forEach(Node::close);
    }

    @Override
    public void close() {
        Runtime.getRuntime().removeShutdownHook(atExit);
        kill();
        databases.values().forEach(DatabaseServer::close);
        store.close();
        network.close();
        http.close();
    }
}
