package io.alphaomega.saga.simulation;

import io.alphaomega.saga.Reply;
import io.alphaomega.saga.SagaInput;
import io.alphaomega.saga.simulation.Reached.Happening;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** Whatever lies between two processes: until the world heals it drops, duplicates, delays and reorders. */
final class Network {
    private final Deployment world;

    Network(Deployment world) {
        this.world = world;
    }

    void send(Runnable arrival) {
        if (world.dice.percent(world.faults().loss())) return;
        world.time.in(delayMillis(), arrival);
        if (world.dice.percent(world.faults().duplication())) world.time.in(delayMillis(), arrival);
    }

    /** A call between services: it arrives once, or the caller sees an error. */
    void hand(Runnable arrival) {
        world.time.in(delayMillis(), arrival);
    }

    /** Calls another service, and calls it again beneath the caller, who hears one answer: no answer is a failure. */
    void call(Plan.Call call, Held.Load load, int patienceMillis, Consumer<Held.Answer> outcome) {
        boolean[] answered = {false};
        Consumer<Held.Answer> once = answer -> hand(() -> {
            if (answered[0]) return;
            answered[0] = true;
            outcome.accept(arrived(answer));
        });
        for (int i = 0; i <= call.duplicates(); i++) {
            int pauseMillis = i == 0 || call.inner().isEmpty() ? 0 : world.dice.oneOf(0, 30, 300, 3_000);
            world.time.in(pauseMillis, () -> hand(() -> world.participants.call(call, load, once)));
        }
        world.time.in(patienceMillis, () -> once.accept(Held.Answer.FAILED));
    }

    private Held.Answer arrived(Held.Answer answer) {
        if (answer.ended().isEmpty() || !world.dice.percent(world.faults().loss())) return answer;
        world.reached.happened(Happening.END_LOST_ON_ITS_WAY);
        return Held.Answer.FAILED;
    }

    /** Tells alpha, and tells it again, up to {@code tries} times, until it answers or the sender has died. */
    void tell(SagaInput input, int tries, BooleanSupplier alive, Consumer<Reply> answered, Runnable silence) {
        new Telling(input, alive, answered, silence).again(tries);
    }

    private int delayMillis() {
        Dice dice = world.dice;
        if (!dice.percent(world.faults().slow())) return dice.between(1, 20);
        return dice.oneIn(10) ? dice.between(1_000, 90_000) : dice.between(20, 3_000);
    }

    private final class Telling {
        private final SagaInput input;
        private final BooleanSupplier alive;
        private final Consumer<Reply> answered;
        private final Runnable silence;
        private boolean over;

        Telling(SagaInput input, BooleanSupplier alive, Consumer<Reply> answered, Runnable silence) {
            this.input = input;
            this.alive = alive;
            this.answered = answered;
            this.silence = silence;
        }

        void again(int tries) {
            if (over || !alive.getAsBoolean()) return;
            if (tries == 0) {
                over = true;
                silence.run();
                return;
            }
            send(() -> world.alpha.receive(input, reply -> send(() -> heard(reply))));
            world.time.in(world.dice.between(1_000, 4_000), () -> again(tries - 1));
        }

        private void heard(Reply reply) {
            if (over || !alive.getAsBoolean()) return;
            over = true;
            answered.accept(reply);
        }
    }
}
