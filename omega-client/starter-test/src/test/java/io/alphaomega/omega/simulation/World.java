package io.alphaomega.omega.simulation;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One history: its dice, its time, its network, and what is seen of it. */
final class World {
    /** By then every timeout has passed, and alpha has called back. */
    private static final long END = Duration.ofHours(30).toNanos();

    private final SplittableRandom dice;
    private final PriorityQueue<Moment> moments = new PriorityQueue<>();
    private final @Nullable List<String> told;
    final Set<String> reached = new HashSet<>();
    final Trouble trouble;
    long now;
    private long sequence;

    /** What goes wrong in a history. */
    enum Trouble {
        NOTHING,
        /** Methods throw, transactions are rolled back, callers cancel. */
        BUSINESS,
        /** Messages are lost, repeated, late and in another order, and services die. */
        EVERYTHING
    }

    private record Moment(long at, long sequence, Runnable what) implements Comparable<Moment> {
        @Override
        public int compareTo(Moment other) {
            return at != other.at ? Long.compare(at, other.at) : Long.compare(sequence, other.sequence);
        }
    }

    /** @param tells whether what happens is kept as text */
    World(long seed, boolean tells) {
        told = tells ? new ArrayList<>() : null;
        dice = new SplittableRandom(seed);
        trouble = seed % 10 == 0 ? Trouble.NOTHING : seed % 3 == 0 ? Trouble.BUSINESS : Trouble.EVERYTHING;
    }

    /** Once in so many times. */
    boolean oneIn(int times) {
        return dice.nextInt(times) == 0;
    }

    /** The same of what only happens where business fails. */
    boolean failsOneIn(int times) {
        return trouble != Trouble.NOTHING && oneIn(times);
    }

    int below(int bound) {
        return dice.nextInt(bound);
    }

    /** As a thread that goes on by itself: after some milliseconds, as long as that lives. */
    void soon(BooleanSupplier alive, Runnable what) {
        in(1 + below(8), alive, what);
    }

    void in(long millis, BooleanSupplier alive, Runnable what) {
        at(now + Duration.ofMillis(millis).toNanos(), () -> {
            if (alive.getAsBoolean()) what.run();
        });
    }

    void at(long when, Runnable what) {
        moments.add(new Moment(Math.max(when, now), sequence++, what));
    }

    /** Over the network, to something that may not be there any more. */
    void send(Runnable message) {
        if (trouble != Trouble.EVERYTHING) {
            in(1, () -> true, message);
            return;
        }
        if (oneIn(12)) return;
        if (oneIn(15)) in(delay(), () -> true, message);
        in(delay(), () -> true, message);
    }

    private long delay() {
        return oneIn(12) ? below(60_000) : 1 + below(30);
    }

    void live() {
        for (Moment next = moments.poll(); next != null; next = moments.poll()) {
            if (next.at() > END) throw new BrokenPromiseError("nothing comes to rest");
            now = next.at();
            next.what().run();
        }
    }

    void tell(Supplier<String> what) {
        if (told != null) told.add("%10.3f  %s".formatted(now / 1e9, what.get()));
    }

    String told() {
        return told == null ? "" : String.join("\n", told);
    }
}
