package io.alphaomega.omega.simulation;

import io.alphaomega.omega.rules.BranchEffect;
import io.alphaomega.saga.BranchId;
import io.alphaomega.saga.Initiator;
import io.alphaomega.saga.Policy;
import io.alphaomega.saga.Reply;
import io.alphaomega.saga.SagaInput;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The initiator: calls a few branches, one after the other, and ends or aborts the saga as it is told. */
final class Trip {
    private static final long PATIENCE_MILLIS = 12_000;

    private final World world;
    private final Service service;
    private final boolean local;
    private final int branches;
    private final List<BranchId> ends = new ArrayList<>();
    private final Set<String> cancelled = new HashSet<>();
    private boolean aborted;
    private boolean allDone = true;
    private boolean ended;
    private long decidedAt = -1;

    Trip(World world, Service service) {
        this.world = world;
        this.service = service;
        this.local = world.oneIn(2);
        this.branches = 1 + world.below(3);
    }

    void begin() {
        SagaInput begin = new SagaInput.Begin(new Initiator("trips", "trips-1", "book", "", Map.of()), Policy.DEFAULT);
        boolean[] begun = new boolean[1];
        tell(begin, 5, () -> {
            if (begun[0]) return;
            begun[0] = true;
            call(1, 1);
        });
    }

    private void tell(SagaInput input, int times, Runnable answered) {
        if (times == 0) return;
        boolean[] heard = new boolean[1];
        world.send(() -> service.alpha.receive(input, reply -> {
            if (heard[0] || reply instanceof Reply.Pending) return;
            heard[0] = true;
            answered.run();
        }));
        world.in(3_000, () -> !heard[0], () -> tell(input, times - 1, answered));
    }

    private void call(int branch, int times) {
        String name = "b" + branch;
        Plan plan = service.plans.computeIfAbsent(name, none -> Plan.of(world, name, local));
        Call call = new Call(branch);
        Runnable request = () -> service.serve(() -> new Run(service, plan, call).call());
        if (local) {
            request.run();
            if (plan.asynchronous()) return;
        } else if (plan.fenced()) {
            world.send(request); // Perhaps twice.
        } else {
            world.in(1, () -> true, request); // Nobody repeats a call that no fence would tell from its first one.
        }
        world.in(PATIENCE_MILLIS, () -> !call.over, () -> {
            call.over = true;
            if (!local && plan.fenced() && times <= world.below(4)) call(branch, times + 1);
            else next(branch, false);
        });
    }

    private void next(int branch, boolean done) {
        allDone &= done;
        if (!done && !world.oneIn(3)) end(true);
        else if (branch < branches) call(branch + 1, 1);
        else end(false);
    }

    private void end(boolean failed) {
        if (ended || world.trouble == World.Trouble.EVERYTHING && world.oneIn(15)) return; // It dies.
        ended = true;
        world.in(local ? 70 : 0, () -> true, () -> {
            boolean aborts = failed || aborted;
            SagaInput input = aborts ? new SagaInput.Abort("somebody failed") : new SagaInput.End(true);
            SagaInput told = ends.isEmpty() ? input : new SagaInput.Carrying(Optional.empty(), ends, input);
            tell(told, 200, () -> decidedAt = world.now);
        });
    }

    /** Whether all went well as far as the initiator knows. */
    boolean allDone() {
        return allDone && ended && !aborted && cancelled.isEmpty();
    }

    /** The branches without which it has gone on. */
    Set<String> cancelled() {
        return cancelled;
    }

    long decidedAt() {
        return decidedAt;
    }

    /** One call of a branch. */
    private final class Call implements Run.Caller {
        private final int branch;
        private boolean over;
        private final List<BranchId> carried = new ArrayList<>();

        Call(int branch) {
            this.branch = branch;
        }

        @Override
        public void told(BranchEffect.Act what) {
            boolean done = what == BranchEffect.Act.TELL_VALUE || what == BranchEffect.Act.TELL_EARLIER_VALUE;
            List<BranchId> along = List.copyOf(carried);
            Runnable heard = () -> {
                if (over) return;
                over = true;
                ends.addAll(along);
                if (what == BranchEffect.Act.TELL_CANCELLED) cancelled.add("b" + branch);
                next(branch, done);
            };
            if (local) heard.run();
            else world.send(heard);
        }

        @Override
        public void takesAlong(BranchId id) {
            if (local) ends.add(id); // Also when it has been told.
            else carried.add(id);
        }

        @Override
        public void aborts() {
            aborted = true;
        }
    }
}
