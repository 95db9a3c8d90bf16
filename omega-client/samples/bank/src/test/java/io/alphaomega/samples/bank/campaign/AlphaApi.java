package io.alphaomega.samples.bank.campaign;

import static org.awaitility.Awaitility.await;

import io.alphaomega.samples.bank.checker.History.BranchView;
import io.alphaomega.samples.bank.checker.History.Event;
import io.alphaomega.samples.bank.checker.History.Kind;
import io.alphaomega.samples.bank.checker.History.Listed;
import io.alphaomega.samples.bank.checker.History.SagaView;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What one alpha says over HTTP about every saga. */
final class AlphaApi {
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final int PAGE = 200;

    /** After hours of faults a verdict shall not fail because of one answer. */
    private static final Duration INSISTS = Duration.ofMinutes(1);

    /** Whatever the number of sagas, this many questions are enough to keep a node busy. */
    private static final int AT_ONCE = 4;

    private static final Set<String> OPEN = Set.of("ACTIVE", "CONFIRMING", "COMPENSATING");

    /** The history tells these two in its sentences only. */
    private static final Pattern ATTEMPT = Pattern.compile("(compensation|confirmation), attempt (\\d+)");

    private final URI base;
    private final HttpClient http;

    AlphaApi(URI base, HttpClient http) {
        this.base = base;
        this.http = http;
    }

    /** Those that have neither ended nor are suspended. */
    List<Listed> open() {
        return OPEN.stream()
                .flatMap(state -> list("state=" + state + "&").stream())
                .toList();
    }

    /** Waits until nothing is open any more; those that are after all that time, if any. */
    List<Listed> awaitNoneOpen(Duration atMost) {
        try {
            await("every saga ends")
                    .atMost(atMost)
                    .pollInterval(Duration.ofMillis(500))
                    .ignoreExceptions()
                    .until(() -> open().isEmpty());
            return List.of();
        } catch (org.awaitility.core.ConditionTimeoutException someAre) {
            return open();
        }
    }

    /** How many members of the cluster it sees that are up, within reach and answer it; 0 if it does not say. */
    int membersInTouch() {
        try {
            int members = 0;
            for (JsonNode node : ask("/api/v1/nodes").path("nodes")) {
                boolean inTouch = node.path("status").asString("").equals("UP")
                        && node.path("reachable").asBoolean(false)
                        && node.hasNonNull("report");
                if (inTouch) members++;
            }
            return members;
        } catch (IllegalStateException away) {
            return 0;
        }
    }

    List<Listed> list() {
        return list("");
    }

    private List<Listed> list(String filter) {
        List<Listed> all = new ArrayList<>();
        String cursor = "";
        do {
            JsonNode page =
                    get("/api/v1/sagas?" + filter + "limit=" + PAGE + (cursor.isEmpty() ? "" : "&cursor=" + cursor));
            for (JsonNode saga : page.path("sagas")) {
                all.add(new Listed(
                        saga.path("id").asString(), saga.path("state").asString()));
            }
            cursor = page.path("next").asString("");
        } while (!cursor.isEmpty());
        return all;
    }

    /** Each with its branches and its history. */
    List<SagaView> sagas(List<Listed> ids) {
        SagaView[] views = new SagaView[ids.size()];
        List<Thread> readers = IntStream.range(0, AT_ONCE)
                .mapToObj(reader -> Thread.ofVirtual().start(() -> {
                    for (int i = reader; i < views.length; i += AT_ONCE)
                        views[i] = view(get("/api/v1/sagas/" + ids.get(i).id()));
                }))
                .toList();
        for (Thread reader : readers) {
            try {
                reader.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("Interrupted while sagas were read.", e);
            }
        }
        return List.of(views);
    }

    private static SagaView view(JsonNode saga) {
        List<BranchView> branches = new ArrayList<>();
        for (JsonNode branch : saga.path("branches")) {
            branches.add(new BranchView(
                    branch.path("id").asString(),
                    branch.path("service").asString(),
                    branch.hasNonNull("compensation"),
                    branch.hasNonNull("confirmation"),
                    branch.path("forward").path("state").asString(),
                    branch.path("callback").path("state").asString()));
        }
        List<Event> history = new ArrayList<>();
        for (JsonNode event : saga.path("history")) history.add(event(event));
        return new SagaView(
                saga.path("id").asString(),
                saga.path("state").asString(),
                saga.path("sequence").asLong(),
                instant(saga.get("deadline")),
                text(saga.path("abort").get("cause")),
                text(saga.path("suspension").get("reason")),
                branches,
                history);
    }

    private static Event event(JsonNode event) {
        String text = event.path("text").asString("");
        String type = Event.typeOf(event.path("type").asString(), text);
        Matcher attempt = ATTEMPT.matcher(text);
        boolean numbered = type.startsWith("callback.") && attempt.find();
        return new Event(
                event.path("sequence").asLong(),
                instant(event.get("at")),
                type,
                text(event.get("branch")),
                numbered ? (attempt.group(1).equals("compensation") ? Kind.COMPENSATION : Kind.CONFIRMATION) : null,
                numbered ? Integer.parseInt(attempt.group(2)) : 0);
    }

    private static @Nullable String text(@Nullable JsonNode node) {
        return node == null || node.isNull() ? null : node.asString();
    }

    private static @Nullable Instant instant(@Nullable JsonNode node) {
        return node == null || node.isNull() ? null : Instant.parse(node.asString());
    }

    private JsonNode get(String path) {
        try {
            return ask(path);
        } catch (IllegalStateException once) {
            return await("alpha answers " + path)
                    .atMost(INSISTS)
                    .ignoreExceptions()
                    .until(() -> ask(path), answer -> true);
        }
    }

    private JsonNode ask(String path) {
        HttpRequest request =
                HttpRequest.newBuilder(base.resolve(path)).timeout(TIMEOUT).build();
        try {
            HttpResponse<String> response = http.send(request, HttpResponse.BodyHandlers.ofString());
            if (response.statusCode() == 200) return JSON.readTree(response.body());
            throw new IllegalStateException(
                    "Alpha answers %d to %s, expected 200: %s".formatted(response.statusCode(), path, response.body()));
        } catch (IOException e) {
            throw new IllegalStateException("Alpha does not answer " + path + ": " + e, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while asking alpha for " + path + ".", e);
        }
    }
}
