package io.alphaomega.saga;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Everything that can happen to a saga: what services report, what operators order, and time. */
public sealed interface SagaInput {
    /** What is decided and answered: the input itself, whatever travels with it. */
    default SagaInput itself() {
        return this;
    }

    // ---- from the initiator

    record Begin(Initiator initiator, Policy policy) implements SagaInput {
        public Begin {
            if (!initiator.start().isEmpty()) {
                throw new IllegalArgumentException("a saga that others may begin as well has no start of its own");
            }
            requireNoParent(initiator);
        }
    }

    /**
     * Begins the saga if nobody else has: who is told that it is accepted has begun it, and whoever comes with another {@link
     * Initiator#start} is told how it is decided, as by {@link AskOutcome}.
     */
    record BeginOnce(Initiator initiator, Policy policy) implements SagaInput {
        public BeginOnce {
            if (initiator.start().isEmpty()) {
                throw new IllegalArgumentException("a saga that begins only once needs the name of this start");
            }
            requireNoParent(initiator);
        }
    }

    /** Begins the saga as a part of another: of the branch of {@link Initiator#parent} that {@link BeginBranch} began. */
    record BeginNested(Initiator initiator, Policy policy) implements SagaInput {
        public BeginNested {
            if (initiator.parent().isEmpty()) throw new IllegalArgumentException("a nested saga needs a parent");
            if (!initiator.start().isEmpty()) {
                throw new IllegalArgumentException("a nested saga begins with its branch, it has no start of its own");
            }
        }
    }

    private static void requireNoParent(Initiator initiator) {
        if (initiator.parent().isEmpty()) return;
        throw new IllegalArgumentException("a saga that is a part of another begins as one");
    }

    /**
     * Commit, unless something failed; a nested saga is prepared instead. With {@code awaitDecision} the sender wants the
     * decision, however long branches run.
     */
    record End(boolean awaitDecision) implements SagaInput {}

    record Abort(String cause) implements SagaInput {}

    // ---- from a participant

    /**
     * Asks whether the business method may run.
     *
     * @param timeout empty for the saga's
     */
    record BeginBranch(BranchCall call, Optional<Duration> timeout) implements SagaInput, OfBranchCall {
        public BeginBranch {
            call = call.checked();
            timeout.ifPresent(t -> Limits.requirePositive("branch timeout", t));
        }

        public BranchId branch() {
            return call.id();
        }
    }

    /**
     * The business has committed.
     *
     * @param service who says so; empty if an older alpha has passed it on, which does not say
     */
    record EndBranch(BranchId branch, Payload result, String service) implements SagaInput {}

    /**
     * The business threw.
     *
     * @param rolledBack false when nobody knows whether its local work was committed
     * @param service as of {@link EndBranch}
     */
    record FailBranch(BranchId branch, String cause, boolean rolledBack, String service) implements SagaInput {}

    // ---- from either

    /**
     * An input and what travels with it: reports that its sender has held back, or was handed by those it called. They are
     * decided first, in this order, and journaled with it. One of {@link Begin}, {@link BeginBranch}, {@link End} and
     * {@link Abort} may carry them.
     *
     * @param begin of the saga
     * @param ended branches that have ended, first to last, each of which began with {@link BeginBranch#endTravels}; if one
     *     of them is unknown nothing is journaled and the input is refused, unless it is an abort
     */
    record Carrying(Optional<Begin> begin, List<BranchId> ended, SagaInput input) implements SagaInput {
        public Carrying {
            ended = List.copyOf(ended);
            boolean mayCarry = input instanceof Begin
                    || input instanceof BeginBranch
                    || input instanceof End
                    || input instanceof Abort;
            if (!mayCarry) {
                throw new IllegalArgumentException(
                        "a begin, the begin of a branch, an end or an abort may carry reports, but this is a "
                                + input.getClass().getSimpleName());
            }
            if (ended.size() > Limits.BRANCHES) {
                throw new IllegalArgumentException("an input may carry the ends of at most %d branches but has %d"
                        .formatted(Limits.BRANCHES, ended.size()));
            }
        }

        @Override
        public SagaInput itself() {
            return input;
        }
    }

    /** Asks how the saga is decided, and changes nothing. Anybody may. */
    record AskOutcome() implements SagaInput {}

    // ---- from a participant that was called back

    /**
     * A callback did its work; true whichever attempt it was.
     *
     * @param service as of {@link EndBranch}
     */
    record SucceedCallback(BranchId branch, CallbackKind kind, int attempt, String service) implements SagaInput {}

    /**
     * A callback was asked for in vain.
     *
     * @param service as of {@link EndBranch}
     * @param build of the instance, if none of that build can run the callback and another build may; empty if this one
     *     could have, and failed
     */
    record FailCallback(
            BranchId branch,
            CallbackKind kind,
            int attempt,
            FailureCode code,
            String error,
            String service,
            String build)
            implements SagaInput {
        public FailCallback(
                BranchId branch, CallbackKind kind, int attempt, FailureCode code, String error, String service) {
            this(branch, kind, attempt, code, error, service, "");
        }
    }

    /**
     * What the fence of its service has of a branch of a held saga.
     *
     * @param service as of {@link EndBranch}
     */
    record AnswerFence(BranchId branch, Evidence evidence, String service) implements SagaInput {}

    // ---- from alpha itself

    /**
     * A saga that has decided tells one that is nested in it. What it is told again changes nothing.
     *
     * @param service that began the nested saga, as its parent knows, and so for {@code instance} and {@code operation}: of
     *     one that has not begun it is all that is known
     * @param outcome that it is to have
     */
    record Decide(Parent parent, String service, String instance, String operation, Outcome outcome)
            implements SagaInput {
        Initiator initiator() {
            return new Initiator(service, instance, operation, "", Map.of(), "", Optional.of(parent));
        }
    }

    /** The stream to the instance that was asked broke before an answer. */
    record LoseCallback(BranchId branch, CallbackKind kind, int attempt) implements SagaInput {}

    /**
     * Every instance that could be asked has as much to do as it takes: nothing has run.
     *
     * @param service the one that says so of itself, as of {@link EndBranch}; empty if alpha does
     */
    record DeferCallback(BranchId branch, CallbackKind kind, int attempt, String service) implements SagaInput {
        public DeferCallback(BranchId branch, CallbackKind kind, int attempt) {
            this(branch, kind, attempt, "");
        }
    }

    /** No instance of the service is connected to any node, so nobody was asked. */
    record MissParticipant(BranchId branch, CallbackKind kind, int attempt) implements SagaInput {}

    /** Instances are connected, but only of builds that have said that they cannot run the callback: nobody was asked. */
    record MissBuild(BranchId branch, CallbackKind kind, int attempt) implements SagaInput {}

    /**
     * An instance of {@code service} has connected.
     *
     * @param builds those of which an instance is connected now, as far as is known
     */
    record ConnectService(String service, Set<String> builds) implements SagaInput {
        public ConnectService(String service) {
            this(service, Set.of());
        }
    }

    /** The store was set back to an earlier time. */
    record Hold(Restoration restoration) implements SagaInput {}

    /** Time has passed. */
    record Tick() implements SagaInput {}

    // ---- from an operator, who saw the saga at {@code sequence}

    /** Try the callbacks given up on again, with fresh attempts and time. */
    record Retry(Operator operator, long sequence) implements SagaInput {}

    /** Treat the branch as done by hand. */
    record Skip(Operator operator, long sequence, BranchId branch) implements SagaInput {}

    /** Everything left was done by hand. */
    record Resolve(Operator operator, long sequence, Outcome outcome) implements SagaInput {}

    record AbortByOperator(Operator operator, long sequence) implements SagaInput {}
}
