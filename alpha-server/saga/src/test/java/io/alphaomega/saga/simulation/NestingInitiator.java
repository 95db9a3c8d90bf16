package io.alphaomega.saga.simulation;

import io.alphaomega.saga.BranchCall;
import io.alphaomega.saga.BranchId;
import io.alphaomega.saga.CallbackOffer;
import io.alphaomega.saga.Initiator;
import io.alphaomega.saga.Operator;
import io.alphaomega.saga.Parent;
import io.alphaomega.saga.Payload;
import io.alphaomega.saga.Reply;
import io.alphaomega.saga.SagaId;
import io.alphaomega.saga.SagaInput;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** The process that runs the methods of a {@link NestingScript}; it may die on the way. */
final class NestingInitiator {
    private static final String SERVICE = "trips";

    private final NestingWorld world;
    private boolean alive = true;

    /** Ends of branches that travel with whatever their saga is told next. */
    private final Map<SagaId, List<BranchId>> held = new HashMap<>();

    NestingInitiator(NestingWorld world) {
        this.world = world;
    }

    void start(NestingScript script) {
        meddle(script.saga());
        tell(script.saga(), new SagaInput.Begin(initiator(Optional.empty()), script.policy()), begun -> {
            if (begun instanceof Reply.Accepted) run(script, 0, returned -> end(script, returned));
        });
    }

    private void end(NestingScript script, boolean returned) {
        SagaInput last = returned ? new SagaInput.End(true) : new SagaInput.Abort("it threw");
        tell(script.saga(), carrying(script.saga(), last), reply -> {});
    }

    /** The steps from {@code next} on, each after the other; then whether the method returns. */
    private void run(NestingScript script, int next, Consumer<Boolean> returns) {
        if (world.crashes() && world.dice.oneIn(3)) alive = false;
        if (!alive) return;
        if (next == script.steps().size()) {
            returns.accept(!script.throwsAtEnd());
            return;
        }
        NestingScript.Step step = script.steps().get(next);
        Consumer<Boolean> then = returned -> {
            if (returned || (step.caught() && step.nested().isPresent())) run(script, next + 1, returns);
            else returns.accept(false);
        };
        if (step.nested().isPresent()) nest(script, step, step.nested().get(), then);
        else branch(script.saga(), step.branch(), then);
    }

    private void branch(SagaId saga, BranchId branch, Consumer<Boolean> returns) {
        SagaInput begin = carrying(saga, begin(branch, Optional.empty(), Optional.empty()));
        ask(saga, begin, () -> returns.accept(false), reply -> {
            boolean fails = world.fails();
            if (!(reply instanceof Reply.Accepted)) {
                returns.accept(false);
            } else if (fails || !world.participants.forward(saga, branch)) {
                boolean sure = world.participants.bar(saga, branch);
                tell(saga, new SagaInput.FailBranch(branch, "none left", sure, SERVICE), told -> {});
                returns.accept(false);
            } else {
                tell(saga, new SagaInput.EndBranch(branch, Payload.EMPTY, SERVICE), told -> {});
                returns.accept(true);
            }
        });
    }

    // ---- a saga in a saga

    /** The call arrives as often as it does, and its caller hears the first outcome. */
    private void nest(NestingScript outer, NestingScript.Step step, NestingScript inner, Consumer<Boolean> returns) {
        boolean[] heard = {false};
        Consumer<Boolean> first = returned -> {
            if (returned) world.audit.returned(inner.saga());
            if (heard[0]) return;
            heard[0] = true;
            returns.accept(returned);
        };
        Parent parent = new Parent(outer.saga(), step.branch());
        meddle(inner.saga());
        for (int i = 0; i < step.runs(); i++) {
            world.time.in(i * (long) world.dice.oneOf(10, 500, 5_000), () -> nestOnce(parent, inner, first));
        }
    }

    private void nestOnce(Parent parent, NestingScript inner, Consumer<Boolean> returns) {
        Duration longer = inner.policy().timeout().plusSeconds(10);
        SagaInput begin = begin(parent.branch(), Optional.of(inner.saga()), Optional.of(longer));
        ask(parent.saga(), begin, () -> unknown(parent, returns), branch -> {
            if (branch instanceof Reply.Accepted) beginNested(parent, inner, returns);
            else returns.accept(false);
        });
    }

    private void beginNested(Parent parent, NestingScript inner, Consumer<Boolean> returns) {
        SagaInput begin = new SagaInput.BeginNested(initiator(Optional.of(parent)), inner.policy());
        ask(inner.saga(), begin, () -> unknown(parent, returns), reply -> {
            if (reply instanceof Reply.Accepted) run(inner, 0, done -> endNested(parent, inner, done, returns));
            else if (reply instanceof Reply.Aborted) settled(parent, false, returns);
            else unknown(parent, returns);
        });
    }

    private void endNested(Parent parent, NestingScript inner, boolean done, Consumer<Boolean> returns) {
        SagaInput last = done ? new SagaInput.End(true) : new SagaInput.Abort("it threw");
        ask(inner.saga(), carrying(inner.saga(), last), () -> unknown(parent, returns), reply -> {
            boolean agreed = done && (reply instanceof Reply.Accepted || reply instanceof Reply.Committed);
            if (agreed || reply instanceof Reply.Aborted) settled(parent, agreed, returns);
            else unknown(parent, returns);
        });
    }

    /** Alpha has said how the nested saga stands: its parent may go on, whether it is prepared or undone. */
    private void settled(Parent parent, boolean returned, Consumer<Boolean> returns) {
        if (world.dice.oneIn(2)) {
            held.computeIfAbsent(parent.saga(), saga -> new ArrayList<>()).add(parent.branch());
        } else {
            SagaInput ended = new SagaInput.EndBranch(parent.branch(), Payload.EMPTY, SERVICE);
            tell(parent.saga(), ended, reply -> {});
        }
        returns.accept(returned);
    }

    /** It has not: then its parent must not be committed. */
    private void unknown(Parent parent, Consumer<Boolean> returns) {
        SagaInput failed = new SagaInput.FailBranch(parent.branch(), "alpha did not answer", false, SERVICE);
        tell(parent.saga(), failed, reply -> {});
        returns.accept(false);
    }

    // ---- inputs

    private SagaInput carrying(SagaId saga, SagaInput input) {
        List<BranchId> ended = held.getOrDefault(saga, List.of());
        return ended.isEmpty() ? input : new SagaInput.Carrying(Optional.empty(), ended, input);
    }

    private static Initiator initiator(Optional<Parent> parent) {
        return new Initiator(SERVICE, "trips-1", "book", "", Map.of(), "", parent);
    }

    private static SagaInput begin(BranchId branch, Optional<SagaId> nested, Optional<Duration> timeout) {
        return new SagaInput.BeginBranch(
                new BranchCall(
                        branch,
                        Optional.empty(),
                        SERVICE,
                        "trips-1",
                        "",
                        "book",
                        Optional.of(new CallbackOffer("undo", Optional.empty())),
                        Optional.of(new CallbackOffer("confirm", Optional.empty())),
                        true,
                        "",
                        false,
                        Payload.EMPTY,
                        "",
                        nested),
                timeout);
    }

    private void tell(SagaId saga, SagaInput input, Consumer<Reply> answered) {
        ask(saga, input, () -> {}, answered);
    }

    private void ask(SagaId saga, SagaInput input, Runnable silence, Consumer<Reply> answered) {
        world.tell(saga, input, () -> alive, answered, silence);
    }

    /** Somebody aborts one of the sagas, without looking at it. */
    private void meddle(SagaId saga) {
        if (!world.dice.oneIn(8)) return;
        world.time.in(world.dice.oneOf(50, 500, 5_000), () -> {
            long sequence = world.owner(saga).state().sequence();
            SagaInput abort = new SagaInput.AbortByOperator(new Operator("somebody", "too dear"), sequence);
            world.owner(saga).receive(abort, reply -> {});
        });
    }
}
