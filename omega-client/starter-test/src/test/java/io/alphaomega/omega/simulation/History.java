package io.alphaomega.omega.simulation;

import io.alphaomega.omega.simulation.World.Trouble;
import io.alphaomega.saga.Branch;
import io.alphaomega.saga.Outcome;
import io.alphaomega.saga.SagaState;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/** A saga from its begin to its end, and what is promised of it. */
final class History {
    /** By then an initiator has been told what no timeout of alpha's has decided. */
    private static final long IN_TIME_NANOS = 25_000_000_000L;

    private final World world;
    private final Service service;
    private final Trip trip;

    private History(long seed, boolean tells) {
        this.world = new World(seed, tells);
        this.service = new Service(world);
        this.trip = new Trip(world, service);
    }

    /** What has happened to its branches. */
    static Set<String> live(long seed) {
        try {
            return new History(seed, false).live();
        } catch (RuntimeException | AssertionError broken) {
            BrokenPromiseError error =
                    new BrokenPromiseError("seed " + seed + ": " + broken.getMessage() + "\n" + tell(seed));
            error.initCause(broken);
            throw error;
        }
    }

    private static String tell(long seed) {
        History again = new History(seed, true);
        try {
            Set<String> unused = again.live();
        } catch (RuntimeException | AssertionError broken) {
            // As before.
        }
        return again.world.told();
    }

    private Set<String> live() {
        trip.begin();
        world.live();
        check();
        Set<String> reached = new HashSet<>(world.reached);
        reached.add(service.alpha.state().getClass().getSimpleName());
        return reached;
    }

    /** The first seed that goes wrong, of so many. */
    static Optional<Long> firstFailure() {
        for (long seed = 0; seed < 4_000; seed++) {
            try {
                Set<String> unused = live(seed);
            } catch (BrokenPromiseError broken) {
                return Optional.of(seed);
            }
        }
        return Optional.empty();
    }

    private void check() {
        SagaState state = service.alpha.state();
        if (state instanceof SagaState.Absent) return;
        if (state instanceof SagaState.Suspended) {
            if (service.plans.values().stream().allMatch(Plan::fenced))
                broken("a saga of fenced branches is suspended");
            return;
        }
        if (!(state instanceof SagaState.Ended ended)) {
            broken("the saga does not end: " + state);
            return;
        }
        if (ended.outcome() == Outcome.COMMITTED) committed(ended);
        else undone();
        inTime(ended);
    }

    private void committed(SagaState.Ended ended) {
        Set<String> known = new HashSet<>();
        for (Branch branch : ended.saga().branches()) known.add(branch.id().value());
        service.plans.forEach((branch, plan) -> {
            int effect = service.database.row(branch).effect;
            boolean right = effect == 1 || (effect > 1 && plan.repeatsItself());
            if (effect != 0 && trip.cancelled().contains(branch))
                broken("a committed saga has " + branch + ", which was cancelled");
            if (known.contains(branch) && !right)
                broken("of a committed saga, " + branch + " is done " + effect + " times");
            if (!known.contains(branch) && effect != 0) broken(branch + " is done, and alpha does not know of it");
        });
    }

    private void undone() {
        service.plans.keySet().forEach(branch -> {
            Database.Row row = service.database.row(branch);
            if (row.effect != 0) broken("of a compensated saga, " + branch + " is done " + row.effect + " times");
            if (row.elsewhere) broken("of a compensated saga, " + branch + " is done elsewhere");
        });
    }

    private void inTime(SagaState.Ended ended) {
        if (world.trouble == Trouble.EVERYTHING) return;
        if (trip.allDone() && world.trouble == Trouble.NOTHING && ended.outcome() != Outcome.COMMITTED) {
            broken("all went well, and the saga is not committed");
        }
        if (trip.decidedAt() > IN_TIME_NANOS) broken("alpha was left to its timeout");
    }

    private static void broken(String what) {
        throw new BrokenPromiseError(what);
    }
}
