package io.alphaomega.saga.simulation;

import io.alphaomega.saga.Decision;
import io.alphaomega.saga.Reply;
import io.alphaomega.saga.SagaEffect;
import io.alphaomega.saga.SagaEvent;
import io.alphaomega.saga.SagaInput;
import io.alphaomega.saga.SagaRules;
import io.alphaomega.saga.SagaState;
import io.alphaomega.saga.simulation.Reached.Happening;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * One owner of the saga: loading → ready → saving → ready. It decides on its own copy of the state, appends, and only
 * when that is stored acts and replies.
 */
final class Shell {
    /** More are refused, and sent again by whoever sent them. */
    private static final int STASH = 64;

    private final Deployment world;
    private final Deque<Mail> stash = new ArrayDeque<>();
    private final List<Mail> waiting = new ArrayList<>();
    private final List<Runnable> deferred = new ArrayList<>();
    private SagaState state;
    private boolean busy = true;
    private boolean paused;
    private boolean dead;
    private Optional<Instant> alarm = Optional.empty();

    private record Mail(SagaInput input, Consumer<Reply> sender) {}

    /** @param asOf the sequence of the state on which it was decided */
    private record Answer(Mail mail, Reply reply, long asOf) {
        /** A tick that finds nothing due, or who asks, may have come to an owner that missed what others appended. */
        boolean isSettled() {
            return reply.isSettled()
                    && !(mail.input instanceof SagaInput.Tick)
                    && !(reply instanceof Reply.Pending && !(mail.input instanceof SagaInput.End));
        }

        Answer asOf(long version) {
            return new Answer(mail, reply, version);
        }
    }

    Shell(Deployment world) {
        this.world = world;
        state = new SagaState.Absent(world.id);
        load();
    }

    void receive(SagaInput input, Consumer<Reply> sender) {
        if (dead || stash.size() >= STASH) return;
        stash.add(new Mail(input, sender));
        if (!busy && !paused) work();
    }

    void die() {
        dead = true;
    }

    void pause() {
        paused = true;
    }

    /** What would have happened during the pause happens now. */
    void resume() {
        paused = false;
        List<Runnable> late = List.copyOf(deferred);
        deferred.clear();
        late.forEach(this::unlessStopped);
        if (!dead && !busy) work();
    }

    private void load() {
        busy = true;
        alarm = Optional.empty();
        world.time.in(
                world.dice.between(1, 10),
                () -> unlessStopped(() -> {
                    state = world.journal.replay();
                    world.promises.replayed(state);
                    SagaRules.effects(state).forEach(world.participants::perform);
                    ready();
                }));
    }

    private void ready() {
        busy = false;
        answerWaiting();
        setAlarm();
        work();
    }

    private void work() {
        if (busy || paused || dead || stash.isEmpty()) return;
        List<Mail> lot = List.copyOf(stash);
        stash.clear();
        SagaState tentative = state;
        List<SagaEvent> events = new ArrayList<>();
        List<Answer> answers = new ArrayList<>();
        Instant now = world.time.now();
        for (Mail mail : lot) {
            Decision decision = SagaRules.decide(tentative, mail.input, now);
            SagaState before = tentative;
            for (SagaEvent event : decision.events()) tentative = SagaRules.evolve(tentative, event);
            world.promises.decided(before, mail.input, decision, tentative);
            events.addAll(decision.events());
            answers.add(new Answer(mail, decision.reply(), before.sequence()));
        }
        if (lot.size() > 1 && !events.isEmpty()) world.reached.happened(Happening.SEVERAL_INPUTS_IN_ONE_APPEND);
        if (!events.isEmpty()) {
            save(lot, events, tentative, answers);
        } else if (answers.stream().allMatch(Answer::isSettled) || world.journal.version() == state.sequence()) {
            answers.forEach(answer -> give(answer.asOf(world.journal.version())));
            setAlarm();
        } else {
            world.reached.happened(Happening.REFUSAL_FOUND_STALE);
            decideAgain(lot);
        }
    }

    private void save(List<Mail> lot, List<SagaEvent> events, SagaState after, List<Answer> answers) {
        busy = true;
        long expected = state.sequence();
        boolean unknown = world.dice.percent(world.faults().unknown());
        boolean arrives = !unknown || world.dice.oneIn(2);
        world.time.in(world.dice.between(1, 15), () -> {
            boolean stored = arrives && world.journal.append(expected, events, after);
            if (stored) world.alpha.stored(events);
            if (unknown)
                world.reached.happened(
                        stored
                                ? Happening.APPEND_OF_UNKNOWN_OUTCOME_STORED
                                : Happening.APPEND_OF_UNKNOWN_OUTCOME_NOT_STORED);
            else if (!stored) world.reached.happened(Happening.APPEND_CONFLICTED);
            world.time.in(
                    world.dice.between(1, 5),
                    () -> unlessStopped(() -> {
                        if (stored && !unknown) saved(after, answers);
                        else decideAgain(lot);
                    }));
        });
    }

    private void saved(SagaState after, List<Answer> answers) {
        if (!world.alpha.strikes(this)) unlessStopped(() -> act(after, answers));
    }

    private void act(SagaState after, List<Answer> answers) {
        Set<SagaEffect> before = SagaRules.effects(state);
        state = after;
        for (SagaEffect effect : SagaRules.effects(after)) {
            if (!before.contains(effect)) world.participants.perform(effect);
        }
        answers.forEach(this::give);
        ready();
    }

    /** The events were decided on a state that may not be the saga's: only the inputs are kept. */
    private void decideAgain(List<Mail> lot) {
        for (int i = lot.size() - 1; i >= 0; i--) stash.addFirst(lot.get(i));
        load();
    }

    /** Who awaits the decision is told nothing before it. */
    private void give(Answer answer) {
        SagaInput input = answer.mail.input.itself();
        boolean waits = input instanceof SagaInput.End(boolean awaitDecision) && awaitDecision;
        if (waits && answer.reply instanceof Reply.Pending) {
            world.reached.happened(Happening.DECISION_AWAITED);
            waiting.add(answer.mail);
            return;
        }
        world.promises.replied(answer.mail.input, answer.reply, answer.asOf);
        answer.mail.sender.accept(answer.reply);
    }

    private void answerWaiting() {
        if (waiting.isEmpty() || !(state instanceof SagaState.Known known)) return;
        Reply standing = SagaRules.standing(known);
        if (standing instanceof Reply.Pending) return;
        for (Mail mail : waiting) {
            world.promises.replied(mail.input, standing, state.sequence());
            mail.sender.accept(standing);
        }
        waiting.clear();
    }

    private void setAlarm() {
        Optional<Instant> next = SagaRules.wakeUpAt(state);
        if (next.equals(alarm)) return;
        alarm = next;
        next.ifPresent(at -> world.time.at(
                at,
                () -> unlessStopped(() -> {
                    if (!alarm.equals(next)) return;
                    alarm = Optional.empty();
                    receive(new SagaInput.Tick(), reply -> {});
                })));
    }

    private void unlessStopped(Runnable action) {
        if (dead) return;
        if (paused) deferred.add(action);
        else action.run();
    }
}
