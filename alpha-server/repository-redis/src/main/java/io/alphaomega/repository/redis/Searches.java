package io.alphaomega.repository.redis;

import io.alphaomega.repository.Cursor;
import io.alphaomega.repository.Page;
import io.alphaomega.repository.RepositoryUnavailableException;
import io.alphaomega.repository.SagaCounts;
import io.alphaomega.repository.SagaQuery;
import io.alphaomega.repository.SagaSummary;
import io.alphaomega.repository.SagaSummary.State;
import io.alphaomega.repository.redis.Exchange.Call;
import io.alphaomega.repository.redis.IndexScan.Entry;
import io.alphaomega.repository.redis.IndexScan.Reading;
import io.alphaomega.saga.SagaId;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** What people ask for: lists of summaries and their numbers. */
final class Searches {
    /** Somebody waits in front of a screen. */
    private static final Duration WITHIN = Duration.ofSeconds(5);

    /** Later than any saga; still exact as a number of Redis. */
    private static final long END_OF_TIME = 1L << 53;

    private Searches() {}

    static Page<SagaSummary> find(Servers servers, SagaQuery query, Cursor cursor, int limit) {
        long deadline = System.nanoTime() + WITHIN.toNanos();
        IndexScan scan = scan(servers, query, cursor, limit);
        List<SagaSummary> items = new ArrayList<>();
        Place place = new Place(0, "");
        for (Entry entry = scan.next(); entry != null; entry = scan.next()) {
            SagaSummary saga = summary(entry);
            if (matches(saga, query)) {
                if (items.size() == limit) return new Page<>(items, Optional.of(place.cursor(Place.Scan.FIND)));
                items.add(saga);
                place = entry.place();
            } else if (System.nanoTime() - deadline > 0) {
                throw new RepositoryUnavailableException(
                        "The search was given up after %d s: it looks at too many sagas. Narrow it by time, state or service."
                                .formatted(WITHIN.toSeconds()));
            }
        }
        return new Page<>(items, Optional.empty());
    }

    /** By service, the sagas of the service; else those of the states. What else is asked for is looked for among them. */
    private static IndexScan scan(Servers servers, SagaQuery query, Cursor cursor, int limit) {
        List<String> indexes = query.service()
                .map(service -> List.of("service/" + service))
                .orElseGet(() ->
                        States.codes(query.states()).stream().map(States::index).toList());
        long to = query.to().map(Instant::toEpochMilli).orElse(END_OF_TIME);
        Place first = new Place(to, "");
        if (!cursor.equals(Cursor.START)) {
            Place after = Place.of(cursor, Place.Scan.FIND);
            if (Place.EARLIEST_FIRST.compare(after, first) < 0) first = after;
        }
        long from = query.from().map(Instant::toEpochMilli).orElse(-END_OF_TIME);
        Reading reading = new Reading(
                Script.SCAN,
                each -> Stream.of("newest", Long.toString(from), Integer.toString(each), "1")
                        .map(text -> text.getBytes(StandardCharsets.US_ASCII))
                        .toList(),
                2);
        return new IndexScan(servers, reading, Place.EARLIEST_FIRST.reversed(), indexes, Optional.of(first), limit);
    }

    private static SagaSummary summary(Entry entry) {
        SagaId id = new SagaId(entry.place().id());
        try {
            return SagaRecord.summary(
                    id, entry.details().get(0), entry.details().get(1));
        } catch (RuntimeException e) {
            return SagaRecord.unreadable(id, Instant.ofEpochMilli(entry.place().millis()));
        }
    }

    private static boolean matches(SagaSummary saga, SagaQuery query) {
        return (query.states().isEmpty() || query.states().contains(saga.state()))
                && query.service().map(saga.services()::contains).orElse(true)
                && query.text().map(text -> mentions(saga, text)).orElse(true);
    }

    private static boolean mentions(SagaSummary saga, String text) {
        String part = text.toLowerCase(Locale.ROOT);
        return Stream.of(saga.id().value(), saga.businessKey(), saga.operation(), saga.reason())
                .anyMatch(each -> each.toLowerCase(Locale.ROOT).contains(part));
    }

    static SagaCounts counts(Servers servers) {
        List<Character> states = States.codes(List.of());
        List<byte[]> codes = states.stream()
                .map(code -> code.toString().getBytes(StandardCharsets.US_ASCII))
                .toList();
        boolean clustered = servers.isCluster();
        List<Call> calls =
                Grouping.of(Bucket.ALL, bucket -> clustered ? bucket : Bucket.ALL.getFirst(), Bucket.ALL.size())
                        .stream()
                        .map(group -> new Call(
                                group.getFirst(),
                                group.stream()
                                        .map(bucket -> bucket.index("due"))
                                        .toList(),
                                codes))
                        .toList();
        Map<State, Long> counts = new EnumMap<>(State.class);
        for (List<Object> answer : Exchange.reading(servers, Script.COUNTS, calls)) {
            for (int i = 0; i < states.size(); i++) {
                counts.merge(States.of(states.get(i)).orElse(State.SUSPENDED), (Long) answer.get(i), Long::sum);
            }
        }
        return new SagaCounts(counts);
    }
}
