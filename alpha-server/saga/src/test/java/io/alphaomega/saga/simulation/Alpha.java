package io.alphaomega.saga.simulation;

import io.alphaomega.saga.Reply;
import io.alphaomega.saga.SagaEvent;
import io.alphaomega.saga.SagaInput;
import io.alphaomega.saga.SagaRules;
import io.alphaomega.saga.SagaState;
import io.alphaomega.saga.simulation.Reached.Happening;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** The alpha nodes: who owns the saga, who only believes so, and the scanner of the due-time index. */
final class Alpha {
    private final Deployment world;
    private final List<Shell> former = new ArrayList<>();
    private Optional<Shell> owner = Optional.empty();
    private Instant scanAt = Instant.MAX;

    Alpha(Deployment world) {
        this.world = world;
    }

    /** Goes to the owner, which starts if there is none, or to a former one that has not noticed yet. */
    void receive(SagaInput input, Consumer<Reply> sender) {
        if (!former.isEmpty() && world.dice.oneIn(3)) {
            world.dice.oneOf(former).receive(input, sender);
            return;
        }
        if (owner.isEmpty()) owner = Optional.of(new Shell(world));
        owner.orElseThrow().receive(input, sender);
    }

    /** Something that alpha tells itself. */
    void receive(SagaInput input) {
        receive(input, reply -> {});
    }

    void stored(List<SagaEvent> events) {
        world.promises.stored(events);
        if (world.journal.state() instanceof SagaState.Suspended) world.operators.suspended();
        scan();
    }

    /** Between what is stored and what should follow the owner may die (true), or pause while another takes over. */
    boolean strikes(Shell shell) {
        if (world.dice.percent(world.faults().crash())) {
            world.reached.happened(Happening.OWNER_DIED_AFTER_APPEND);
            shell.die();
            former.remove(shell);
            owner = owner.filter(current -> current != shell);
            if (world.dice.oneIn(2)) world.time.in(world.dice.between(1, 3_000), this::start);
            return true;
        }
        if (owner.filter(current -> current == shell).isPresent()
                && world.dice.percent(world.faults().pause())) {
            world.reached.happened(Happening.OWNER_PAUSED);
            shell.pause();
            owner = Optional.empty();
            former.add(shell);
            world.time.in(world.dice.between(10, 10_000), shell::resume);
            world.time.in(world.dice.between(11_000, 20_000), () -> retire(shell));
        }
        return false;
    }

    private void start() {
        if (owner.isEmpty()) owner = Optional.of(new Shell(world));
    }

    private void retire(Shell shell) {
        shell.die();
        former.remove(shell);
    }

    /** The index may lag, and whoever was told to tick may have died: what stays due is looked at again. */
    private void scan() {
        SagaRules.wakeUpAt(world.journal.state()).ifPresent(due -> {
            Instant next = due.isAfter(world.time.now()) ? due : world.time.now();
            if (!next.isBefore(scanAt)) return;
            scanAt = next.plusSeconds(world.dice.between(1, 20));
            Instant mine = scanAt;
            world.time.at(mine, () -> {
                if (!scanAt.equals(mine)) return;
                scanAt = Instant.MAX;
                SagaRules.wakeUpAt(world.journal.state())
                        .filter(at -> !at.isAfter(world.time.now()))
                        .ifPresent(at -> receive(new SagaInput.Tick()));
                scan();
            });
        });
    }
}
