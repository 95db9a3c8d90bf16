package io.alphaomega.saga.simulation;

import io.alphaomega.saga.Branch;
import io.alphaomega.saga.Branch.Progress;
import io.alphaomega.saga.BranchId;
import io.alphaomega.saga.CallbackKind;
import io.alphaomega.saga.Decision;
import io.alphaomega.saga.Limits;
import io.alphaomega.saga.Payload;
import io.alphaomega.saga.Policy;
import io.alphaomega.saga.Refusal;
import io.alphaomega.saga.Reply;
import io.alphaomega.saga.SagaEffect;
import io.alphaomega.saga.SagaEvent;
import io.alphaomega.saga.SagaInput;
import io.alphaomega.saga.SagaRules;
import io.alphaomega.saga.SagaState;
import io.alphaomega.saga.Unable;
import io.alphaomega.saga.simulation.BranchAudit.Forward;
import io.alphaomega.saga.simulation.BranchAudit.Stage;
import io.alphaomega.saga.simulation.Reached.Happening;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/** What a saga promises, checked wherever something happens and once more at the end. */
final class Promises {
    /** A begin is never refused, nor are its attributes, even when the branches that overtook it have filled the saga. */
    private static final int LATE_BEGIN_BYTES = 16 * 1024;

    private final Deployment world;
    private final Audit audit = new Audit(this);
    private final Answers answers = new Answers(audit);
    private final Set<SagaInput> heard = new HashSet<>();
    private final Set<Done> done = new HashSet<>();
    private int inputs;
    private boolean suspendedOnce;
    boolean initiatorAborted;
    boolean operatorAborted;

    private record Done(BranchId branch, CallbackKind kind) {}

    Promises(Deployment world) {
        this.world = world;
    }

    int inputs() {
        return inputs;
    }

    boolean suspendedOnce() {
        return suspendedOnce;
    }

    /** {@code found} is made into text only for a broken promise: this runs a hundred million times. */
    private void check(boolean kept, String promise, Object... found) {
        if (!kept) throw new BrokenPromiseError(promise + " " + Arrays.toString(found));
    }

    // ---- what the world reports

    /** A participant has committed a callback, or found it done. */
    void done(SagaEffect.Call call) {
        done.add(new Done(call.branch(), call.kind()));
        Database.Rows rows = world.database.of(call.branch());
        boolean same = rows.forwards == 0 || rows.arguments.equals(call.arguments());
        check(same, "called back with other arguments than it ran with:", call, rows);
    }

    boolean wasDone(BranchId branch, CallbackKind kind) {
        return done.contains(new Done(branch, kind));
    }

    /** Whether somebody has connected of a build that is not among those. */
    boolean hasConnected(String service, Set<String> unable) {
        return heard.stream()
                .anyMatch(input -> input instanceof SagaInput.ConnectService connected
                        && connected.service().equals(service)
                        && !unable.containsAll(connected.builds()));
    }

    boolean hasConnected(String service) {
        return heard.stream()
                .anyMatch(input -> input instanceof SagaInput.ConnectService connected
                        && connected.service().equals(service));
    }

    boolean wasHeard(SagaInput answer) {
        return heard.contains(answer);
    }

    Optional<Duration> timeoutOf(BranchId branch) {
        Plan.Call call = world.calls.get(branch);
        return call == null ? Optional.empty() : call.timeout();
    }

    /** Nobody is asked whose request is not in the journal. */
    void asked(SagaEffect.Call call) {
        BranchAudit branch = audit.branches.get(call.branch());
        check(branch != null && branch.attempt >= call.attempt(), "asked before the request was journaled:", call);
    }

    // ---- decisions

    void decided(SagaState before, SagaInput input, Decision decision, SagaState after) {
        inputs++;
        world.trace(input, decision);
        world.reached.input(input, decision);
        switch (input) {
            case SagaInput.Abort abort -> initiatorAborted = true;
            case SagaInput.Carrying carrying -> initiatorAborted |= carrying.input() instanceof SagaInput.Abort;
            case SagaInput.AbortByOperator abort -> operatorAborted = true;
            case SagaInput.FailCallback answer -> heard.add(answer);
            case SagaInput.LoseCallback answer -> heard.add(answer);
            case SagaInput.DeferCallback answer -> heard.add(answer);
            case SagaInput.MissParticipant answer -> heard.add(answer);
            case SagaInput.MissBuild answer -> heard.add(answer);
            case SagaInput.ConnectService connected -> {
                heard.add(connected);
                connected(connected, after);
            }
            case SagaInput.SucceedCallback success -> believed(before, success, decision.reply());
            case SagaInput.Retry order -> ordered(decision);
            case SagaInput.Skip order -> ordered(decision);
            case SagaInput.Resolve order -> ordered(decision);
            case SagaInput.Tick tick -> ticked(after);
            case SagaInput other -> {}
        }
        check(after.sequence() == before.sequence() + decision.events().size(), "the sequence does not count events");
        if (inputs % 3 == 0) repeat(input, decision.reply(), after);
    }

    /** What was given up for lack of a build goes on as soon as another is there. */
    private void connected(SagaInput.ConnectService connected, SagaState after) {
        if (!(after instanceof SagaState.Known known)) return;
        for (Branch branch : known.saga().branches()) {
            if (!branch.service().equals(connected.service())) continue;
            if (!(branch.progress() instanceof Progress.GaveUp gaveUp)) continue;
            List<String> unable =
                    gaveUp.effort().unable().stream().map(Unable::build).toList();
            check(
                    unable.isEmpty() || unable.containsAll(connected.builds()),
                    "does not ask a build that may be able to:",
                    branch.id(),
                    unable,
                    connected);
        }
    }

    private void ordered(Decision decision) {
        if (decision.events().isEmpty() && decision.reply().isSettled()) {
            world.reached.happened(Happening.ORDER_FOUND_DONE);
        }
    }

    /** Whichever attempt did the work, the work is done. */
    private void believed(SagaState before, SagaInput.SucceedCallback success, Reply reply) {
        boolean heeded = !(reply instanceof Reply.Rejected rejected) || rejected.reason() == Refusal.OTHER_SERVICE;
        if (heeded || !(before instanceof SagaState.Known known)) return;
        boolean owed = known.saga()
                .branch(success.branch())
                .map(branch -> switch (branch.progress()) {
                    case Progress.Asked asked -> asked.effort();
                    case Progress.AwaitingRetry awaiting -> awaiting.effort();
                    case Progress.AwaitingParticipant awaiting -> awaiting.effort();
                    case Progress.GaveUp gaveUp -> gaveUp.effort();
                    case Progress.Idle idle -> null;
                    case Progress.Done done -> null;
                    case Progress.Skipped skipped -> null;
                })
                .filter(effort -> effort.kind() == success.kind() && success.attempt() <= effort.attempt())
                .isPresent();
        check(!owed, "did not believe that the work is done:", success, before);
    }

    private void ticked(SagaState after) {
        Instant now = world.time.now();
        SagaRules.wakeUpAt(after).ifPresent(at -> check(at.isAfter(now), "a tick leaves something due:", at));
        if (after instanceof SagaState.Active active) {
            check(now.isBefore(active.saga().deadline()), "active after its deadline");
        }
    }

    private void repeat(SagaInput input, Reply first, SagaState after) {
        Decision again = SagaRules.decide(after, input, world.time.now());
        check(again.events().isEmpty(), "not idempotent: an input, and what it leads to again:", input, again.events());
        boolean answersAlike =
                switch (input) {
                    case SagaInput.FailCallback answer -> true;
                    case SagaInput.LoseCallback answer -> true;
                    case SagaInput.DeferCallback answer -> true;
                    case SagaInput.MissParticipant answer -> true;
                    case SagaInput.MissBuild answer -> true;
                    case SagaInput other ->
                        !first.isSettled()
                                || again.reply().equals(first)
                                || again.reply() instanceof Reply.Accepted
                                || isStanding(again.reply(), after);
                };
        check(answersAlike, "an input is answered otherwise when repeated:", input, first, again.reply());
    }

    private static boolean isStanding(Reply reply, SagaState state) {
        return state instanceof SagaState.Known known && reply.equals(SagaRules.standing(known));
    }

    // ---- the journal

    void stored(List<SagaEvent> events) {
        for (SagaEvent event : events) {
            boolean over = audit.outcome.isPresent();
            world.reached.stored(event);
            audit.read(event);
            if (over && audit.outcome.isEmpty()) world.reached.happened(Happening.REOPENED);
        }
        SagaState state = world.journal.state();
        world.reached.state(state);
        suspendedOnce |= state instanceof SagaState.Suspended;
        if (!(state instanceof SagaState.Known known)) throw new BrokenPromiseError("absent after its first event");
        check(known.sequence() == world.journal.version(), "the sequence is not the journal's length");
        agree(known);
        owe(known);
    }

    /** An owner has loaded the saga. */
    void replayed(SagaState state) {
        check(state.equals(world.journal.state()), "the replay differs from the live state:", state);
    }

    private void agree(SagaState.Known state) {
        Class<?> expected = audit.outcome.isPresent()
                ? SagaState.Ended.class
                : audit.suspension.isPresent()
                        ? SagaState.Suspended.class
                        : audit.abort.isPresent()
                                ? SagaState.Compensating.class
                                : audit.committed ? SagaState.Confirming.class : SagaState.Active.class;
        check(expected.isInstance(state), "the journal means another state:", expected, state);
        check(state.abort().equals(audit.abort), "the state tells another decision than the journal");
        check(state.saga().deadline().equals(audit.deadline), "the deadline moved");
        check(state.saga().bytes() <= Limits.SAGA_BYTES + LATE_BEGIN_BYTES, "the saga is too large");
        if (state instanceof SagaState.Suspended suspended) {
            check(suspended.suspension().equals(audit.suspension.orElseThrow()), "suspended for another reason");
            check(audit.isStuck(suspended.suspension().at()), "suspended for what is over:", suspended.suspension());
        }
        Reply standing = SagaRules.standing(state);
        boolean truthful = audit.committed
                ? standing instanceof Reply.Committed
                : audit.abort
                        .<Boolean>map(abort -> standing.equals(new Reply.Aborted(abort)))
                        .orElse(standing instanceof Reply.Pending);
        check(truthful, "the initiator would be told", standing);
        if (state instanceof SagaState.Ended ended) {
            boolean byHand = audit.endedByHand
                    || audit.branches.values().stream().anyMatch(branch -> branch.callback == Stage.SKIPPED);
            check(ended.manual() == byHand, "manual is", ended.manual());
        }
    }

    /** What is owed is asked for, and nothing else; and time is asked for in time. */
    private void owe(SagaState.Known state) {
        Set<SagaEffect> effects = SagaRules.effects(state);
        Optional<Instant> wakeUp = SagaRules.wakeUpAt(state);
        if (state instanceof SagaState.Ended) {
            check(effects.isEmpty() && wakeUp.isEmpty(), "ended, but still owes", effects, wakeUp);
            return;
        }
        if (!(state instanceof SagaState.Suspended)) {
            check(wakeUp.isPresent(), "nothing will ever wake the saga");
        } else {
            check(effects.contains(new SagaEffect.Alert(audit.suspension.orElseThrow())), "suspended without an alert");
        }
        Instant alarm = wakeUp.orElse(Instant.MAX);
        check(audit.isDecided() || !alarm.isAfter(audit.deadline), "the deadline will be missed");
        boolean open = audit.branches.values().stream().anyMatch(branch -> branch.forward != Forward.ENDED);
        check(audit.isDecided() || !audit.commitRequested || open, "nothing keeps the saga from its commit");
        int calls = 0;
        for (BranchAudit branch : audit.branches.values()) {
            if (branch.callback == Stage.ASKED) {
                calls++;
                branch.toldRetried = effects.contains(call(branch, true));
                check(
                        branch.toldRetried || effects.contains(call(branch, false)),
                        "nobody is asked for what is journaled:",
                        branch.began,
                        effects);
            }
            check(branch.callback != Stage.LOST, "a lost callback is not asked again at once");
            check(!alarm.isAfter(next(branch)), "sleeps too long for a branch:", branch.began, alarm);
            boolean mayWait = audit.policy.order() == Policy.Order.SEQUENTIAL && anyBusy();
            boolean forgotten = !mayWait
                    && audit.isDecided()
                    && branch.callback == Stage.IDLE
                    && (branch.forward == Forward.ENDED || (audit.abort.isPresent() && branch.isSilent()))
                    && branch.offers(audit.kind());
            check(!forgotten, "a branch waits for nobody:", branch.began);
        }
        long asked = effects.stream().filter(SagaEffect.Call.class::isInstance).count();
        check(asked == calls, "asks another number of callbacks than journaled:", asked, calls);
    }

    private boolean anyBusy() {
        return audit.branches.values().stream()
                .anyMatch(branch -> branch.isInFlight() || branch.callback == Stage.GAVE_UP);
    }

    private Instant next(BranchAudit branch) {
        return switch (branch.callback) {
            case ASKED -> branch.answerBy;
            case RETRY, LOST, MISSED -> branch.retryAt;
            case IDLE -> !audit.isDecided() && branch.isOpen() ? branch.began.deadline() : Instant.MAX;
            case GAVE_UP, DONE, SKIPPED -> Instant.MAX;
        };
    }

    /** Whether {@code retried} is true is for {@link CallbackAudit} to say, once it has failed. */
    private SagaEffect.Call call(BranchAudit branch, boolean retried) {
        SagaEvent.BranchBegan began = branch.began;
        boolean compensates = audit.kind() == CallbackKind.COMPENSATION;
        return new SagaEffect.Call(
                began.branch(),
                began.service(),
                began.instance(),
                audit.kind(),
                compensates ? "undo" : "confirm",
                branch.attempt,
                began.arguments(),
                branch.forwardEndedWhenAsked ? branch.result : Payload.EMPTY,
                branch.forwardEndedWhenAsked,
                began.fenced(),
                began.fence(),
                began.traceparent(),
                began.at(),
                branch.answerBy,
                branch.giveUpAt,
                began.build(),
                Set.copyOf(branch.unable.keySet()),
                audit.businessKey,
                retried);
    }

    // ---- replies

    /** Somebody is told {@code reply}, decided when the journal had {@code asOf} events. */
    void replied(SagaInput input, Reply reply, long asOf) {
        check(answers.isTrue(input, reply, asOf), "a promise without a ground:", input, reply);
    }

    // ---- the end

    /** Everything has healed and nothing is left to happen. */
    void atTheEnd() {
        replayed(world.journal.replay());
        SagaState state = world.journal.state();
        check(!(state instanceof SagaState.Known) || state instanceof SagaState.Ended, "the saga never ends:", state);
        world.database
                .branches()
                .forEach((id, rows) -> check(
                        rows.forwards == 0 || audit.branches.containsKey(id),
                        "the business ran without a branch:",
                        id));
        audit.branches.forEach(
                (id, branch) -> settled(Objects.requireNonNull(world.calls.get(id)), world.database.of(id), branch));
        if (!audit.committed) return;
        world.calls.values().stream().filter(Plan.Call::fenced).forEach(call -> {
            int effects = world.database.effects().getOrDefault(call.label(), 0);
            check(effects <= 1, "committed, but a call took effect more than once:", call.label(), effects);
        });
    }

    private void settled(Plan.Call call, Database.Rows rows, BranchAudit branch) {

        if (call.fenced()) {
            boolean once = rows.forwards <= 1 && rows.compensations <= 1 && rows.confirmations <= 1;
            check(once, "more than one effect:", call, rows);
            check(rows.forwards == 1 || rows.compensations == 0, "undone without having been done:", call, rows);
        }
        if (audit.committed) {
            check(rows.forwards > 0 && rows.compensations == 0, "committed, but torn:", call, rows);
            boolean owed = branch.offers(CallbackKind.CONFIRMATION) && branch.callback != Stage.SKIPPED;
            check(!owed || rows.confirmations > 0, "committed, but never confirmed:", call, rows);
        } else {
            check(rows.confirmations == 0, "confirmed, but not committed:", call, rows);
            boolean owed = branch.offers(CallbackKind.COMPENSATION) && branch.callback != Stage.SKIPPED;
            check(!owed || rows.forwards == 0 || rows.compensations > 0, "compensated, but torn:", call, rows);
        }
    }
}
