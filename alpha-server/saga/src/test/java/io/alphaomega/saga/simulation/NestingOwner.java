package io.alphaomega.saga.simulation;

import io.alphaomega.saga.CallbackKind;
import io.alphaomega.saga.Decision;
import io.alphaomega.saga.Operator;
import io.alphaomega.saga.Outcome;
import io.alphaomega.saga.Reply;
import io.alphaomega.saga.SagaEffect;
import io.alphaomega.saga.SagaEvent;
import io.alphaomega.saga.SagaId;
import io.alphaomega.saga.SagaInput;
import io.alphaomega.saga.SagaRules;
import io.alphaomega.saga.SagaState;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/** Who owns one of the sagas, one node after another: decides, appends, and only then acts and replies, or dies before. */
final class NestingOwner {
    private final NestingWorld world;
    private final SagaId id;
    private final List<SagaEvent> journal = new ArrayList<>();
    private final Deque<Mail> stash = new ArrayDeque<>();
    private final List<Mail> waiting = new ArrayList<>();
    private SagaState state;
    private Set<SagaEffect> asked = Set.of();
    private Optional<Instant> alarm = Optional.empty();
    private boolean busy;

    private record Mail(SagaInput input, Consumer<Reply> sender) {}

    NestingOwner(NestingWorld world, SagaId id) {
        this.world = world;
        this.id = id;
        state = new SagaState.Absent(id);
    }

    SagaId id() {
        return id;
    }

    SagaState state() {
        return state;
    }

    List<SagaEvent> journal() {
        return journal;
    }

    void receive(SagaInput input, Consumer<Reply> sender) {
        stash.add(new Mail(input, sender));
        work();
    }

    private void receive(SagaInput input) {
        receive(input, reply -> {});
    }

    private void work() {
        while (!busy && !stash.isEmpty()) {
            Mail mail = stash.remove();
            Decision decision = SagaRules.decide(state, mail.input, world.time.now());
            world.audit.decided(mail.input, decision);
            if (decision.events().isEmpty()) {
                give(mail, decision.reply());
                setAlarm();
            } else {
                busy = true;
                world.time.in(world.dice.between(1, 15), () -> stored(mail, decision));
            }
        }
    }

    private void stored(Mail mail, Decision decision) {
        for (SagaEvent event : decision.events()) {
            state = SagaRules.evolve(state, event);
            journal.add(event);
            world.audit.stored(this, event);
        }
        busy = false;
        if (world.crashes()) {
            die();
            return;
        }
        act();
        give(mail, decision.reply());
        work();
    }

    /** Whoever waits for an answer asks again; what is owed is asked by the next owner. */
    private void die() {
        stash.clear();
        waiting.clear();
        asked = Set.of();
        alarm = Optional.empty();
        world.time.in(world.dice.between(1, 3_000), () -> {
            act();
            work();
        });
    }

    private void act() {
        Set<SagaEffect> owed = SagaRules.effects(state);
        Set<SagaEffect> added = new HashSet<>(owed);
        added.removeAll(asked);
        asked = owed;
        added.forEach(this::perform);
        if (state instanceof SagaState.Ended ended) tellParent(ended);
        if (state instanceof SagaState.Known known) answerWaiting(SagaRules.answerToEnd(known));
        setAlarm();
    }

    private void perform(SagaEffect effect) {
        switch (effect) {
            case SagaEffect.Call call ->
                world.send(() -> world.participants.callback(id, call, answer -> world.send(() -> receive(answer))));
            case SagaEffect.Decide decide ->
                world.send(() -> world.owner(decide.saga())
                        .receive(decide.decision(), reply -> world.send(() -> receive(decide.answeredWith(reply)))));
            case SagaEffect.AskFence question ->
                throw new IllegalStateException("held, but nobody has set the store back");
            case SagaEffect.Alert alert -> world.time.in(world.dice.between(1_000, 60_000), this::help);
        }
    }

    /** So that the parent need not ask; it may get lost. */
    private void tellParent(SagaState.Ended ended) {
        CallbackKind kind =
                ended.outcome() == Outcome.COMMITTED ? CallbackKind.CONFIRMATION : CallbackKind.COMPENSATION;
        ended.saga()
                .initiator()
                .parent()
                .ifPresent(parent -> world.send(() -> world.owner(parent.saga())
                        .receive(new SagaInput.SucceedCallback(parent.branch(), kind, 1, ""))));
    }

    private void help() {
        if (!(state instanceof SagaState.Suspended)) return;
        receive(new SagaInput.Retry(new Operator("somebody", "at " + world.time.now()), state.sequence()));
        world.time.in(world.dice.between(10_000, 100_000), this::help);
    }

    private void give(Mail mail, Reply reply) {
        if (reply instanceof Reply.Pending && mail.input.itself() instanceof SagaInput.End) waiting.add(mail);
        else mail.sender.accept(reply);
    }

    private void answerWaiting(Reply reply) {
        if (reply instanceof Reply.Pending) return;
        List<Mail> told = List.copyOf(waiting);
        waiting.clear();
        told.forEach(mail -> mail.sender.accept(reply));
    }

    private void setAlarm() {
        Optional<Instant> next = SagaRules.wakeUpAt(state);
        if (next.equals(alarm)) return;
        alarm = next;
        next.ifPresent(at -> world.time.at(at, () -> {
            if (!alarm.equals(next)) return;
            alarm = Optional.empty();
            receive(new SagaInput.Tick());
        }));
    }
}
