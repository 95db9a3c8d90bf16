package io.alphaomega.repository.redis;

import io.alphaomega.repository.Cursor;
import io.alphaomega.repository.Page;
import io.alphaomega.repository.RepositoryUnavailableException;
import io.alphaomega.repository.SagaCounts;
import io.alphaomega.repository.SagaQuery;
import io.alphaomega.repository.SagaSummary;
import io.alphaomega.repository.SagaSummary.State;
import io.alphaomega.repository.ScanPosition;
import io.alphaomega.repository.redis.IndexScan.Entry;
import io.alphaomega.repository.redis.IndexScan.Range;
import io.alphaomega.repository.redis.IndexScan.Reading;
import io.alphaomega.repository.redis.ScriptCalls.Call;
import io.alphaomega.saga.SagaId;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiPredicate;

/** What people ask for: lists of summaries and their numbers. */
final class SearchScans {
    /** Somebody waits in front of a screen. */
    static final Duration WITHIN = Duration.ofSeconds(5);

    private SearchScans() {}

    /** @param within how long it may take before it is given up */
    static Page<SagaSummary> find(Operation operation, SagaQuery query, Cursor cursor, int limit, Duration within) {
        Optional<ScanPosition> after = ScanPosition.of(cursor, ScanPosition.Scan.FIND);
        if (query.id().isPresent()) {
            Optional<Page<SagaSummary>> one =
                    one(operation, query, after, query.id().get());
            if (one.isPresent()) return one.get();
        }
        IndexScan scan = scan(operation, query, after, limit);
        return page(scan, ScanPosition.Scan.FIND, limit, within, (saga, place) -> query.matches(saga));
    }

    /** By its key, without the index. Empty if it cannot be read: then only the index knows when it began. */
    private static Optional<Page<SagaSummary>> one(
            Operation operation, SagaQuery query, Optional<ScanPosition> after, SagaId id) {
        Bucket bucket = Bucket.of(id);
        Call call = new Call(bucket, CommandArguments.of(bucket.saga(id)), CommandArguments.of());
        List<Object> details =
                ScriptCalls.reading(operation, LuaScript.SUMMARY, List.of(call)).getFirst();
        if (details.isEmpty()) return Optional.of(new Page<>(List.of(), Optional.empty()));
        SagaSummary saga;
        try {
            saga = SagaRecord.summary(id, (byte[]) details.get(0), (byte[]) details.get(1));
        } catch (RuntimeException e) {
            return Optional.empty();
        }
        ScanPosition place = new ScanPosition(saga.begunAt().toEpochMilli(), id.value());
        boolean isHere = after.map(position -> ScanPosition.EARLIEST_FIRST.compare(place, position) < 0)
                .orElse(true);
        return Optional.of(new Page<>(isHere && query.matches(saga) ? List.of(saga) : List.of(), Optional.empty()));
    }

    /** Of an order that is not the last one the index knows as well, if an earlier alpha was told of the last one. */
    static Page<SagaSummary> ordered(Operation operation, Instant since, Cursor cursor, int limit) {
        Prefix prefix = Prefix.ORDERED;
        byte[] newest = ScanPosition.of(cursor, ScanPosition.Scan.ORDERED)
                .map(place -> prefix.beyond(prefix.member(place)))
                .orElseGet(prefix::last);
        Range range = new Range(prefix, newest, prefix.end('[', since.toEpochMilli()));
        IndexScan scan = new IndexScan(
                operation, Reading.NEWEST_FIRST_WITH_SUMMARIES, Bucket.ALL, List.of(range), IndexScan.ANY, limit);
        return page(
                scan,
                ScanPosition.Scan.ORDERED,
                limit,
                WITHIN,
                (saga, place) -> saga.orderedAt()
                        .filter(at -> at.toEpochMilli() == place.millis())
                        .isPresent());
    }

    private static Page<SagaSummary> page(
            IndexScan scan,
            ScanPosition.Scan kind,
            int limit,
            Duration within,
            BiPredicate<SagaSummary, ScanPosition> wanted) {
        long deadline = System.nanoTime() + within.toNanos();
        Runnable inTime = () -> {
            if (System.nanoTime() - deadline > 0) throw givenUp(within);
        };
        List<SagaSummary> items = new ArrayList<>();
        ScanPosition place = new ScanPosition(0, "");
        for (Entry entry = scan.next(inTime); entry != null; entry = scan.next(inTime)) {
            SagaSummary saga = summary(entry);
            // One that ends meanwhile may be met in two indexes.
            if (wanted.test(saga, entry.place()) && !entry.place().equals(place)) {
                if (items.size() == limit) return new Page<>(items, Optional.of(place.cursor(kind)));
                items.add(saga);
                place = entry.place();
            }
        }
        return new Page<>(items, Optional.empty());
    }

    private static RepositoryUnavailableException givenUp(Duration within) {
        return new RepositoryUnavailableException(
                "The search was given up after %d s: it looks at too many sagas. Narrow it by time, state or service."
                        .formatted(within.toSeconds()));
    }

    private static IndexScan scan(Operation operation, SagaQuery query, Optional<ScanPosition> after, int limit) {
        List<Prefix> prefixes = prefixes(query);
        List<Bucket> buckets = query.id().map(id -> List.of(Bucket.of(id))).orElse(Bucket.ALL);
        List<Range> ranges = prefixes.stream()
                .map(prefix -> new Range(prefix, newest(prefix, query, after), oldest(prefix, query)))
                .toList();
        byte[] mark = query.service().map(ServiceMark::bytes).orElse(IndexScan.ANY);
        return new IndexScan(operation, Reading.NEWEST_FIRST_WITH_SUMMARIES, buckets, ranges, mark, limit);
    }

    /** Hardly any saga has the same key, and few are open. */
    private static List<Prefix> prefixes(SagaQuery query) {
        Optional<String> key = query.businessKey().filter(text -> !text.isEmpty());
        if (key.isPresent()) return List.of(Prefix.key(key.get()));
        boolean open = !query.states().isEmpty() && query.states().stream().noneMatch(State::isEnded);
        if (query.attribute().isPresent() && !open) {
            return List.of(Prefix.attribute(query.attribute().get()));
        }
        return states(query);
    }

    private static List<Prefix> states(SagaQuery query) {
        return Prefix.states(query.states().isEmpty() ? Set.of(State.values()) : query.states());
    }

    private static byte[] newest(Prefix prefix, SagaQuery query, Optional<ScanPosition> after) {
        Optional<Long> to = query.to().map(Instant::toEpochMilli);
        if (after.isPresent() && to.map(millis -> after.get().millis() < millis).orElse(true)) {
            return prefix.beyond(prefix.member(after.get()));
        }
        return to.map(millis -> prefix.end('(', millis)).orElseGet(prefix::last);
    }

    private static byte[] oldest(Prefix prefix, SagaQuery query) {
        return query.from().map(from -> prefix.end('[', from.toEpochMilli())).orElseGet(prefix::first);
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

    static SagaCounts counts(Operation operation, Set<State> wanted) {
        List<Character> states = States.codes(wanted);
        CommandArguments codes = CommandArguments.of(states.stream()
                .map(code -> code.toString().getBytes(StandardCharsets.US_ASCII))
                .toArray(byte[][]::new));
        boolean clustered = operation.isCluster();
        List<Call> calls =
                Grouping.of(Bucket.ALL, bucket -> clustered ? bucket : Bucket.ALL.getFirst(), Bucket.ALL.size())
                        .stream()
                        .map(group -> new Call(
                                group.getFirst(),
                                CommandArguments.of(
                                        group.stream().map(Bucket::index).toArray(byte[][]::new)),
                                codes))
                        .toList();
        Map<State, Long> counts = new EnumMap<>(State.class);
        for (List<Object> answer : ScriptCalls.reading(operation, LuaScript.COUNTS, calls)) {
            for (int i = 0; i < states.size(); i++) {
                counts.merge(States.of(states.get(i)).orElse(State.SUSPENDED), (Long) answer.get(i), Long::sum);
            }
        }
        return new SagaCounts(counts);
    }
}
