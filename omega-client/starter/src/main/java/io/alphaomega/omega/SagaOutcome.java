package io.alphaomega.omega;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** How a saga is decided, as alpha has said at some moment. What is decided cannot change any more. */
public final class SagaOutcome {
    /** How far a saga is. */
    public enum State {
        /** Every branch stays done. Confirmations may still be under way. */
        COMMITTED,
        /** What was done is undone, or being undone. */
        ABORTED,
        /** Nothing is decided. Alpha decides at the saga's timeout at the latest. */
        OPEN,
        /**
         * Alpha has not heard of it: nobody has begun it, or nothing has begun in it yet ({@code omega.saga.begin}), or it
         * ended so long ago that alpha has forgotten it (a month, {@code alpha.retention}).
         */
        UNKNOWN
    }

    private final String saga;
    private final State state;
    private final @Nullable SagaAbortedException aborted;

    private SagaOutcome(String saga, State state, @Nullable SagaAbortedException aborted) {
        this.saga = saga;
        this.state = state;
        this.aborted = aborted;
    }

    public static SagaOutcome committed(String saga) {
        return new SagaOutcome(saga, State.COMMITTED, null);
    }

    /**
     * An outcome of that reason.
     *
     * @param why the exception that whoever began the saga would be told
     */
    public static SagaOutcome aborted(SagaAbortedException why) {
        return new SagaOutcome(why.saga(), State.ABORTED, why);
    }

    public static SagaOutcome open(String saga) {
        return new SagaOutcome(saga, State.OPEN, null);
    }

    public static SagaOutcome unknown(String saga) {
        return new SagaOutcome(saga, State.UNKNOWN, null);
    }

    /** The saga's id. */
    public String saga() {
        return saga;
    }

    public State state() {
        return state;
    }

    /** Whether it is {@link State#COMMITTED} or {@link State#ABORTED}: then asking again gives the same. */
    public boolean isDecided() {
        return state == State.COMMITTED || state == State.ABORTED;
    }

    /** Why it was aborted, as its initiator was told; empty if it was not. */
    public Optional<SagaAbortedException> aborted() {
        return Optional.ofNullable(aborted);
    }

    @Override
    public String toString() {
        return aborted == null ? "Saga " + saga + " is " + state : String.valueOf(aborted.getMessage());
    }
}
