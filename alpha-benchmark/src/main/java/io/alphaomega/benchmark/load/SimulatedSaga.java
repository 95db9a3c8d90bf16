package io.alphaomega.benchmark.load;

import io.alphaomega.benchmark.plan.SagaScript;
import io.alphaomega.protocol.v1.Aborted;
import java.util.BitSet;

/** One simulated saga while it lives. It belongs to its lane's thread. */
final class SimulatedSaga {
    final long ordinal;
    final String id;
    final SagaScript script;

    /** Its latency and its outcome are figures of the run. */
    final boolean measured;

    final Role role;

    /** When it should have begun, by {@link System#nanoTime}; in a closed loop when it began. */
    final long intendedAt;

    final long begunAt;

    /** When it was last heard of. */
    long touchedAt;

    /** The next of its script's steps. */
    int next;

    /** Steps that alpha has not acknowledged. */
    int outstanding;

    Decision decision = Decision.NONE;

    /** A planned abort is no surprise. */
    final boolean aborts;

    /** One compensation of it fails. */
    final boolean fails;

    int failedAnswers;

    /** Branches whose end was sent: alpha may act on it before its ack is here. */
    final BitSet reported = new BitSet();

    /** Branches whose end alpha has acknowledged. */
    final BitSet ended = new BitSet();

    /** Branches whose callback was answered with success. */
    final BitSet called = new BitSet();

    /** Something happened to it that the script did not foresee: alpha is asked about it afterwards. */
    boolean odd;

    /** It has left the books; what still comes is a straggler. */
    boolean over;

    /** What alpha has said of it. */
    enum Decision {
        NONE,
        COMMITTED,
        ABORTED
    }

    SimulatedSaga(long ordinal, String id, SagaScript script, Traits traits, long intendedAt, long begunAt) {
        this.ordinal = ordinal;
        this.id = id;
        this.script = script;
        this.measured = traits.role() == Role.MEASURED;
        this.role = traits.role();
        this.aborts = traits.aborts();
        this.fails = traits.fails();
        this.intendedAt = intendedAt;
        this.begunAt = begunAt;
        this.touchedAt = begunAt;
    }

    /** What a saga is for. */
    enum Role {
        MEASURED,
        WARM_UP,
        /** One of those that are kept open: begun, and not ended. */
        OPENS,
        /** The end of one that was kept open. */
        CLOSES
    }

    /** What is known of a saga before it begins. */
    record Traits(Role role, boolean aborts, boolean fails) {}

    boolean hasStepsLeft() {
        return next < script.steps().size();
    }

    /** Alpha says that it is. For causes of its own it aborts a saga if it was away for longer than a branch may take. */
    void aborted(Aborted.Cause cause) {
        decision = Decision.ABORTED;
        odd |= !aborts || (cause != Aborted.Cause.BRANCH_FAILED && cause != Aborted.Cause.INITIATOR);
        if (!aborts) stopForward();
    }

    /** Alpha asks for the compensation of a branch, perhaps before it says that the saga is aborted. */
    void undone(int branch) {
        boolean foreseen = aborts && (decision != Decision.NONE || reported.get(branch));
        odd |= !foreseen && decision != Decision.COMMITTED;
    }

    /** Nothing further is said in its name. */
    void stopForward() {
        next = script.steps().size();
    }
}
