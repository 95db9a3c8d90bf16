package io.alphaomega.omega.simulation;

import io.alphaomega.saga.BranchId;
import io.alphaomega.saga.Reply;
import io.alphaomega.saga.SagaEffect;
import io.alphaomega.saga.SagaInput;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;

/** The process that runs the branches: it dies with what is in it, and another one starts. Its database stays. */
final class Service {
    static final String NAME = "hotel";
    private static final long RESEND_MILLIS = 2_000;
    private static final long RESEND_FOR_NANOS = 120_000_000_000L;

    final World world;
    final AlphaNode alpha;
    final Database database = new Database();
    final Map<String, Plan> plans = new HashMap<>();
    final List<Runnable> openTransactions = new ArrayList<>();
    private int lives;
    private boolean up = true;

    Service(World world) {
        this.world = world;
        this.alpha = new AlphaNode(world, this::callBack);
    }

    /** Whether this life goes on. */
    BooleanSupplier alive() {
        int life = lives;
        return () -> lives == life && up;
    }

    void mayDie() {
        if (world.trouble != World.Trouble.EVERYTHING || !up || !world.oneIn(60)) return;
        world.in(world.below(3), alive(), this::die);
    }

    private void die() {
        world.tell(() -> "the service dies");
        up = false;
        List.copyOf(openTransactions).forEach(Runnable::run);
        openTransactions.clear();
        world.in(1_000 + world.below(30_000), () -> true, () -> {
            lives++;
            up = true;
            world.tell(() -> "the service is there again");
        });
    }

    void serve(Runnable request) {
        if (up) request.run();
    }

    /** Sends it again until alpha has answered, or for so long. */
    void report(SagaInput input, Runnable answered) {
        Report report = new Report(input, answered, world.now + RESEND_FOR_NANOS, alive());
        report.send();
    }

    private final class Report {
        private final SagaInput input;
        private final Runnable answered;
        private final long until;
        private final BooleanSupplier alive;
        private boolean done;

        Report(SagaInput input, Runnable answered, long until, BooleanSupplier alive) {
            this.input = input;
            this.answered = answered;
            this.until = until;
            this.alive = alive;
        }

        void send() {
            if (done || world.now > until) return;
            world.send(() -> alpha.receive(input, this::heard));
            world.in(RESEND_MILLIS, alive, this::send);
        }

        private void heard(Reply reply) {
            if (done || !alive.getAsBoolean() || reply instanceof Reply.NotNow) return;
            done = true;
            answered.run();
        }
    }

    private void callBack(SagaEffect.Call call) {
        if (!up) return;
        Plan plan = plans.get(call.branch().value());
        Database.Row row = database.row(call.branch().value());
        if (row.locked) {
            world.soon(alive(), () -> callBack(call));
            return;
        }
        if (call.forwardEnded() && plan.fenced() && !row.done) {
            throw new BrokenPromiseError("alpha was told the end of " + call.branch() + ", which was not committed");
        }
        world.tell(() -> call.branch() + " is compensated");
        Database.compensate(row, plan.fenced());
        SagaInput success =
                new SagaInput.SucceedCallback(new BranchId(call.branch().value()), call.kind(), call.attempt(), NAME);
        world.send(() -> alpha.receive(success, reply -> {}));
    }
}
