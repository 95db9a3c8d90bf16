package io.alphaomega.omega.simulation;

import io.alphaomega.omega.rules.BranchEffect;
import io.alphaomega.omega.rules.BranchInput;
import io.alphaomega.omega.rules.BranchRules;
import io.alphaomega.omega.rules.BranchState;
import io.alphaomega.omega.rules.BranchStep;
import io.alphaomega.saga.BranchCall;
import io.alphaomega.saga.BranchId;
import io.alphaomega.saga.CallbackOffer;
import io.alphaomega.saga.Payload;
import io.alphaomega.saga.Reply;
import io.alphaomega.saga.SagaInput;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** One run of a branch: performs what omega's rules say, step by step, between which anything else happens. */
final class Run {
    private static final long BEGIN_TIMEOUT_MILLIS = 10_000;
    private static final long ACK_TIMEOUT_MILLIS = 5_000;

    private final World world;
    private final Service service;
    private final Plan plan;
    private final Caller caller;
    private final BooleanSupplier alive;
    private final Database.Row row;
    private BranchState state;
    private boolean asked;
    private boolean letIn;
    private boolean cancelled;
    private boolean handedOn;

    /** What the caller of the branch hears. */
    interface Caller {
        void told(BranchEffect.Act what);

        /** The end is left to it to report. */
        void takesAlong(BranchId branch);

        /** The saga must not be committed any more. */
        void aborts();
    }

    Run(Service service, Plan plan, Caller caller) {
        this.world = service.world;
        this.service = service;
        this.plan = plan;
        this.caller = caller;
        this.alive = service.alive();
        this.row = service.database.row(plan.branch());
        this.state = BranchState.of(plan.terms(world.now));
    }

    void call() {
        feed(plan.callersTransaction() ? BranchInput.CALLED_IN_TRANSACTION : BranchInput.CALLED);
        if (plan.asynchronous() && world.failsOneIn(4)) {
            world.in(world.below(world.oneIn(2) ? 20 : 100), alive, this::cancel);
        }
    }

    /** A caller that cancels goes on at once; what has reached it, it does not cancel any more. */
    private void cancel() {
        if (handedOn) return;
        cancelled = true;
        feed(BranchInput.CANCELLED);
        caller.told(BranchEffect.Act.TELL_CANCELLED);
    }

    private void handOn(BranchEffect.Act value) {
        if (cancelled) return;
        handedOn = true;
        feed(BranchInput.HANDED_ON);
        caller.told(value);
    }

    Database.Row row() {
        return row;
    }

    Plan plan() {
        return plan;
    }

    void soon(Runnable what) {
        world.soon(alive, what);
    }

    void feed(BranchInput input) {
        if (input == BranchInput.HANDED_ON || alive.getAsBoolean())
            take(input, BranchRules.decide(state, input, world.now));
    }

    /** Whether the try may go on. */
    boolean feed(int attempt, BranchInput input) {
        BranchStep step = BranchRules.decideOf(attempt, state, input, world.now);
        take(input, step);
        return !step.effects().contains(BranchEffect.Act.STOP);
    }

    private void take(BranchInput input, BranchStep step) {
        world.reached.add(state.phase() + " " + input);
        world.tell(() -> plan.branch() + ": " + input + " → " + step.state().phase() + " " + step.effects());
        state = step.state();
        service.mayDie();
        perform(step.effects(), 0);
    }

    private void perform(List<BranchEffect> effects, int at) {
        if (at == effects.size() || !alive.getAsBoolean()) return;
        perform(effects.get(at), () -> perform(effects, at + 1));
    }

    private void perform(BranchEffect effect, Runnable next) {
        if (effect instanceof BranchEffect.Act act) perform(act);
        if (effect instanceof BranchEffect.Ask ask) ask(ask.endTravels());
        if (effect instanceof BranchEffect.TryAfter after) {
            world.at(
                    world.now + after.pauseNanos(),
                    () -> soon(() -> feed(
                            world.failsOneIn(40) && state.tries() > 0 && state.phase() == BranchState.Phase.PAUSING
                                    ? BranchInput.PAUSE_BROKEN
                                    : BranchInput.NEXT_TRY)));
        }
        if (effect instanceof BranchEffect.Bar bar) {
            Runnable once = bar.awaited() ? once(next) : () -> {};
            bar(once);
            if (bar.awaited()) return;
        }
        if (effect instanceof BranchEffect.ReportEnd end) {
            end(end, next);
            return;
        }
        if (effect instanceof BranchEffect.ReportFailure failed) {
            fail(failed, next);
            return;
        }
        next.run();
    }

    private void perform(BranchEffect.Act act) {
        switch (act) {
            case LEARN_FENCE -> soon(() -> feed(plan.fenced() ? BranchInput.FENCED : BranchInput.UNFENCED));
            case LOOK_UP_RESULT -> soon(() -> feed(row.done ? BranchInput.FOUND : BranchInput.NOT_FOUND));
            case WITHDRAW_QUESTION -> {
                if (asked || world.oneIn(2)) return; // Or the answer is quicker.
                asked = true;
                soon(() -> feed(world.oneIn(5) ? BranchInput.CROWDED : BranchInput.WITHDRAWN));
            }
            case NOTE_BEGIN -> soon(this::note);
            case RUN -> soon(new Method(world, service, this, state.tries())::call);
            case REFUSE_ANSWER -> feed(BranchInput.THREW_FOR_GOOD);
            case ABORT_SAGA -> caller.aborts();
            case TELL_VALUE, TELL_EARLIER_VALUE, TELL_THROWN, TELL_CANCELLED -> {
                if (act == BranchEffect.Act.TELL_VALUE && plan.asynchronous()) soon(() -> handOn(act));
                else caller.told(act);
            }
            case STOP, REFUSE_NOTE_IN_TRANSACTION, REFUSE_RETRIES_IN_TRANSACTION -> {}
        }
    }

    private void note() {
        if (row.locked) {
            soon(this::note);
        } else if (world.failsOneIn(15)) {
            feed(BranchInput.THREW);
        } else {
            row.noted = true;
            feed(BranchInput.NOTED);
        }
    }

    private void ask(boolean endTravels) {
        if (plan.asynchronous()) soon(() -> feed(BranchInput.ASKED));
        BranchCall call = new BranchCall(
                new BranchId(plan.branch()),
                Optional.empty(),
                Service.NAME,
                "hotel-1",
                "book",
                Optional.of(new CallbackOffer("cancel", Optional.empty())),
                Optional.empty(),
                plan.fenced(),
                "",
                endTravels,
                Payload.EMPTY,
                "");
        SagaInput begin = new SagaInput.BeginBranch(call, Optional.empty());
        Consumer<Reply> heard = reply -> answered(answer(reply));
        for (int times = 0; times < 3; times++) {
            world.in(
                    times * 3_000L,
                    () -> alive.getAsBoolean() && !asked,
                    () -> world.send(() -> service.alpha.receive(begin, heard)));
        }
        world.in(
                BEGIN_TIMEOUT_MILLIS,
                alive,
                () -> answered(world.oneIn(5) ? BranchInput.CROWDED : BranchInput.UNAVAILABLE));
    }

    private void answered(BranchInput answer) {
        if (asked || !alive.getAsBoolean()) return;
        asked = true;
        letIn = answer == BranchInput.LET_IN;
        feed(answer);
    }

    private static BranchInput answer(Reply reply) {
        if (reply instanceof Reply.Accepted) return BranchInput.LET_IN;
        return reply instanceof Reply.Committed ? BranchInput.COMMITTED_BEFORE : BranchInput.REFUSED;
    }

    /** To be asked before any business runs. */
    void requireLetIn() {
        if (!letIn) throw new BrokenPromiseError(plan.branch() + " runs although alpha has not let it begin");
    }

    private void bar(Runnable next) {
        soon(() -> {
            if (row.locked) {
                bar(next);
                return;
            }
            boolean alone = !world.failsOneIn(20) && Database.bar(row);
            feed(alone ? BranchInput.BARRED : BranchInput.NOT_BARRED);
            next.run();
        });
    }

    private void end(BranchEffect.ReportEnd end, Runnable next) {
        if (end.travels() && world.oneIn(2)) {
            caller.takesAlong(new BranchId(plan.branch()));
            next.run();
            return;
        }
        report(new SagaInput.EndBranch(new BranchId(plan.branch()), Payload.EMPTY, Service.NAME), end.awaited(), next);
    }

    private void fail(BranchEffect.ReportFailure failed, Runnable next) {
        SagaInput input = new SagaInput.FailBranch(
                new BranchId(plan.branch()), failed.cause().name(), failed.clean(), Service.NAME);
        report(input, failed.awaited(), next);
    }

    private void report(SagaInput input, boolean awaited, Runnable next) {
        if (!awaited) {
            service.report(input, () -> {});
            next.run();
            return;
        }
        Runnable once = once(next);
        service.report(input, once);
        world.in(ACK_TIMEOUT_MILLIS, alive, once);
    }

    private static Runnable once(Runnable next) {
        boolean[] done = new boolean[1];
        return () -> {
            if (done[0]) return;
            done[0] = true;
            next.run();
        };
    }
}
