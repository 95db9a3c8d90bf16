package io.alphaomega.server.stream;

import io.alphaomega.saga.SagaId;
import io.alphaomega.saga.SagaInput;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The inputs of one stream that their sagas have not answered yet. Each has a seat; the number that the saga sees is the
 * seat's and how often that was taken, so that a late answer never meets another input. For one thread.
 */
final class Unanswered {
    /** Of a stream that has never been busy. */
    private static final int SEATS_FIRST = 16;

    /** Bits of a number that name the seat: more seats than a window and what is read ahead of it can have inputs. */
    private static final int SEAT_BITS = 16;

    private static final int SEAT_MASK = (1 << SEAT_BITS) - 1;

    /** Longer than any load and append take; then the sender is told to send again. */
    static final Duration ANSWER_WITHIN = Duration.ofSeconds(10);

    /** After that the saga has long counted the callback as unanswered, and asks again. */
    static final Duration RESULT_WITHIN = Duration.ofMinutes(1);

    /** What is sent to another node may get lost, also without that the node is; then it is sent again. */
    static final Duration TOLD_AGAIN_AFTER = Duration.ofSeconds(2);

    /** Whether any has waited for too long. */
    static final Duration LOOK_EVERY = Duration.ofSeconds(1);

    /** An input that waits. */
    static final class Entry {
        private long number;
        private @Nullable SagaId saga;
        private @Nullable SagaInput input;
        private long correlation;
        private int bytes;
        /** In milliseconds of the stream's clock, as {@link #askedAt}. */
        private long readAt;

        private long arrived;
        /** When the saga was last told. */
        private long askedAt;

        private boolean onDetour;
        private boolean waiting;
        private boolean counted;

        private Entry(int seat) {
            this.number = seat;
        }

        /** What the saga sees instead of the sender's number, which may come again while the saga decides. */
        long number() {
            return number;
        }

        /** The sender's; meaningless for the result of a callback, which the sender gets no answer for. */
        long correlation() {
            return correlation;
        }

        SagaId saga() {
            if (saga == null) throw new IllegalStateException("The seat is free.");
            return saga;
        }

        SagaInput input() {
            if (input == null) throw new IllegalStateException("The seat is free.");
            return input;
        }

        /** When it was read, of {@link System#nanoTime}: to measure how long it takes. */
        long arrived() {
            return arrived;
        }

        /** The saga is told. */
        void asked(long now) {
            askedAt = now;
        }

        /** Whether its saga has not been told yet, because others have their turn. */
        boolean isWaiting() {
            return waiting;
        }

        void waits(boolean now) {
            waiting = now;
        }

        /** Whether it counts against what the streams may have under way together. */
        boolean isCounted() {
            return counted;
        }

        void count() {
            counted = true;
        }

        /** Whether it went through sharding, perhaps to another node. */
        boolean isOnDetour() {
            return onDetour;
        }

        /** Whether it says what became of a callback. */
        boolean isResult() {
            return input instanceof SagaInput.SucceedCallback
                    || input instanceof SagaInput.FailCallback
                    || input instanceof SagaInput.DeferCallback
                    || input instanceof SagaInput.AnswerFence;
        }

        /** Whether its sender waits for a decision, however long that takes. */
        boolean isPatient() {
            return Unanswered.isPatient(input);
        }

        /** Whether it has waited for its saga for too long; what waits for a decision never has. */
        boolean isOverdue(long now) {
            Duration within = isResult() ? RESULT_WITHIN : ANSWER_WITHIN;
            return !isPatient() && now - readAt >= within.toMillis();
        }

        /** Whether its saga is to be told once more, as it may not have heard. */
        boolean isDueAgain(long now) {
            return !waiting && now - askedAt >= pause().toMillis();
        }

        private Duration pause() {
            if (isResult()) return LOOK_EVERY;
            if (!onDetour || isPatient()) return ANSWER_WITHIN;
            // Each time after as long as it has taken so far: a node that has too much to do shall not get more for it.
            Duration soFar = Duration.ofMillis(askedAt - readAt);
            return soFar.compareTo(TOLD_AGAIN_AFTER) > 0 ? soFar : TOLD_AGAIN_AFTER;
        }

        /** How much of the node's memory it takes. */
        int bytes() {
            return bytes;
        }
    }

    static boolean isPatient(@Nullable SagaInput input) {
        return input != null && input.itself() instanceof SagaInput.End end && end.awaitDecision();
    }

    private Entry[] seats = new Entry[0];
    private int[] free = new int[0];
    private int freeCount;
    private int bytes;

    /** How many of a saga went through sharding: until those are answered, nothing else may overtake them. */
    private final Map<SagaId, Integer> onDetour = new HashMap<>();

    int size() {
        return seats.length - freeCount;
    }

    boolean isEmpty() {
        return freeCount == seats.length;
    }

    /** How much of the node's memory they take. */
    int bytes() {
        return bytes;
    }

    /**
     * @param now in milliseconds of the stream's clock
     * @param arrived of {@link System#nanoTime}
     */
    Entry add(long correlation, SagaId saga, SagaInput input, int size, long now, long arrived) {
        if (freeCount == 0) grow();
        Entry entry = seats[free[--freeCount]];
        entry.correlation = correlation;
        entry.saga = saga;
        entry.input = input;
        entry.bytes = size;
        entry.readAt = now;
        entry.arrived = arrived;
        entry.askedAt = now;
        bytes += size;
        return entry;
    }

    /** The one of that number, unless it has been answered. */
    @Nullable
    Entry get(long number) {
        int seat = (int) number & SEAT_MASK;
        if (seat >= seats.length) return null;
        Entry entry = seats[seat];
        return entry.number == number && entry.input != null ? entry : null;
    }

    /** Whether any of that saga went through sharding instead of directly. */
    boolean anyOnDetour(SagaId saga) {
        return !onDetour.isEmpty() && onDetour.containsKey(saga);
    }

    void onDetour(Entry entry) {
        if (entry.onDetour) return;
        entry.onDetour = true;
        onDetour.merge(entry.saga(), 1, Integer::sum);
    }

    void remove(Entry entry) {
        if (entry.input == null) return;
        if (entry.onDetour) onDetour.computeIfPresent(entry.saga(), (saga, count) -> count == 1 ? null : count - 1);
        entry.onDetour = false;
        entry.waiting = false;
        entry.counted = false;
        bytes -= entry.bytes;
        entry.saga = null;
        entry.input = null;
        free[freeCount++] = (int) entry.number & SEAT_MASK;
        entry.number += 1 << SEAT_BITS;
    }

    /** Calls for each; those it is called for may be removed, none may be added. */
    void forEach(Consumer<Entry> action) {
        for (Entry entry : seats) {
            if (entry.input != null) action.accept(entry);
        }
    }

    private void grow() {
        int before = seats.length;
        int after = Math.max(SEATS_FIRST, 2 * before);
        seats = Arrays.copyOf(seats, after);
        free = new int[after];
        for (int seat = before; seat < after; seat++) {
            seats[seat] = new Entry(seat);
            free[freeCount++] = seat;
        }
    }
}
