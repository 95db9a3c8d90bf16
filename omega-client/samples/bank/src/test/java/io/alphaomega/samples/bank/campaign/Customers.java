package io.alphaomega.samples.bank.campaign;

import io.alphaomega.samples.bank.checker.History.Answer;
import io.alphaomega.samples.bank.checker.History.Step;
import io.alphaomega.samples.bank.checker.History.Told;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** People who transfer money again and again, some of it impossible, and remember what they were told. */
final class Customers implements AutoCloseable {
    private static final int PEOPLE = 4;

    /** One comes back about so often: faster ones leave two busy cores no time to recover anything. */
    private static final Duration PAUSE = Duration.ofMillis(200);

    /** Longer than any saga lives: an answer that has not come by then never comes. */
    private static final Duration PATIENCE = Stage.SAGA_TIMEOUT.multipliedBy(3);

    /** Each so-manieth wants more than anybody has. */
    private static final int GREEDY = 10;

    private static final JsonMapper JSON = JsonMapper.shared();

    private final URI transfers;
    private final HttpClient http;
    private final Clock clock = Clock.systemUTC();
    private final List<Told> told = Collections.synchronizedList(new ArrayList<>());
    private final List<Thread> people = new ArrayList<>();
    private volatile boolean stopping;

    Customers(Stage stage) {
        transfers = stage.teller.address.resolve("/transfers");
        http = stage.http;
    }

    void start(long seed) {
        for (int i = 0; i < PEOPLE; i++) {
            Random random = new Random(seed + i);
            people.add(Thread.ofVirtual().name("customer-" + i).start(() -> {
                while (!stopping) {
                    told.add(transfer(random));
                    LockSupport.parkNanos(random.nextLong(2 * PAUSE.toNanos()));
                }
            }));
        }
    }

    /** Nobody transfers any more, and everybody has an answer. */
    void stop() {
        stopping = true;
        for (Thread person : people) {
            try {
                person.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("Interrupted while the last customers waited for their answers.", e);
            }
        }
    }

    List<Told> told() {
        return List.copyOf(told);
    }

    private Told transfer(Random random) {
        String id = UUID.randomUUID().toString();
        String from = town(random);
        String to = town(random);
        long amount = random.nextInt(GREEDY) == 0 ? 1_000_000 : 1 + random.nextInt(50);
        String order = JSON.writeValueAsString(
                Map.of("id", id, "from", from + account(random), "to", to + account(random), "amount", amount));
        List<Step> steps = List.of(
                new Step("teller", 0), new Step("accounts-" + from, -amount), new Step("accounts-" + to, amount));
        HttpRequest request = HttpRequest.newBuilder(transfers)
                .timeout(PATIENCE)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(order))
                .build();
        Instant asked = clock.instant();
        try {
            HttpResponse<String> response = http.send(request, HttpResponse.BodyHandlers.ofString());
            return new Told(id, asked, clock.instant(), meaning(response.statusCode()), saga(response.body()), steps);
        } catch (ConnectException nobodyThere) {
            return new Told(id, asked, clock.instant(), Answer.FAILED, null, steps);
        } catch (IOException broken) {
            return new Told(id, asked, clock.instant(), Answer.UNKNOWN, null, steps);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new Told(id, asked, null, Answer.UNKNOWN, null, steps);
        }
    }

    /** As the teller's controller means it. */
    private static Answer meaning(int status) {
        return switch (status) {
            case 200 -> Answer.COMMITTED;
            case 409, 502, 500 -> Answer.COMPENSATED;
            case 503 -> Answer.FAILED;
            default -> Answer.UNKNOWN;
        };
    }

    private static @Nullable String saga(String body) {
        JsonNode saga = body.isEmpty() ? null : JSON.readTree(body).get("saga");
        return saga == null ? null : saga.asString();
    }

    private static String town(Random random) {
        return random.nextBoolean() ? "north" : "south";
    }

    private static String account(Random random) {
        return "-" + (1 + random.nextInt(Stage.ACCOUNTS_PER_TOWN));
    }

    @Override
    public void close() {
        stopping = true;
        people.forEach(Thread::interrupt);
    }
}
