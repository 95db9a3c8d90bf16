package io.alphaomega.repository.redis;

import io.alphaomega.repository.Cursor;
import io.alphaomega.repository.Loaded;
import io.alphaomega.repository.Page;
import io.alphaomega.repository.RepositoryUnavailableException;
import io.alphaomega.repository.ScanPosition;
import io.alphaomega.repository.StoredEvent;
import io.alphaomega.repository.Version;
import io.alphaomega.repository.redis.IndexScan.Entry;
import io.alphaomega.repository.redis.IndexScan.Range;
import io.alphaomega.repository.redis.IndexScan.Reading;
import io.alphaomega.repository.redis.SagaRecord.Part;
import io.alphaomega.saga.CorruptJournalException;
import io.alphaomega.saga.SagaId;
import io.lettuce.core.RedisCommandExecutionException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What the server reads to go on: one saga's journal, and which sagas are due. */
final class JournalReads {
    private JournalReads() {}

    /**
     * One command, so one snapshot.
     *
     * @param replicas how many must have what is returned
     */
    static Loaded load(Operation operation, SagaId id, int replicas) {
        Loaded loaded = load(operation, id);
        if (replicas == 0 || loaded.equals(Loaded.NOTHING)) return loaded;
        Bucket bucket = Bucket.of(id);
        Server server = operation.of(bucket);
        server.copies().require(operation, server, bucket, replicas);
        return loaded;
    }

    private static Loaded load(Operation operation, SagaId id) {
        Bucket bucket = Bucket.of(id);
        byte[] key = bucket.saga(id);
        try {
            return loaded(id, ScriptCalls.one(operation, bucket, commands -> commands.lrange(key, 0, -1)));
        } catch (RepositoryUnavailableException e) {
            if (e.getCause() instanceof RedisCommandExecutionException refused
                    && String.valueOf(refused.getMessage()).startsWith("WRONGTYPE")) {
                throw corrupt(id, "its key holds something else than a list");
            }
            throw e;
        }
    }

    private static Loaded loaded(SagaId id, List<byte[]> stored) {
        if (stored.isEmpty()) return Loaded.NOTHING;
        if (stored.size() == 1 && SagaRecord.isTombstone(stored.getFirst())) {
            return SagaRecord.tombstone(stored.getFirst());
        }
        List<StoredEvent> events = new ArrayList<>();
        Version version = Version.NONE;
        for (byte[] record : stored) {
            if (SagaRecord.isHeader(record)) continue;
            Part part = part(id, record, events.size());
            version = part.version();
            events.addAll(part.events());
            if (version.sequence() != events.size()) {
                throw corrupt(
                        id,
                        "after event %d comes an append that ends with event %d and has %d"
                                .formatted(
                                        events.size() - part.events().size(),
                                        version.sequence(),
                                        part.events().size()));
            }
        }
        if (events.isEmpty()) throw corrupt(id, "its header is stored, but no event");
        return new Loaded(events, version);
    }

    private static Part part(SagaId id, byte[] record, int after) {
        try {
            return SagaRecord.part(record);
        } catch (RuntimeException e) {
            throw corrupt(id, "the append after event %d cannot be read (%s)".formatted(after, e));
        }
    }

    private static CorruptJournalException corrupt(SagaId id, String found) {
        return new CorruptJournalException(
                "The journal of saga %s is damaged: %s. It is left as it is; other sagas continue."
                        .formatted(id, found));
    }

    static Page<SagaId> due(Operation operation, Instant until, Cursor cursor, int limit) {
        Optional<ScanPosition> after = ScanPosition.of(cursor, ScanPosition.Scan.DUE);
        byte[] from =
                after.map(place -> Prefix.DUE.beyond(Prefix.DUE.member(place))).orElseGet(Prefix.DUE::first);
        Range range = new Range(Prefix.DUE, from, Prefix.DUE.end('(', until.toEpochMilli() + 1));
        IndexScan scan = new IndexScan(operation, Reading.DUE, Bucket.ALL, List.of(range), IndexScan.ANY, limit);
        List<SagaId> items = new ArrayList<>();
        ScanPosition place = new ScanPosition(0, "");
        for (Entry entry = scan.next(); entry != null; entry = scan.next()) {
            if (items.size() == limit) return new Page<>(items, Optional.of(place.cursor(ScanPosition.Scan.DUE)));
            place = entry.place();
            items.add(new SagaId(place.id()));
        }
        return new Page<>(items, Optional.empty());
    }
}
