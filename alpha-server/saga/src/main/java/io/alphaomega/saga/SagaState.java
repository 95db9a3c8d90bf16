package io.alphaomega.saga;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/** A saga as its journal tells it. Immutable: {@link SagaRules#evolve} returns a new one. */
public sealed interface SagaState {
    SagaId id();

    /** How many events the journal has. */
    long sequence();

    /** No event yet. */
    record Absent(SagaId id) implements SagaState {
        @Override
        public long sequence() {
            return 0;
        }
    }

    /** Ended so long ago that its history is gone: how it ended can be told, nothing can be done about it any more. */
    record Purged(SagaId id, Outcome outcome) implements SagaState {
        @Override
        public long sequence() {
            return 0;
        }
    }

    /** Every state after the first event. */
    sealed interface Known extends SagaState {
        Saga saga();

        /** The decision to undo, if it was taken. */
        default Optional<Abort> abort() {
            return Optional.empty();
        }

        @Override
        default SagaId id() {
            return saga().id();
        }

        @Override
        default long sequence() {
            return saga().sequence();
        }
    }

    /** Nothing is decided: branches come and go. */
    record Active(Saga saga, boolean commitRequested) implements Known {}

    /** Nested, and done: its parent decides, and until then nothing happens, whatever time passes. */
    record Prepared(Saga saga) implements Known {}

    /** Committed: the branches' confirmations are asked. */
    record Confirming(Saga saga) implements Known {}

    /** Aborted: the branches' compensations are asked. */
    record Compensating(Saga saga, Abort decision) implements Known {
        @Override
        public Optional<Abort> abort() {
            return Optional.of(decision);
        }
    }

    /** Decided, but a person is needed to carry it out; {@code abort} is empty if the decision was to commit. */
    record Suspended(Saga saga, Optional<Abort> abort, Suspension suspension) implements Known {}

    /**
     * Of a store that was set back to an earlier time: what has become of the saga since, the store does not know, and
     * nothing happens until a person says it.
     *
     * @param before as the store has it
     * @param decided whether that has a decision of the time before the store was set back, which is true therefore
     * @param evidence what the fences of its branches have said
     * @param why a sentence for people
     */
    record Held(Known before, boolean decided, Map<BranchId, Evidence> evidence, String why, Instant at)
            implements Known {
        public Held {
            evidence = Map.copyOf(evidence);
        }

        @Override
        public Saga saga() {
            return before.saga();
        }

        @Override
        public Optional<Abort> abort() {
            return decided ? before.abort() : Optional.empty();
        }
    }

    /** Over. Only a branch that turns out to have ended after all reopens a compensated saga. */
    record Ended(Saga saga, Optional<Abort> abort, Outcome outcome, boolean manual, Instant at) implements Known {}
}
