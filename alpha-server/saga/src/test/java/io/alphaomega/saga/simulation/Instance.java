package io.alphaomega.saga.simulation;

import io.alphaomega.saga.BranchCall;
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
    private final String build;
    private boolean alive = true;
    private boolean connected = true;

    Instance(Deployment world, String service, int number, int incarnation, String build) {
        this.world = world;
        this.service = service;
        this.number = number;
        this.name = service + "-" + incarnation;
        this.build = build;
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

    String build() {
        return build;
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

    /** The business runs only after alpha has accepted the branch, if it is one; its begin takes along what came with the call. */
    void begin(Plan.Call call, Held.Load load, Consumer<Held.Answer> outcome) {
        if (!call.compensable()) {
            callOthers(call, load, outcome);
            return;
        }
        world.calls.putIfAbsent(call.branch(), call);
        SagaInput.BeginBranch begin = new SagaInput.BeginBranch(
                new BranchCall(
                        call.branch(),
                        call.parent(),
                        service,
                        name,
                        build,
                        "book",
                        call.compensation(),
                        call.confirmation(),
                        call.fenced(),
                        call.fenced() ? "fence of " + service : "",
                        call.endTravels(),
                        call.arguments(),
                        "",
                        Optional.empty()),
                call.timeout());
        world.network.tell(
                load.with(begin),
                3,
                this::isAlive,
                reply -> {
                    if (reply instanceof Reply.Accepted) {
                        callOthers(call, Held.Load.NONE, outcome);
                        return;
                    }
                    // The branch is another call's, and so is what becomes of it.
                    boolean others =
                            reply instanceof Reply.Rejected rejected && rejected.reason() == Refusal.BRANCH_CONFLICT;
                    if (others) world.reached.happened(Happening.CALL_UNDER_ANOTHERS_NAME);
                    else if (world.dice.percent(80)) reportRollback(call, "not allowed");
                    outcome.accept(Held.Answer.FAILED);
                },
                () -> {
                    if (world.dice.oneIn(2)) reportRollback(call, "alpha did not answer in time");
                    outcome.accept(Held.Answer.FAILED);
                });
    }

    /** All of them must succeed before this one goes on. */
    private void callOthers(Plan.Call call, Held.Load load, Consumer<Held.Answer> outcome) {
        Run run = new Run(call, load, new Held(load), outcome);
        if (call.inner().isEmpty()) {
            work(run);
            return;
        }
        List<Plan.Call> order = new ArrayList<>(call.inner());
        if (call.unordered()) world.dice.shuffle(order);
        CallNames names = new CallNames(call.branch());
        List<Plan.Call> others = new ArrayList<>();
        for (Plan.Call inner : order) others.add(inner.madeBy(call, names.next(inner.service())));
        if (call.unordered()) callAtOnce(run, others);
        else callOneAfterTheOther(run, others.iterator());
    }

    /**
     * One run of a business method.
     *
     * @param load what came with the call, unless alpha has been told it
     * @param held what of it, and of what others have answered, alpha has not been told
     */
    private record Run(Plan.Call call, Held.Load load, Held held, Consumer<Held.Answer> outcome) {
        boolean answered(Held.Load sent, Held.Answer answer) {
            if (answer.told()) held.told(sent);
            held.hold(answer.ended());
            return answer.succeeded();
        }

        void succeed(List<BranchId> alsoEnded) {
            answer(true, alsoEnded);
        }

        /** That the business has failed says nothing of what it has called. */
        void fail() {
            answer(false, List.of());
        }

        private void answer(boolean succeeded, List<BranchId> alsoEnded) {
            Held.Load untold = held.load();
            boolean told = call.compensable()
                    || (untold.begin().isEmpty() && untold.ended().stream().noneMatch(load.ended()::contains));
            List<BranchId> ended = new ArrayList<>(untold.ended());
            if (!told) ended.removeAll(load.ended()); // Their caller holds them still.
            ended.addAll(alsoEnded);
            outcome.accept(new Held.Answer(succeeded, told, ended));
        }
    }

    private void callOneAfterTheOther(Run run, Iterator<Plan.Call> others) {
        if (!alive) return;
        if (!others.hasNext()) {
            work(run);
            return;
        }
        Held.Load load = run.held.load();
        world.network.call(others.next(), load, PATIENCE_MILLIS, answer -> {
            if (!alive) return;
            if (run.answered(load, answer)) callOneAfterTheOther(run, others);
            else fail(run);
        });
    }

    private void callAtOnce(Run run, List<Plan.Call> others) {
        int[] answers = {0};
        boolean[] failed = {false};
        Held.Load load = run.held.load();
        for (Plan.Call other : others) {
            world.network.call(other, load, PATIENCE_MILLIS, answer -> {
                failed[0] |= !run.answered(load, answer);
                if (++answers[0] < others.size() || !alive) return;
                if (failed[0]) fail(run);
                else work(run);
            });
        }
    }

    private void work(Run run) {
        Plan.Call call = run.call;
        Dice dice = world.dice;
        int millis = dice.between(1, 200);
        if (dice.percent(world.faults().slow())) millis = dice.oneOf(1_000, 5_000, 40_000, 400_000);
        later(millis, () -> {
            if (!call.isUnguarded() && dice.percent(deadly(call))) {
                if (!call.inner().isEmpty()) world.reached.happened(Happening.DIED_AFTER_CALLING_OTHERS);
                if (call.compensable() && dice.oneIn(2)) world.database.forward(call);
                die();
            } else if (dice.percent(world.faults().business())) {
                fail(run);
            } else {
                commit(run);
            }
        });
    }

    private int deadly(Plan.Call call) {
        int death = world.faults().death();
        return call.inner().isEmpty() || death == 0 ? death : death + 20;
    }

    private void commit(Run run) {
        Plan.Call call = run.call;
        if (!call.compensable()) {
            run.succeed(List.of());
        } else if (!world.database.forward(call)) {
            reportRollback(call, "the branch is over");
            run.fail();
        } else if (call.endTravels()) {
            if (!run.held.load().ended().isEmpty()) world.reached.happened(Happening.END_TRAVELLED_WITH_ANOTHERS);
            run.succeed(List.of(call.branch()));
        } else {
            report(call, new SagaInput.EndBranch(call.branch(), call.result(), service));
            run.succeed(List.of());
        }
    }

    private void fail(Run run) {
        Plan.Call call = run.call;
        if (!call.compensable()) {
            run.fail();
            return;
        }
        if (call.isUnguarded() || world.dice.percent(70)) {
            reportRollback(call, "none left");
        } else {
            if (world.dice.oneIn(2)) world.database.forward(call);
            report(call, new SagaInput.FailBranch(call.branch(), "connection lost in commit", false, service));
        }
        run.fail();
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
        switch (world.dice.between(0, 11)) {
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
            case 9, 10 -> {
                world.unreadable.putIfAbsent(call.branch(), build);
                reply(call, refusal(call).or(() -> execute(call)));
            }
            // It hangs: neither an effect nor an answer.
            default -> {}
        }
    }

    /** The participant cannot read the arguments until its people mend it; or one build of it cannot. */
    private Optional<FailureCode> refusal(SagaEffect.Call call) {
        if (world.faultyBranches.contains(call.branch())) return Optional.of(FailureCode.UNDECODABLE);
        if (!build.equals(world.unreadable.get(call.branch()))) return Optional.empty();
        boolean renamed = call.branch().value().hashCode() % 2 == 0;
        return Optional.of(renamed ? FailureCode.UNKNOWN_CALLBACK : FailureCode.UNDECODABLE);
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
        SagaInput answer = failure.<SagaInput>map(code -> failure(call, code))
                .orElseGet(() -> new SagaInput.SucceedCallback(branch, kind, call.attempt(), service));
        world.network.send(() -> world.alpha.receive(answer));
    }

    private SagaInput failure(SagaEffect.Call call, FailureCode code) {
        String unable = code == FailureCode.THREW ? "" : build;
        return new SagaInput.FailCallback(
                call.branch(), call.kind(), call.attempt(), code, "error: " + code, service, unable);
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
