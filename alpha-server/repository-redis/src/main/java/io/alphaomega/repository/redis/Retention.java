package io.alphaomega.repository.redis;

import io.alphaomega.repository.ScanPosition;
import io.alphaomega.repository.redis.Exchange.Call;
import io.alphaomega.repository.redis.IndexScan.Entry;
import io.alphaomega.repository.redis.IndexScan.Range;
import io.alphaomega.repository.redis.IndexScan.Reading;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** What leaves: sagas that have ended, then their tombstones; those that ended first, over all buckets. */
final class Retention {
    /** A call holds up everybody else: this many take the server a millisecond or two. */
    private static final int ITEMS_MAX = 128;

    private static final SecureRandom RANDOM = new SecureRandom();

    private Operation operation;
    private final LuaScript script;
    private final Range range;
    private final Arguments arguments;

    private Retention(Operation operation, LuaScript script, Prefix index, Instant endedBefore, byte[]... arguments) {
        this.operation = operation;
        this.script = script;
        range = new Range(index, index.first(), index.end('(', endedBefore.toEpochMilli()));
        this.arguments = Arguments.of(arguments);
    }

    static int purge(Operation operation, Instant endedBefore, int limit) {
        byte[] token = new Bytes(Long.BYTES).eight(RANDOM.nextLong()).done();
        return new Retention(operation, LuaScript.PURGE, Prefix.ENDED, endedBefore, stored(endedBefore), token)
                .run(limit);
    }

    static int forget(Operation operation, Instant endedBefore, int limit) {
        return new Retention(operation, LuaScript.FORGET, Prefix.GONE, endedBefore, stored(endedBefore)).run(limit);
    }

    private static byte[] stored(Instant time) {
        return Times.add(new Bytes(Times.BYTES), time).done();
    }

    private int run(int limit) {
        int done = 0;
        while (done < limit) {
            operation = operation.next();
            List<ScanPosition> oldest = oldest(Math.min(limit - done, ITEMS_MAX));
            if (oldest.isEmpty()) return done;
            int removed = remove(oldest);
            // What cannot go has left the index; whatever else is wrong, this ends.
            if (removed == 0) return done;
            done += removed;
        }
        return done;
    }

    private List<ScanPosition> oldest(int count) {
        IndexScan scan =
                new IndexScan(operation, Reading.OLDEST_FIRST, Bucket.ALL, List.of(range), IndexScan.ANY, count);
        List<ScanPosition> oldest = new ArrayList<>();
        while (oldest.size() < count) {
            Entry entry = scan.next();
            if (entry == null) break;
            oldest.add(entry.place());
        }
        return oldest;
    }

    private int remove(List<ScanPosition> places) {
        boolean clustered = operation.isCluster();
        List<Call> calls =
                Grouping.of(places, place -> clustered ? Bucket.of(place.id()) : Bucket.ALL.getFirst(), ITEMS_MAX)
                        .stream()
                        .map(group -> call(group, clustered))
                        .toList();
        int removed = 0;
        for (List<Object> answer : Exchange.writing(operation, script, calls, 0)) {
            removed += ((Long) answer.getFirst()).intValue();
        }
        return removed;
    }

    private Call call(List<ScanPosition> group, boolean clustered) {
        Bucket bucket = Bucket.of(group.getFirst().id());
        Arguments keys = new Arguments(64 * group.size());
        Arguments all = new Arguments(64 * (1 + group.size())).addAll(arguments);
        for (ScanPosition place : group) {
            keys.add(Bucket.of(place.id()).saga(place.id()));
            all.add(range.prefix().member(place));
        }
        if (clustered) keys.add(bucket.index());
        return new Call(bucket, keys, all);
    }
}
