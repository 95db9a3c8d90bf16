package io.alphaomega.saga.simulation;

import io.alphaomega.saga.BranchId;
import io.alphaomega.saga.Decision;
import io.alphaomega.saga.SagaEvent;
import io.alphaomega.saga.SagaId;
import io.alphaomega.saga.SagaInput;
import io.alphaomega.saga.SagaState;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A whole deployment around one saga, in one thread: an initiator, participants with their databases, a network, alpha
 * nodes over one store, operators, and faults until the world heals.
 */
final class Deployment {
    /** No saga needs nearly as many; one that does spins. */
    private static final int STEPS_MAX = 200_000;

    final SagaId id;
    final Dice dice;
    final Plan plan;
    final Reached reached;
    final Timeline time = new Timeline();
    final Network network = new Network(this);
    final Journal journal;
    final Database database;
    final Promises promises = new Promises(this);
    final Alpha alpha = new Alpha(this);
    final Participants participants;
    final Operators operators;
    /** What was first called under each branch's id. */
    final Map<BranchId, Plan.Call> calls = new LinkedHashMap<>();
    /** Branches whose arguments their participant cannot read. */
    final Set<BranchId> faultyBranches = new HashSet<>();

    /** Branches whose callback one build of their service cannot run. */
    final Map<BranchId, String> unreadable = new HashMap<>();

    private final long seed;
    private final boolean traced;
    private final List<String> trace = new ArrayList<>();
    private boolean healed;

    private Deployment(long seed, Reached reached, boolean traced) {
        this.seed = seed;
        this.reached = reached;
        this.traced = traced;
        id = new SagaId("saga-" + seed);
        dice = new Dice(seed);
        plan = Plan.roll(dice);
        database = new Database(reached);
        journal = new Journal(id);
        participants = new Participants(this);
        operators = new Operators(this);
    }

    /** Lives through the history of {@code seed}; throws {@link BrokenPromiseError}. */
    static History live(long seed, Reached reached) {
        return new Deployment(seed, reached, false).live();
    }

    /** The same, and every input and event of it as text. */
    static String tell(long seed) {
        Deployment world = new Deployment(seed, new Reached(), true);
        try {
            world.live();
            return world.report("kept its promises");
        } catch (BrokenPromiseError broken) {
            return String.valueOf(broken.getMessage());
        }
    }

    /** The faults of this moment. */
    Plan.Faults faults() {
        return healed ? Plan.Faults.NONE : plan.faults();
    }

    boolean isHealed() {
        return healed;
    }

    /** The fence's row of a branch is purged too early, or sought in the wrong database. */
    void purge(BranchId branch) {
        boolean runsOnce =
                plan.calls().stream().anyMatch(call -> call.branch().equals(branch) && call.duplicates() == 0);
        // What no fence can stop any more is not held against the rules.
        if (runsOnce) database.purge(branch);
    }

    void trace(SagaInput input, Decision decision) {
        if (traced) trace.add(time.now() + " " + input + " → " + decision.reply() + " " + decision.events());
    }

    private History live() {
        try {
            new InitiatorProcess(this).start();
            time.in(plan.healAfterMillis(), this::heal);
            int steps = 0;
            while (time.advance()) {
                if (++steps > STEPS_MAX) throw new BrokenPromiseError("the history does not come to an end");
            }
            promises.atTheEnd();
        } catch (BrokenPromiseError broken) {
            throw new BrokenPromiseError(report(String.valueOf(broken.getMessage())));
        } catch (RuntimeException bug) {
            BrokenPromiseError broken = new BrokenPromiseError(report("threw " + bug));
            broken.initCause(bug);
            throw broken;
        }
        return History.of(journal.state(), promises.inputs(), promises.suspendedOnce());
    }

    private void heal() {
        healed = true;
        participants.heal();
    }

    private String report(String what) {
        String lines = journal.events().stream().map(SagaEvent::toString).collect(Collectors.joining("\n  "));
        String inputs = traced ? "\ninputs:\n  " + String.join("\n  ", trace) : "";
        return "seed " + seed + ": " + what + "\n" + plan + inputs + "\njournal:\n  " + lines
                + "\n(again: -Dtest=SagaSimulationTest -Dsaga.seed=" + seed + ")";
    }

    /** What became of one saga. */
    record History(int inputs, End end, boolean suspended) {
        enum End {
            NEVER_BEGUN,
            COMMITTED,
            COMPENSATED
        }

        static History of(SagaState state, int inputs, boolean suspended) {
            End end = !(state instanceof SagaState.Ended ended)
                    ? End.NEVER_BEGUN
                    : ended.abort().isPresent() ? End.COMPENSATED : End.COMMITTED;
            return new History(inputs, end, suspended);
        }
    }
}
