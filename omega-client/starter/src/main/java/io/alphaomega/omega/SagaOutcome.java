package io.alphaomega.omega;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The state of a saga, as alpha reported it at one moment. A decision cannot change any more. */
public final class SagaOutcome {
    /** The state of a saga. */
    public enum State {
        /** Every branch stays done. Confirmations may still be running. */
        COMMITTED,
        /** Its branches are undone, or being undone. */
        ABORTED,
        /** Nothing is decided. Alpha decides at the saga's timeout at the latest. */
        OPEN,
        /**
         * Alpha does not know it: it was never begun, or no branch has begun in it yet ({@code omega.saga.begin}), or
         * it ended so long ago that alpha has forgotten it (a month, {@code alpha.retention}).
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
     * An outcome with that reason.
     *
     * @param why the exception that the initiator of the saga would get
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

    /** Whether it is {@link State#COMMITTED} or {@link State#ABORTED}: then it will not change. */
    public boolean isDecided() {
        return state == State.COMMITTED || state == State.ABORTED;
    }

    /** Why it was aborted, as its initiator would be told; empty if it was not. */
    public Optional<SagaAbortedException> aborted() {
        return Optional.ofNullable(aborted);
    }

    @Override
    public String toString() {
        return aborted == null ? "Saga " + saga + " is " + state : String.valueOf(aborted.getMessage());
    }
}
