package io.alphaomega.saga.simulation;

import io.alphaomega.saga.Initiator;
import io.alphaomega.saga.Reply;
import io.alphaomega.saga.SagaInput;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** The service instance that begins the saga, calls its branches, and says how it should end; it may die on the way. */
final class InitiatorProcess {
    /** How long it waits for a branch before it takes it for failed. */
    private static final int PATIENCE_MILLIS = 20_000;

    private static final int TRIES = 5;

    private final Deployment world;
    private boolean alive = true;
    private boolean failed;
    private boolean mustAbort;
    private int pending;
    private int next;
    private final SagaInput.Begin begin;
    private final Held held;

    InitiatorProcess(Deployment world) {
        this.world = world;
        begin = new SagaInput.Begin(
                new Initiator("trips", "trips-1", "book", "trip 7", world.plan.attributes()), world.plan.policy());
        held = new Held(new Held.Load(Optional.of(begin), List.of()));
    }

    void start() {
        if (world.plan.carries() && !world.plan.lateBegin()) {
            callBranches();
            return;
        }
        held.told(held.load());
        if (world.plan.lateBegin()) {
            world.time.in(world.dice.oneOf(10, 100, 1_000, 30_000), () -> tell(begin, reply -> {}));
            callBranches();
        } else {
            boolean once = world.dice.oneIn(5);
            if (once) world.time.in(world.dice.between(0, 200), () -> tell(beginOnce("again"), reply -> {}));
            tell(once ? beginOnce("at first") : begin, reply -> {
                if (reply instanceof Reply.Accepted) callBranches();
            });
        }
    }

    /** The same saga is started a second time, by somebody who then does nothing in it. */
    private SagaInput beginOnce(String start) {
        Initiator first = begin.initiator();
        Initiator initiator = new Initiator(
                first.service(), first.instance(), first.operation(), first.businessKey(), first.attributes(), start);
        return new SagaInput.BeginOnce(initiator, begin.policy());
    }

    private void callBranches() {
        pending = world.plan.calls().size();
        if (world.plan.concurrent()) {
            while (next < world.plan.calls().size()) callNext();
        } else {
            callNext();
        }
        if (world.plan.hasty()) world.time.in(world.dice.between(1, 500), this::lastWord);
    }

    private void callNext() {
        Plan.Call call = world.plan.calls().get(next++);
        Held.Load load = held.load();
        world.network.call(call, load, PATIENCE_MILLIS, answer -> {
            if (answer.told()) held.told(load);
            held.hold(answer.ended());
            if (!answer.ended().isEmpty()) world.time.in(world.dice.oneOf(300, 1_000), this::tellWhatIsHeld);
            ended(call, answer.succeeded());
        });
    }

    /** What nothing has taken along for a while is told by itself. */
    private void tellWhatIsHeld() {
        Held.Load load = held.load();
        if (alive && !load.ended().isEmpty()) tell(load.with(begin), reply -> held.told(load));
    }

    private void ended(Plan.Call call, boolean succeeded) {
        pending--;
        failed |= !succeeded;
        // What a failed call has called, nobody knows but itself.
        mustAbort |= !succeeded && !call.inner().isEmpty();
        if (!world.plan.concurrent() && next < world.plan.calls().size() && !failed) callNext();
        else if ((pending == 0 || !world.plan.concurrent()) && !world.plan.hasty()) lastWord();
    }

    private void lastWord() {
        switch (mustAbort || (failed && !world.dice.oneIn(4)) ? Plan.LastWord.ABORT : world.plan.lastWord()) {
            case END -> end();
            case ABORT -> abort();
            case END_AND_ABORT -> {
                end();
                world.time.in(world.dice.between(0, 50), this::abort);
            }
            case NOTHING -> alive = false;
        }
    }

    private void end() {
        tell(held.load().with(new SagaInput.End(world.plan.awaitDecision())), reply -> {
            if (world.dice.oneIn(20)) end();
            if (world.dice.oneIn(20)) abort();
        });
    }

    private void abort() {
        tell(held.load().with(new SagaInput.Abort("the customer left")), reply -> {});
    }

    private void tell(SagaInput input, Consumer<Reply> answered) {
        world.network.tell(input, TRIES, () -> alive, answered, () -> {});
    }
}
