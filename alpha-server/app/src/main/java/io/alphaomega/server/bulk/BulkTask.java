package io.alphaomega.server.bulk;

import io.alphaomega.saga.BranchId;
import io.alphaomega.saga.Operator;
import io.alphaomega.saga.Outcome;
import io.alphaomega.saga.Saga;
import io.alphaomega.saga.SagaEvent;
import io.alphaomega.saga.SagaInput;
import io.alphaomega.saga.SagaState.Active;
import io.alphaomega.saga.SagaState.Known;
import io.alphaomega.saga.Stuck;
import io.alphaomega.saga.Suspension;
import io.alphaomega.server.sweep.StuckSaga;
import io.alphaomega.wire.WireAnswers;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;

/**
 * What is done with many sagas, and with which: those of which it is true when a node looks. So any node can go on with
 * it, and nothing has to be kept of how far it is. A saga of which it is done is not meant any more:
 *
 * <ul>
 *   <li>one that was retried or skipped has another trouble later, if it has: it is stuck since after {@code before}
 *   <li>one that was resolved has ended
 *   <li>one that was aborted is not active
 * </ul>
 *
 * <p>The first holds only as far as the nodes' clocks agree. So a saga is not meant either if one of its last {@value
 * io.alphaomega.saga.Limits#ORDERS} orders has the bulk order's id, whatever the clocks say: a second branch is never
 * skipped because the first one was. What is ordered names the sequence at which the journal was read, so a saga that was
 * ordered about meanwhile, by whomever, refuses it.
 */
public sealed interface BulkTask {
    /** Their names, which the API and other nodes know. */
    enum Kind {
        RETRY,
        SKIP,
        RESOLVE,
        ABORT
    }

    Kind kind();

    /** What got stuck later, or began later, is not meant. */
    Instant before();

    /** The same, of those only that got stuck, or began, before that time. */
    BulkTask asOf(Instant before);

    /**
     * The order for one saga, as its journal tells it; empty if it is not meant.
     *
     * @param signed with the bulk order's id
     */
    Optional<SagaInput> inputFor(Known saga, Operator signed, Instant now);

    /** Whether that is what became of such an order. */
    boolean isDoneBy(SagaEvent event, Operator signed);

    /** Whether the saga's journal says that this has been done with it. */
    default boolean isDone(Known saga, Operator signed) {
        return saga.saga().orders().stream().anyMatch(order -> isDoneBy(order.event(), signed));
    }

    /**
     * Which of the stuck sagas.
     *
     * @param detail of suspended ones why alpha gave up; empty for any
     * @param service whose people must act; empty for any
     */
    record Chosen(Stuck.Reason reason, Optional<String> detail, Optional<String> service, Instant before) {
        Chosen asOf(Instant before) {
            return new Chosen(reason, detail, service, before);
        }

        /** Whether a saga that is stuck so is one of them. One that is held is meant only if that is said. */
        public boolean has(Stuck stuck) {
            return stuck.reason() == reason
                    && (detail.isPresent() || !stuck.detail().equals(Stuck.RESTORED))
                    && stuck.since().isBefore(before)
                    && detail.map(stuck.detail()::equals).orElse(true)
                    && service.map(stuck.service()::equals).orElse(true);
        }
    }

    /** What is done with stuck sagas. */
    sealed interface OfStuck extends BulkTask {
        Chosen chosen();

        /** Whether a saga that is stuck so can be dealt with like that; the others are left alone. */
        boolean fits(Stuck stuck, Optional<Outcome> decided);

        /** The order itself. */
        SagaInput input(Known saga, Stuck stuck, Operator signed);

        @Override
        default Instant before() {
            return chosen().before();
        }

        /** Whether the saga is among those that are chosen, and the order fits. */
        default boolean means(StuckSaga saga) {
            return chosen().has(saga.stuck()) && fits(saga.stuck(), saga.decided());
        }

        @Override
        default Optional<SagaInput> inputFor(Known saga, Operator signed, Instant now) {
            if (isDone(saga, signed)) return Optional.empty();
            return Stuck.at(now, Stuck.of(saga))
                    .filter(chosen()::has)
                    .filter(stuck -> fits(stuck, StuckSaga.decided(saga)))
                    .map(stuck -> input(saga, stuck, signed));
        }
    }

    /** Suspended for these, a saga has no callback that could be asked for again. */
    Set<String> NOTHING_TO_RETRY = Set.of(Suspension.Reason.BRANCH_END_UNKNOWN.name(), WireAnswers.JOURNAL_UNREADABLE);

    /** Has callbacks asked again that were given up on, or that wait for their next attempt. */
    record Retry(Chosen chosen) implements OfStuck {
        @Override
        public Kind kind() {
            return Kind.RETRY;
        }

        @Override
        public BulkTask asOf(Instant before) {
            return new Retry(chosen.asOf(before));
        }

        @Override
        public boolean fits(Stuck stuck, Optional<Outcome> decided) {
            return stuck.reason() != Stuck.Reason.OVERDUE && !NOTHING_TO_RETRY.contains(stuck.detail());
        }

        @Override
        public SagaInput input(Known saga, Stuck stuck, Operator signed) {
            return new SagaInput.Retry(signed, saga.sequence());
        }

        @Override
        public boolean isDoneBy(SagaEvent event, Operator signed) {
            return event instanceof SagaEvent.Resumed resumed
                    && resumed.operator().filter(signed::equals).isPresent();
        }
    }

    /** Takes for done by hand the branch that a saga is suspended for; alpha goes on with the others. */
    record Skip(Chosen chosen) implements OfStuck {
        @Override
        public Kind kind() {
            return Kind.SKIP;
        }

        @Override
        public BulkTask asOf(Instant before) {
            return new Skip(chosen.asOf(before));
        }

        @Override
        public boolean fits(Stuck stuck, Optional<Outcome> decided) {
            return stuck.reason() == Stuck.Reason.SUSPENDED && stuck.branch().isPresent();
        }

        @Override
        public SagaInput input(Known saga, Stuck stuck, Operator signed) {
            BranchId branch = stuck.branch().orElseThrow();
            return new SagaInput.Skip(signed, saga.sequence(), branch);
        }

        @Override
        public boolean isDoneBy(SagaEvent event, Operator signed) {
            return event instanceof SagaEvent.BranchSkipped skipped
                    && skipped.operator().equals(signed);
        }
    }

    /**
     * Ends suspended sagas whose every branch people have settled by hand.
     *
     * @param outcome as they were decided; those that were decided otherwise are left alone
     */
    record Resolve(Chosen chosen, Outcome outcome) implements OfStuck {
        @Override
        public Kind kind() {
            return Kind.RESOLVE;
        }

        @Override
        public BulkTask asOf(Instant before) {
            return new Resolve(chosen.asOf(before), outcome);
        }

        @Override
        public boolean fits(Stuck stuck, Optional<Outcome> decided) {
            if (stuck.detail().equals(Stuck.RESTORED))
                return decided.map(outcome::equals).orElse(true);
            return stuck.reason() == Stuck.Reason.SUSPENDED
                    && stuck.branch().isPresent()
                    && decided.filter(outcome::equals).isPresent();
        }

        @Override
        public SagaInput input(Known saga, Stuck stuck, Operator signed) {
            return new SagaInput.Resolve(signed, saga.sequence(), outcome);
        }

        @Override
        public boolean isDoneBy(SagaEvent event, Operator signed) {
            return event instanceof SagaEvent.Ended ended
                    && ended.operator().filter(signed::equals).isPresent();
        }
    }

    /**
     * Aborts active sagas. No saga that is decided is meant, and so none that waits for a service or is suspended; nor one
     * in which the service took no part yet {@code before} that time, because nobody counted it.
     *
     * @param service that takes part; empty for any
     * @param operation that they began with; empty for any
     */
    record Abort(Optional<String> service, Optional<String> operation, Instant before) implements BulkTask {
        public Abort {
            if (service.isEmpty() && operation.isEmpty()) {
                throw new IllegalArgumentException("an abort of many sagas must name a service or an operation");
            }
        }

        @Override
        public Kind kind() {
            return Kind.ABORT;
        }

        @Override
        public BulkTask asOf(Instant before) {
            return new Abort(service, operation, before);
        }

        @Override
        public Optional<SagaInput> inputFor(Known saga, Operator signed, Instant now) {
            if (!(saga instanceof Active) || !saga.saga().begunAt().isBefore(before)) return Optional.empty();
            boolean isOfIt =
                    operation.map(saga.saga().initiator().operation()::equals).orElse(true)
                            && service.map(name -> tookPart(saga.saga(), name)).orElse(true);
            return isOfIt ? Optional.of(new SagaInput.AbortByOperator(signed, saga.sequence())) : Optional.empty();
        }

        private boolean tookPart(Saga saga, String name) {
            return saga.initiator().service().equals(name)
                    || saga.branches().stream()
                            .anyMatch(branch -> branch.service().equals(name)
                                    && branch.begunAt().isBefore(before));
        }

        @Override
        public boolean isDoneBy(SagaEvent event, Operator signed) {
            return event instanceof SagaEvent.Aborted aborted
                    && aborted.abort().text().equals(signed.who() + ": " + signed.why());
        }
    }
}
