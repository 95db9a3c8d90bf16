package io.alphaomega.repository.redis;

import io.alphaomega.repository.redis.Exchange.Call;
import io.alphaomega.repository.redis.IndexScan.Entry;
import io.alphaomega.repository.redis.IndexScan.Reading;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What leaves: sagas that have ended, then their tombstones; those that ended first, over all buckets. */
final class Retention {
    /** A call holds up everybody else: this many take the server a millisecond or two. */
    private static final int ITEMS_MAX = 128;

    private static final SecureRandom RANDOM = new SecureRandom();

    private final Servers servers;
    private final String index;
    private final Script script;
    private final List<byte[]> arguments;
    private final byte[] before;

    private Retention(Servers servers, String index, Script script, byte[] before, List<byte[]> arguments) {
        this.servers = servers;
        this.index = index;
        this.script = script;
        this.before = before;
        this.arguments = arguments;
    }

    static int purge(Servers servers, Instant endedBefore, int limit) {
        byte[] before = ascii(Long.toString(endedBefore.toEpochMilli()));
        byte[] token = new Bytes(8).eight(RANDOM.nextLong()).done();
        return new Retention(servers, "ended", Script.PURGE, before, List.of(before, token)).run(limit);
    }

    static int forget(Servers servers, Instant endedBefore, int limit) {
        byte[] before = ascii(Long.toString(endedBefore.toEpochMilli()));
        return new Retention(servers, "gone", Script.FORGET, before, List.of(before)).run(limit);
    }

    private int run(int limit) {
        int done = 0;
        while (done < limit) {
            List<String> oldest = oldest(Math.min(limit - done, ITEMS_MAX));
            if (oldest.isEmpty()) return done;
            done += remove(oldest);
        }
        return done;
    }

    private List<String> oldest(int count) {
        Reading reading = new Reading(
                Script.SCAN, each -> List.of(ascii("oldest"), before, ascii(Integer.toString(each)), ascii("0")), 0);
        IndexScan scan = new IndexScan(servers, reading, Place.EARLIEST_FIRST, List.of(index), Optional.empty(), count);
        List<String> ids = new ArrayList<>();
        for (Entry entry = scan.next(); entry != null; entry = scan.next()) {
            ids.add(entry.place().id());
            if (ids.size() == count) break;
        }
        return ids;
    }

    private int remove(List<String> ids) {
        boolean clustered = servers.isCluster();
        List<Call> calls = Grouping.of(ids, id -> clustered ? Bucket.of(id) : Bucket.ALL.getFirst(), ITEMS_MAX).stream()
                .map(group -> new Call(
                        Bucket.of(group.getFirst()),
                        group.stream().map(id -> Bucket.of(id).saga(id)).toList(),
                        arguments))
                .toList();
        int removed = 0;
        for (List<Object> answer : Exchange.writing(servers, script, calls, 0)) {
            removed += ((Long) answer.getFirst()).intValue();
        }
        return removed;
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
