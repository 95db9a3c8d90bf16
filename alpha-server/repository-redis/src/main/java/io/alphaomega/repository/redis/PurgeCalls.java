package io.alphaomega.repository.redis;

import io.alphaomega.repository.redis.IndexScan.Entry;
import io.alphaomega.repository.redis.IndexScan.Range;
import io.alphaomega.repository.redis.IndexScan.Reading;
import io.alphaomega.repository.redis.ScriptCalls.Call;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** What leaves: sagas that have ended, then their tombstones; those that ended first, over all buckets. */
final class PurgeCalls {
    /** A call holds up everybody else: this many take the server a millisecond or two. */
    private static final int ITEMS_MAX = 128;

    private static final SecureRandom RANDOM = new SecureRandom();

    private Operation operation;
    private final LuaScript script;
    private final List<Prefix> where;
    private final Instant endedBefore;
    private final CommandArguments arguments;

    private PurgeCalls(
            Operation operation, LuaScript script, List<Prefix> where, Instant endedBefore, byte[]... arguments) {
        this.operation = operation;
        this.script = script;
        this.where = where;
        this.endedBefore = endedBefore;
        this.arguments = CommandArguments.of(arguments);
    }

    static int purge(Operation operation, Instant endedBefore, int limit) {
        byte[] token = new Bytes(Long.BYTES).eight(RANDOM.nextLong()).done();
        return new PurgeCalls(operation, LuaScript.PURGE, Prefix.ended(), endedBefore, stored(endedBefore), token)
                .run(limit);
    }

    static int forget(Operation operation, Instant endedBefore, int limit) {
        return new PurgeCalls(operation, LuaScript.FORGET, List.of(Prefix.GONE), endedBefore, stored(endedBefore))
                .run(limit);
    }

    private static byte[] stored(Instant time) {
        return Times.add(new Bytes(Times.BYTES), time).done();
    }

    private int run(int limit) {
        IndexScan scan = new IndexScan(
                operation, Reading.OLDEST_FIRST, Bucket.ALL, ranges(), IndexScan.ANY, Math.min(limit, ITEMS_MAX));
        int done = 0;
        while (done < limit) {
            operation = operation.next();
            List<Entry> oldest = next(scan.in(operation), Math.min(limit - done, ITEMS_MAX));
            if (oldest.isEmpty()) return done;
            done += remove(oldest);
        }
        return done;
    }

    private List<Range> ranges() {
        return where.stream()
                .map(prefix -> new Range(prefix, prefix.first(), prefix.end('(', endedBefore.toEpochMilli())))
                .toList();
    }

    private static List<Entry> next(IndexScan scan, int count) {
        List<Entry> entries = new ArrayList<>();
        while (entries.size() < count) {
            Entry entry = scan.next();
            if (entry == null) break;
            entries.add(entry);
        }
        return entries;
    }

    private int remove(List<Entry> entries) {
        boolean clustered = operation.isCluster();
        List<Call> calls =
                Grouping.of(entries, entry -> clustered ? bucket(entry) : Bucket.ALL.getFirst(), ITEMS_MAX).stream()
                        .map(group -> call(group, clustered))
                        .toList();
        int removed = 0;
        for (List<Object> answer : ScriptCalls.writing(operation, script, calls, 0)) {
            removed += ((Long) answer.getFirst()).intValue();
        }
        return removed;
    }

    private Call call(List<Entry> group, boolean clustered) {
        Bucket bucket = bucket(group.getFirst());
        CommandArguments keys = new CommandArguments(64 * group.size());
        CommandArguments all = new CommandArguments(64 * (1 + group.size())).addAll(arguments);
        for (Entry entry : group) {
            keys.add(bucket(entry).saga(entry.place().id()));
            all.add(entry.member());
        }
        if (clustered) keys.add(bucket.index());
        return new Call(bucket, keys, all);
    }

    private static Bucket bucket(Entry entry) {
        return Bucket.of(entry.place().id());
    }
}
