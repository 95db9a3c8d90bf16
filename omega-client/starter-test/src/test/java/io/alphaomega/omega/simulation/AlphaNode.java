package io.alphaomega.omega.simulation;

import io.alphaomega.saga.Decision;
import io.alphaomega.saga.Reply;
import io.alphaomega.saga.SagaEffect;
import io.alphaomega.saga.SagaEvent;
import io.alphaomega.saga.SagaId;
import io.alphaomega.saga.SagaInput;
import io.alphaomega.saga.SagaRules;
import io.alphaomega.saga.SagaState;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Consumer;

/** Alpha's rules with a journal that is never lost, whatever becomes of the node. */
final class AlphaNode {
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private final World world;
    private final Consumer<SagaEffect.Call> participants;
    private SagaState state = new SagaState.Absent(new SagaId("trip"));

    AlphaNode(World world, Consumer<SagaEffect.Call> participants) {
        this.world = world;
        this.participants = participants;
    }

    SagaState state() {
        return state;
    }

    Instant now() {
        return START.plusNanos(world.now);
    }

    /** @param sender hears the reply if that is not lost */
    void receive(SagaInput input, Consumer<Reply> sender) {
        Reply reply = decide(input);
        world.send(() -> sender.accept(reply));
    }

    private Reply decide(SagaInput input) {
        Set<SagaEffect> before = SagaRules.effects(state);
        Decision decision = SagaRules.decide(state, input, now());
        for (SagaEvent event : decision.events()) {
            state = SagaRules.evolve(state, event);
            world.tell(() -> "alpha: " + event);
        }
        // A node that takes over asks for everything again.
        Set<SagaEffect> owed = new HashSet<>(SagaRules.effects(state));
        if (!world.failsOneIn(20)) owed.removeAll(before);
        owed.stream().sorted((a, b) -> a.toString().compareTo(b.toString())).forEach(this::perform);
        if (!decision.events().isEmpty()) SagaRules.wakeUpAt(state).ifPresent(this::wake);
        return decision.reply();
    }

    private void perform(SagaEffect effect) {
        if (effect instanceof SagaEffect.Call call) world.send(() -> participants.accept(call));
    }

    private void wake(Instant when) {
        long at = Duration.between(START, when).toNanos();
        world.at(at, () -> decide(new SagaInput.Tick()));
    }
}
