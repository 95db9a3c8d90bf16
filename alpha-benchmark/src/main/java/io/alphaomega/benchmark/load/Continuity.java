package io.alphaomega.benchmark.load;

import io.alphaomega.benchmark.measure.Outage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * What a lane sees of alphas that come and go: since when nothing was begun, which sagas stand still, how many streams are
 * missing. It belongs to the lane's thread, and sees nothing until it is told to watch.
 */
final class Continuity {
    /** As many as alpha has, told apart as alpha does: the sagas of one are all on one node. */
    private static final int SHARDS = 100;

    private final int streams;
    private int up;

    private boolean watching;
    private long lastBegin;
    private long longestWithoutBegin;
    private final long[] lastOfShard = new long[SHARDS];
    private final long[] longestOfShard = new long[SHARDS];
    private int lost;

    /** When the first of the streams that are missing was lost, and when the first of them came back. */
    private long missingSince;

    private long firstBack;
    private long longestMissing;
    private long longestComingBack;

    /** @param streams that there are when none is missing */
    Continuity(int streams) {
        this.streams = streams;
    }

    /** Forgets what it has seen. */
    void watch(long now) {
        watching = true;
        lastBegin = now;
        longestWithoutBegin = 0;
        Arrays.fill(lastOfShard, now);
        Arrays.fill(longestOfShard, 0);
        lost = 0;
        missingSince = now;
        firstBack = 0;
        longestMissing = 0;
        longestComingBack = 0;
    }

    /**
     * Alpha has stored an input of that saga.
     *
     * @param since when it was handed to a stream
     */
    void acknowledged(String saga, boolean begin, long since, long now) {
        if (!watching) return;
        waited(saga, since, now);
        lastOfShard[shard(saga)] = now;
        if (!begin) return;
        longestWithoutBegin = Math.max(longestWithoutBegin, now - lastBegin);
        lastBegin = now;
    }

    /** An input of that saga is not answered, or was not until now. A shard to which nobody says anything does not wait. */
    void waited(String saga, long since, long now) {
        int shard = shard(saga);
        longestOfShard[shard] = Math.max(longestOfShard[shard], now - Math.max(since, lastOfShard[shard]));
    }

    private static int shard(String saga) {
        return Math.floorMod(saga.hashCode(), SHARDS);
    }

    /** @param sentAway whether alpha asked it to go; it is missing until it is back, but was not lost */
    void lost(long now, boolean sentAway) {
        if (up-- == streams) {
            missingSince = now;
            firstBack = 0;
        }
        if (!sentAway) lost++;
    }

    void back(long now) {
        up++;
        if (firstBack == 0) firstBack = now;
        if (up < streams) return;
        longestMissing = Math.max(longestMissing, now - missingSince);
        longestComingBack = Math.max(longestComingBack, now - firstBack);
    }

    /** What it has seen, up to now; of what waits it must have been told. */
    Outage outage(long now) {
        List<Duration> shards = new ArrayList<>();
        for (long longest : longestOfShard) shards.add(Duration.ofNanos(longest));
        boolean missing = up < streams;
        return new Outage(
                Duration.ofNanos(Math.max(longestWithoutBegin, now - lastBegin)),
                shards,
                lost,
                streams - up,
                Duration.ofNanos(Math.max(longestMissing, missing ? now - missingSince : 0)),
                Duration.ofNanos(Math.max(longestComingBack, missing && firstBack != 0 ? now - firstBack : 0)));
    }
}
