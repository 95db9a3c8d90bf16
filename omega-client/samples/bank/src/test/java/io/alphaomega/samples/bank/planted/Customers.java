package io.alphaomega.samples.bank.planted;

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
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** People who transfer money from the north to the south as fast as they can, every other time to a closed account. */
final class Customers implements AutoCloseable {
    /** Its name is no ASCII, to see that it is the same in a compensation. */
    static final String OPEN = "-\u00fc";

    static final String CLOSED = "-2";

    private static final int PEOPLE = 8;

    /** Longer than any saga lives. */
    private static final Duration PATIENCE = Duration.ofSeconds(40);

    private static final JsonMapper JSON = JsonMapper.shared();

    private final URI transfers;
    private final HttpClient http;
    private final Clock clock = Clock.systemUTC();
    private final List<Told> told = Collections.synchronizedList(new ArrayList<>());
    private final List<Thread> people = new ArrayList<>();
    private volatile boolean stopping;

    Customers(URI teller, HttpClient http) {
        transfers = teller.resolve("/transfers");
        this.http = http;
    }

    void start() {
        for (int i = 0; i < PEOPLE; i++) {
            boolean odd = i % 2 == 0;
            people.add(Thread.ofVirtual().name("customer-" + i).start(() -> {
                boolean refused = odd;
                while (!stopping) {
                    told.add(transfer(refused));
                    refused = !refused;
                }
            }));
        }
    }

    /** Nobody transfers any more, and everybody has an answer. */
    void stop() {
        stopping = true;
        try {
            for (Thread person : people) person.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while the last customers waited for their answers.", e);
        }
    }

    List<Told> told() {
        return List.copyOf(told);
    }

    private Told transfer(boolean refused) {
        String id = UUID.randomUUID().toString();
        List<Step> steps =
                List.of(new Step("teller", 0), new Step("accounts-north", -1), new Step("accounts-south", 1));
        String order = JSON.writeValueAsString(
                Map.of("id", id, "from", "north" + OPEN, "to", "south" + (refused ? CLOSED : OPEN), "amount", 1));
        HttpRequest request = HttpRequest.newBuilder(transfers)
                .timeout(PATIENCE)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(order))
                .build();
        Instant asked = clock.instant();
        try {
            HttpResponse<String> response = http.send(request, HttpResponse.BodyHandlers.ofString());
            Answer answer =
                    switch (response.statusCode()) {
                        case 200 -> Answer.COMMITTED;
                        case 409, 502, 500 -> Answer.COMPENSATED;
                        case 503 -> Answer.FAILED;
                        default -> Answer.UNKNOWN;
                    };
            return new Told(id, asked, clock.instant(), answer, saga(response.body()), steps);
        } catch (ConnectException nobodyThere) {
            return new Told(id, asked, clock.instant(), Answer.FAILED, null, steps);
        } catch (IOException broken) {
            return new Told(id, asked, clock.instant(), Answer.UNKNOWN, null, steps);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new Told(id, asked, null, Answer.UNKNOWN, null, steps);
        }
    }

    private static @Nullable String saga(String body) {
        JsonNode saga = body.isEmpty() ? null : JSON.readTree(body).get("saga");
        return saga == null ? null : saga.asString();
    }

    @Override
    public void close() {
        stopping = true;
        people.forEach(Thread::interrupt);
    }
}
