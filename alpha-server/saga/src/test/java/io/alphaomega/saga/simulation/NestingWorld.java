package io.alphaomega.saga.simulation;

import io.alphaomega.saga.Reply;
import io.alphaomega.saga.SagaEvent;
import io.alphaomega.saga.SagaId;
import io.alphaomega.saga.SagaInput;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/**
 * A saga and those that are nested in it, in one thread: the owner of each, their initiator, their participants, a network
 * between all of them, and faults until the world heals. What becomes of one saga, {@link Deployment} tries harder.
 */
final class NestingWorld {
    private static final int STEPS_MAX = 200_000;
    private static final int TRIES = 5;

    final Dice dice;
    final Timeline time = new Timeline();
    final Map<SagaId, NestingOwner> owners = new LinkedHashMap<>();
    final NestingAudit audit = new NestingAudit(this);
    final NestingParticipants participants = new NestingParticipants(this);
    /** Kinds of what has happened. */
    final Set<Object> reached = new HashSet<>();

    private final long seed;
    private final int loss;
    private final int duplication;
    private final int slow;
    private final int crash;
    private final int failure;
    private boolean healed;

    private NestingWorld(long seed) {
        this.seed = seed;
        dice = new Dice(seed);
        boolean rough = dice.percent(80);
        loss = rough ? dice.oneOf(0, 5, 20) : 0;
        duplication = dice.oneOf(0, 10);
        slow = rough ? dice.oneOf(0, 5, 30) : 0;
        crash = rough ? dice.oneOf(0, 5, 15) : 0;
        failure = dice.oneOf(0, 0, 10, 30);
    }

    /** What happens in the history of {@code seed}; throws {@link BrokenPromiseError}. */
    static Set<Object> live(long seed) {
        NestingWorld world = new NestingWorld(seed);
        try {
            world.live();
        } catch (BrokenPromiseError broken) {
            throw new BrokenPromiseError(world.report(String.valueOf(broken.getMessage())));
        } catch (RuntimeException bug) {
            BrokenPromiseError broken = new BrokenPromiseError(world.report("threw " + bug));
            broken.initCause(bug);
            throw broken;
        }
        return world.reached;
    }

    /** As {@link FirstFailure} says it of single sagas. */
    static Optional<String> firstFailure() {
        return LongStream.range(0, 20_000)
                .parallel()
                .mapToObj(seed -> {
                    try {
                        Set<Object> unused = live(seed);
                        return Optional.<String>empty();
                    } catch (BrokenPromiseError broken) {
                        return Optional.of(String.valueOf(broken.getMessage()));
                    }
                })
                .filter(Optional::isPresent)
                .findAny()
                .flatMap(found -> found);
    }

    private void live() {
        NestingScript script = NestingScript.roll(dice, new SagaId("s"), 0);
        new NestingInitiator(this).start(script);
        time.in(dice.oneOf(1_000, 10_000, 60_000, 300_000), () -> healed = true);
        int steps = 0;
        while (time.advance()) {
            if (++steps > STEPS_MAX) throw new BrokenPromiseError("the history does not come to an end");
        }
        audit.atTheEnd();
    }

    // ---- whatever lies between two processes

    void send(Runnable arrival) {
        if (!healed && dice.percent(loss)) return;
        time.in(delayMillis(), arrival);
        if (!healed && dice.percent(duplication)) time.in(delayMillis(), arrival);
    }

    /** Tells a saga, again and again, until it answers or the sender has died. */
    void tell(SagaId saga, SagaInput input, BooleanSupplier alive, Consumer<Reply> answered, Runnable silence) {
        boolean[] over = {false};
        again(
                TRIES,
                saga,
                input,
                () -> alive.getAsBoolean() && !over[0],
                reply -> {
                    over[0] = true;
                    answered.accept(reply);
                },
                silence);
    }

    private void again(
            int tries, SagaId saga, SagaInput input, BooleanSupplier open, Consumer<Reply> answered, Runnable silence) {
        if (!open.getAsBoolean()) return;
        if (tries == 0) {
            silence.run();
            return;
        }
        send(() -> owner(saga)
                .receive(
                        input,
                        reply -> send(() -> {
                            if (open.getAsBoolean()) answered.accept(reply);
                        })));
        time.in(dice.between(1_000, 4_000), () -> again(tries - 1, saga, input, open, answered, silence));
    }

    private int delayMillis() {
        if (healed || !dice.percent(slow)) return dice.between(1, 20);
        return dice.oneIn(4) ? dice.between(1_000, 90_000) : dice.between(20, 3_000);
    }

    NestingOwner owner(SagaId saga) {
        return owners.computeIfAbsent(saga, id -> new NestingOwner(this, id));
    }

    // ---- what goes wrong

    boolean isHealed() {
        return healed;
    }

    boolean crashes() {
        return !healed && dice.percent(crash);
    }

    boolean fails() {
        return !healed && dice.percent(failure);
    }

    private String report(String what) {
        String journals = owners.values().stream()
                .map(owner -> owner.id() + ":\n  "
                        + owner.journal().stream().map(SagaEvent::toString).collect(Collectors.joining("\n  ")))
                .collect(Collectors.joining("\n"));
        return "seed " + seed + ": " + what + "\n" + journals + "\n(again: -Dtest=NestingSimulationTest -Dsaga.seed="
                + seed + ")";
    }
}
