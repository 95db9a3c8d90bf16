package io.alphaomega.saga.simulation;

import io.alphaomega.saga.BranchId;
import io.alphaomega.saga.CallbackKind;
import io.alphaomega.saga.FailureCode;
import io.alphaomega.saga.Operator;
import io.alphaomega.saga.Outcome;
import io.alphaomega.saga.Payload;
import io.alphaomega.saga.SagaInput;
import io.alphaomega.saga.SagaState;
import io.alphaomega.saga.Suspension;
import java.util.List;

/** People: they look after what is suspended, until it has ended; and some give orders without looking, or ask how it was decided. */
final class Operators {
    private static final int RETRIES = 2;
    private static final List<Outcome> OUTCOMES = List.of(Outcome.values());

    private final Deployment world;
    private boolean looking;
    private int orders;
    private int retries;

    Operators(Deployment world) {
        this.world = world;
        for (int i = 0; i < world.faults().operators(); i++) {
            world.time.in(world.dice.oneOf(10, 100, 1_000, 10_000), this::meddle);
        }
        if (world.dice.oneIn(40)) world.time.in(world.dice.between(0, 2_000), this::stranger);
        if (world.dice.oneIn(10)) world.time.in(world.dice.between(0, 2_000), this::impostor);
        if (world.dice.oneIn(4)) {
            for (int asked = 0; asked < 3; asked++) {
                world.time.in(world.dice.between(0, 3_000), () -> send(new SagaInput.AskOutcome()));
            }
        }
    }

    void suspended() {
        if (looking) return;
        looking = true;
        world.time.in(world.dice.between(1_000, 60_000), this::look);
    }

    private void look() {
        looking = false;
        if (!(world.journal.state() instanceof SagaState.Suspended state)) return;
        if (world.isHealed()) attend(state);
        else meddle();
        suspended();
    }

    /** Sees to it that the saga ends: mends what is broken and retries, and in the end does the work by hand. */
    private void attend(SagaState.Suspended state) {
        Suspension suspension = state.suspension();
        if (world.dice.oneIn(2)) {
            world.faultyBranches.remove(suspension.branch());
            world.unreadable.remove(suspension.branch());
        }
        if (retries++ < RETRIES) send(new SagaInput.Retry(somebody(), state.sequence()));
        else if (world.dice.percent(70)) send(new SagaInput.Skip(somebody(), state.sequence(), suspension.branch()));
        else send(new SagaInput.Resolve(somebody(), state.sequence(), decided(state)));
    }

    private void meddle() {
        SagaState state = world.journal.state();
        long sequence = Math.max(0, state.sequence() - (world.dice.percent(25) ? world.dice.between(1, 3) : 0));
        switch (world.dice.between(0, 9)) {
            case 0, 1, 2 -> send(new SagaInput.Retry(somebody(), sequence));
            case 3, 4 -> send(new SagaInput.Skip(somebody(), sequence, someBranch()));
            case 5 -> {
                BranchId branch = state instanceof SagaState.Suspended suspended
                        ? suspended.suspension().branch()
                        : someBranch();
                send(new SagaInput.Skip(somebody(), sequence, branch));
            }
            case 6 -> {
                if (state instanceof SagaState.Suspended suspended) {
                    send(new SagaInput.Resolve(somebody(), sequence, decided(suspended)));
                }
            }
            case 7 -> send(new SagaInput.Resolve(somebody(), sequence, world.dice.oneOf(OUTCOMES)));
            default -> send(new SagaInput.AbortByOperator(somebody(), sequence));
        }
    }

    /** A service that speaks of another's branch, as if it had run it or been asked about it. */
    private void impostor() {
        Plan.Call call = world.dice.oneOf(world.plan.calls());
        String other = Plan.SERVICES.get((call.service() + 1) % Plan.SERVICES.size());
        CallbackKind kind = world.dice.oneIn(3) ? CallbackKind.CONFIRMATION : CallbackKind.COMPENSATION;
        int attempt = world.dice.between(1, 2);
        switch (world.dice.between(0, 5)) {
            case 0, 1 -> send(new SagaInput.EndBranch(call.branch(), Payload.EMPTY, other));
            case 2 -> send(new SagaInput.FailBranch(call.branch(), "not mine", world.dice.oneIn(2), other));
            case 3 -> send(new SagaInput.SucceedCallback(call.branch(), kind, attempt, other));
            case 4 ->
                send(new SagaInput.FailCallback(
                        call.branch(), kind, attempt, FailureCode.UNDECODABLE, "not mine", other));
            default -> send(new SagaInput.DeferCallback(call.branch(), kind, attempt, other));
        }
    }

    /** Nonsense, such as a misconfigured service sends. */
    private void stranger() {
        BranchId unknown = new BranchId("stranger");
        switch (world.dice.between(0, 4)) {
            case 0 -> send(new SagaInput.EndBranch(unknown, Payload.EMPTY, "stranger"));
            case 1 -> send(new SagaInput.FailBranch(unknown, "what?", world.dice.oneIn(2), "stranger"));
            case 2 -> send(new SagaInput.SucceedCallback(unknown, CallbackKind.COMPENSATION, 1, "stranger"));
            case 3 ->
                send(new SagaInput.FailCallback(
                        someBranch(), CallbackKind.COMPENSATION, 90, FailureCode.THREW, "what?", ""));
            default -> send(new SagaInput.LoseCallback(someBranch(), CallbackKind.CONFIRMATION, 90));
        }
    }

    private static Outcome decided(SagaState.Suspended state) {
        return state.abort().isPresent() ? Outcome.COMPENSATED : Outcome.COMMITTED;
    }

    private BranchId someBranch() {
        return world.dice.oneOf(world.plan.calls()).branch();
    }

    private Operator somebody() {
        return new Operator("operator " + ++orders, "the runbook says so");
    }

    private void send(SagaInput order) {
        world.network.send(() -> world.alpha.receive(order));
    }
}
