package io.alphaomega.server.changes;

import io.alphaomega.repository.RepositoryUnavailableException;
import io.alphaomega.saga.SagaId;
import io.alphaomega.server.problem.Problems;
import io.alphaomega.server.queries.InsightReader;
import io.alphaomega.server.queries.SagaDetail;
import io.alphaomega.server.queries.SagaReader;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.time.Clock;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.web.ErrorResponseException;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.databind.json.JsonMapper;

/** Watching what changes. Each stream is written by the (virtual) thread of its request. */
@RestController
@RequestMapping(path = "/api/v1", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
class ChangesController {
    private static final Logger LOG = LoggerFactory.getLogger(ChangesController.class);

    private final Watchers watchers;
    private final WatchedSagas sagas;
    private final Watched<Overview> overview;
    private final JsonMapper json;

    ChangesController(Watchers watchers, SagaReader reader, InsightReader insights, Clock clock, JsonMapper json) {
        this.watchers = watchers;
        this.sagas = new WatchedSagas(reader, watchers);
        this.overview = new Watched<>(() -> Overview.of(clock.instant(), insights.read()), watchers);
        this.json = json;
    }

    /** Tells a reader what was found. */
    private interface Telling<T> {
        /** @return whether there may be more to tell */
        boolean tell(EventStream stream, T found) throws IOException;
    }

    /**
     * Streams the numbers of the whole cluster. An event {@code overview} every two seconds: sagas per second, what is open and
     * stuck, and how many services are connected. Every reader gets the same; one that reads slowly gets fewer.
     */
    @GetMapping("/changes")
    void overview(HttpServletRequest request, HttpServletResponse response) throws IOException, InterruptedException {
        watchers.enter();
        try {
            follow(request, response, overview, (stream, found) -> {
                stream.send("overview", found);
                return true;
            });
        } finally {
            watchers.leave();
        }
    }

    /**
     * Streams what happens to a saga. An event {@code saga} at once, and one within some two seconds of whatever happens to it,
     * on any node, with all that was added to its history. Once it has ended, an event {@code end}, and the stream ends.
     */
    @GetMapping("/sagas/{id}/changes")
    void saga(
            @PathVariable String id,
            @RequestHeader(name = "Last-Event-ID", defaultValue = "0") String lastEventId,
            HttpServletRequest request,
            HttpServletResponse response)
            throws IOException, InterruptedException {
        SagaId saga = SagaReader.id(id);
        long known = sequence(lastEventId);
        watchers.enter();
        try (var watching = sagas.watch(saga)) {
            follow(request, response, watching.saga(), new Telling<>() {
                private long told = known;

                @Override
                public boolean tell(EventStream stream, SagaDetail found) throws IOException {
                    SagaChange change = SagaChange.of(found, told);
                    if (change.history().isEmpty()) stream.beat();
                    else stream.send("saga", change.sequence(), change);
                    told = change.sequence();
                    if (change.endedAt() == null) return true;
                    stream.send("end", StreamEnd.sagaEnded(change));
                    return false;
                }
            });
        } finally {
            watchers.leave();
        }
    }

    private <T> void follow(
            HttpServletRequest request, HttpServletResponse response, Watched<T> watched, Telling<T> telling)
            throws IOException, InterruptedException {
        Optional<Look<T>> look = watched.after(null);
        // What fails before the first event is answered like any other request.
        if (look.isPresent() && look.get() instanceof Look.Failed<T> failed) throw failed.why();
        EventStream stream = new EventStream(response, json);
        if (request.getMethod().equals("HEAD")) return; // It would never hear that its reader has left.
        try {
            while (look.isPresent()) {
                if (!tell(stream, look.get(), telling)) return;
                look = watched.after(look.get());
            }
            stream.send("end", StreamEnd.nodeStops());
        } catch (IOException gone) {
            if (NestedExceptionUtils.getMostSpecificCause(gone)
                    instanceof SocketTimeoutException) { // Others have left by themselves.
                LOG.info(
                        "A reader of {} has not read for too long and is cut off; it may connect again.",
                        request.getRequestURI());
            }
        }
    }

    private static <T> boolean tell(EventStream stream, Look<T> look, Telling<T> telling) throws IOException {
        return switch (look) {
            case Look.Found<T> found -> telling.tell(stream, found.what());
            case Look.Failed<T> failed -> tell(stream, failed.why());
        };
    }

    /** A saga that was purged will not come back; a store or a node will. */
    private static boolean tell(EventStream stream, RuntimeException why) throws IOException {
        if (why instanceof RepositoryUnavailableException away) stream.send("problem", Problems.of(away));
        if (!(why instanceof ErrorResponseException refused)) return true;
        stream.send("problem", refused.getBody());
        return refused.getStatusCode().value() == HttpStatus.SERVICE_UNAVAILABLE.value();
    }

    private static long sequence(String lastEventId) {
        try {
            long sequence = Long.parseLong(lastEventId);
            if (sequence >= 0) return sequence;
        } catch (NumberFormatException e) {
            // Refused below, like a negative one.
        }
        throw Problems.badParameter("Last-Event-ID", "the id of an event of this stream", lastEventId);
    }
}
