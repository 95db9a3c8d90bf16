package io.alphaomega.samples.shop.campaign;

import static org.awaitility.Awaitility.await;

import io.alphaomega.samples.shop.demo.Web;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.StreamSupport;
import org.awaitility.core.ConditionTimeoutException;
import tools.jackson.databind.JsonNode;

/** What alpha says over HTTP about every saga. */
final class Sagas {
    /** After all those faults a verdict shall not fail because of one answer. */
    private static final Duration INSISTS = Duration.ofMinutes(1);

    private static final Duration POLL = Duration.ofSeconds(1);

    private static final List<String> OPEN = List.of("ACTIVE", "CONFIRMING", "COMPENSATING");

    private static final Set<String> OVER = Set.of("COMMITTED", "COMPENSATED");

    private final Web web;
    private final URI alpha;

    Sagas(Web web, URI alpha) {
        this.web = web;
        this.alpha = alpha;
    }

    /**
     * A saga as it is.
     *
     * @param calls the operations of its branches, each as often as it has one
     * @param text why it is suspended, or was aborted
     */
    record Saga(
            String id,
            String operation,
            String order,
            String state,
            Instant begun,
            Instant changed,
            List<String> calls,
            String text) {
        boolean isOver() {
            return OVER.contains(state);
        }
    }

    /** Waits until none is open any more; the ids of those that are after all that time, if any. */
    List<String> awaitNoneOpen(Duration atMost) {
        try {
            await("every saga ends")
                    .atMost(atMost)
                    .pollInterval(POLL)
                    .ignoreExceptions()
                    .until(() -> open().isEmpty());
            return List.of();
        } catch (ConditionTimeoutException someAre) {
            return open();
        }
    }

    private List<String> open() {
        return OPEN.stream()
                .flatMap(state -> ids("state=" + state + "&").stream())
                .toList();
    }

    private List<String> ids(String filter) {
        List<String> ids = new ArrayList<>();
        String cursor = "";
        do {
            JsonNode page =
                    get("/api/v1/sagas?" + filter + "limit=200" + (cursor.isEmpty() ? "" : "&cursor=" + cursor));
            for (JsonNode saga : page.path("sagas")) ids.add(saga.path("id").asString());
            cursor = page.path("next").asString("");
        } while (!cursor.isEmpty());
        return ids;
    }

    List<Saga> all() {
        return ids("").parallelStream()
                .map(id -> saga(get("/api/v1/sagas/" + id)))
                .toList();
    }

    private static Saga saga(JsonNode saga) {
        return new Saga(
                saga.path("id").asString(),
                saga.path("operation").asString(),
                saga.path("businessKey").asString(),
                saga.path("state").asString(),
                Instant.parse(saga.path("begunAt").asString()),
                Instant.parse(saga.path("updatedAt").asString()),
                StreamSupport.stream(saga.path("branches").spliterator(), false)
                        .map(branch -> branch.path("operation").asString())
                        .toList(),
                (text(saga, "suspension", "reason") + " " + text(saga, "suspension", "lastError") + " "
                                + text(saga, "abort", "text"))
                        .strip());
    }

    private static String text(JsonNode saga, String what, String field) {
        return saga.path(what).path(field).asString("");
    }

    private JsonNode get(String path) {
        return await("alpha answers " + path)
                .atMost(INSISTS)
                .pollDelay(Duration.ZERO)
                .ignoreExceptions()
                .until(() -> web.get(alpha.resolve(path)), answer -> answer.isObject() && !answer.has("title"));
    }
}
