package io.alphaomega.saga.simulation;

import io.alphaomega.saga.BranchId;
import io.alphaomega.saga.CallbackKind;
import io.alphaomega.saga.FailureCode;
import io.alphaomega.saga.Payload;
import io.alphaomega.saga.Refusal;
import io.alphaomega.saga.Reply;
import io.alphaomega.saga.SagaEffect;
import io.alphaomega.saga.SagaInput;
import io.alphaomega.saga.simulation.Reached.Happening;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** One process of a participating service: it asks alpha before the business, reports after it, and runs callbacks. */
final class Instance {
    private static final int PATIENT = Integer.MAX_VALUE;

    /** How long a business waits for another that it has called. */
    private static final int PATIENCE_MILLIS = 8_000;

    private final Deployment world;
    private final String service;
    private final int number;
    private final String name;
    private boolean alive = true;
    private boolean connected = true;

    Instance(Deployment world, String service, int number, int incarnation) {
        this.world = world;
        this.service = service;
        this.number = number;
        this.name = service + "-" + incarnation;
    }

    String service() {
        return service;
    }

    int number() {
        return number;
    }

    String name() {
        return name;
    }

    boolean isAlive() {
        return alive;
    }

    boolean isConnected() {
        return alive && connected;
    }

    void connect() {
        connected = true;
    }

    void disconnect() {
        connected = false;
    }

    // ---- the business call

    /** The business runs only after alpha has accepted the branch, if it is one. */
    void begin(Plan.Call call, Consumer<Boolean> outcome) {
        if (!call.compensable()) {
            callOthers(call, outcome);
            return;
        }
        world.calls.putIfAbsent(call.branch(), call);
        SagaInput.BeginBranch begin = new SagaInput.BeginBranch(
                call.branch(),
                call.parent(),
                service,
                name,
                "book",
                call.compensation(),
                call.confirmation(),
                call.fenced(),
                call.fenced() ? "fence of " + service : "",
                call.timeout(),
                call.arguments(),
                "");
        world.network.tell(
                begin,
                3,
                this::isAlive,
                reply -> {
                    if (reply instanceof Reply.Accepted) {
                        callOthers(call, outcome);
                        return;
                    }
                    // The branch is another call's, and so is what becomes of it.
                    boolean others =
                            reply instanceof Reply.Rejected rejected && rejected.reason() == Refusal.BRANCH_CONFLICT;
                    if (others) world.reached.happened(Happening.CALL_UNDER_ANOTHERS_NAME);
                    else if (world.dice.percent(80)) reportRollback(call, "not allowed");
                    outcome.accept(false);
                },
                () -> {
                    if (world.dice.oneIn(2)) reportRollback(call, "alpha did not answer in time");
                    outcome.accept(false);
                });
    }

    /** All of them must succeed before this one goes on. */
    private void callOthers(Plan.Call call, Consumer<Boolean> outcome) {
        if (call.inner().isEmpty()) {
            run(call, outcome);
            return;
        }
        List<Plan.Call> order = new ArrayList<>(call.inner());
        if (call.unordered()) world.dice.shuffle(order);
        CallNames names = new CallNames(call.branch());
        List<Plan.Call> others = new ArrayList<>();
        for (Plan.Call inner : order) others.add(inner.madeBy(call, names.next(inner.service())));
        if (call.unordered()) callAtOnce(call, others, outcome);
        else callOneAfterTheOther(call, others.iterator(), outcome);
    }

    private void callOneAfterTheOther(Plan.Call call, Iterator<Plan.Call> others, Consumer<Boolean> outcome) {
        if (!alive) return;
        if (!others.hasNext()) {
            run(call, outcome);
            return;
        }
        world.network.call(others.next(), PATIENCE_MILLIS, succeeded -> {
            if (!alive) return;
            if (succeeded) callOneAfterTheOther(call, others, outcome);
            else fail(call, outcome);
        });
    }

    private void callAtOnce(Plan.Call call, List<Plan.Call> others, Consumer<Boolean> outcome) {
        int[] answers = {0};
        boolean[] failed = {false};
        for (Plan.Call other : others) {
            world.network.call(other, PATIENCE_MILLIS, succeeded -> {
                failed[0] |= !succeeded;
                if (++answers[0] < others.size() || !alive) return;
                if (failed[0]) fail(call, outcome);
                else run(call, outcome);
            });
        }
    }

    private void run(Plan.Call call, Consumer<Boolean> outcome) {
        Dice dice = world.dice;
        int millis = dice.between(1, 200);
        if (dice.percent(world.faults().slow())) millis = dice.oneOf(1_000, 5_000, 40_000, 400_000);
        later(millis, () -> {
            if (!call.isUnguarded() && dice.percent(deadly(call))) {
                if (!call.inner().isEmpty()) world.reached.happened(Happening.DIED_AFTER_CALLING_OTHERS);
                if (call.compensable() && dice.oneIn(2)) world.database.forward(call);
                die();
            } else if (dice.percent(world.faults().business())) {
                fail(call, outcome);
            } else {
                commit(call, outcome);
            }
        });
    }

    private int deadly(Plan.Call call) {
        int death = world.faults().death();
        return call.inner().isEmpty() || death == 0 ? death : death + 20;
    }

    private void commit(Plan.Call call, Consumer<Boolean> outcome) {
        if (!call.compensable()) {
            outcome.accept(true);
            return;
        }
        boolean mayRun = world.database.forward(call);
        if (mayRun) report(call, new SagaInput.EndBranch(call.branch(), call.result(), service));
        else reportRollback(call, "the branch is over");
        outcome.accept(mayRun);
    }

    private void fail(Plan.Call call, Consumer<Boolean> outcome) {
        if (!call.compensable()) {
            outcome.accept(false);
            return;
        }
        if (call.isUnguarded() || world.dice.percent(70)) {
            reportRollback(call, "none left");
        } else {
            if (world.dice.oneIn(2)) world.database.forward(call);
            report(call, new SagaInput.FailBranch(call.branch(), "connection lost in commit", false, service));
        }
        outcome.accept(false);
    }

    /** Nothing is left of the branch, and nothing can come of it any more: or else who knows. */
    private void reportRollback(Plan.Call call, String cause) {
        boolean sure = !call.bars() || world.database.bar(call);
        report(call, new SagaInput.FailBranch(call.branch(), cause, sure, service));
    }

    /** Told until answered; what is too large is told without its payload. */
    private void report(Plan.Call call, SagaInput input) {
        world.network.tell(
                input,
                PATIENT,
                () -> alive || call.isUnguarded(),
                reply -> {
                    if (input instanceof SagaInput.EndBranch ended
                            && ended.result().size() > 0
                            && reply instanceof Reply.Rejected rejected
                            && (rejected.reason() == Refusal.PAYLOAD_TOO_LARGE
                                    || rejected.reason() == Refusal.SAGA_TOO_LARGE)) {
                        report(call, new SagaInput.EndBranch(ended.branch(), Payload.EMPTY, service));
                    }
                },
                () -> {});
    }

    // ---- callbacks

    /** A callback has arrived: run it, answer it, or do it badly. */
    void answer(SagaEffect.Call call) {
        Dice dice = world.dice;
        Plan.Faults faults = world.faults();
        if (!isConnected()) {
            lose(call);
            return;
        }
        int millis = dice.between(1, 100);
        if (dice.percent(faults.slow())) millis = dice.oneOf(400, 3_000, 40_000, 400_000);
        if (dice.percent(faults.streamLoss())) {
            if (dice.oneIn(3)) later(millis, () -> execute(call));
            lose(call);
        } else if (dice.percent(faults.death())) {
            if (dice.oneIn(2)) execute(call);
            die();
            lose(call);
        } else if (dice.percent(faults.busy())) {
            defer(call);
        } else if (dice.percent(faults.callback())) {
            later(millis, () -> misbehave(call));
        } else {
            later(millis, () -> reply(call, refusal(call).or(() -> execute(call))));
        }
    }

    private void misbehave(SagaEffect.Call call) {
        switch (world.dice.between(0, 9)) {
            case 0, 1, 2, 3 -> reply(call, Optional.of(FailureCode.THREW));
            case 4 -> reply(call, Optional.of(FailureCode.UNKNOWN_CALLBACK));
            case 5 -> execute(call);
            case 6 -> {
                if (world.dice.oneIn(3)) world.faultyBranches.add(call.branch());
                reply(call, refusal(call).or(() -> Optional.of(FailureCode.THREW)));
            }
            case 7 -> {
                if (call.fenced() && call.forwardEnded() && call.attempt() == 1 && world.dice.oneIn(3))
                    world.purge(call.branch());
                reply(call, execute(call));
            }
            case 8 -> {
                Optional<FailureCode> result = execute(call);
                reply(call, result);
                reply(call, result);
            }
            // It hangs: neither an effect nor an answer.
            default -> {}
        }
    }

    /** The participant cannot read the arguments until its people mend it. */
    private Optional<FailureCode> refusal(SagaEffect.Call call) {
        return world.faultyBranches.contains(call.branch()) ? Optional.of(FailureCode.UNDECODABLE) : Optional.empty();
    }

    private Optional<FailureCode> execute(SagaEffect.Call call) {
        Optional<FailureCode> failure =
                world.database.callback(call.branch(), call.kind(), call.fenced(), call.forwardEnded());
        if (failure.isEmpty()) world.promises.done(call);
        return failure;
    }

    private void reply(SagaEffect.Call call, Optional<FailureCode> failure) {
        BranchId branch = call.branch();
        CallbackKind kind = call.kind();
        SagaInput answer = failure.<SagaInput>map(code ->
                        new SagaInput.FailCallback(branch, kind, call.attempt(), code, "error: " + code, service))
                .orElseGet(() -> new SagaInput.SucceedCallback(branch, kind, call.attempt(), service));
        world.network.send(() -> world.alpha.receive(answer));
    }

    private void defer(SagaEffect.Call call) {
        SagaInput busy = new SagaInput.DeferCallback(call.branch(), call.kind(), call.attempt(), service);
        world.network.send(() -> world.alpha.receive(busy));
    }

    private void lose(SagaEffect.Call call) {
        SagaInput lost = new SagaInput.LoseCallback(call.branch(), call.kind(), call.attempt());
        world.network.send(() -> world.alpha.receive(lost));
    }

    /** If the process lives so long. */
    private void later(int millis, Runnable action) {
        world.time.in(millis, () -> {
            if (alive) action.run();
        });
    }

    private void die() {
        alive = false;
        world.participants.died(this);
    }
}
