package io.alphaomega.omega.simulation;

import io.alphaomega.omega.rules.BranchInput;

/** One try at a branch's method: advice, the local transaction, the fence in it, the business. */
final class Method {
    private final World world;
    private final Service service;
    private final Run run;
    private final Plan plan;
    private final Database.Row row;
    private final int attempt;
    private final Runnable rolledBackByDeath = this::unlock;
    private boolean ended;
    private boolean holdsLock;
    private boolean pending;

    Method(World world, Service service, Run run, int attempt) {
        this.world = world;
        this.service = service;
        this.run = run;
        this.plan = run.plan();
        this.row = run.row();
        this.attempt = attempt;
    }

    void call() {
        if (world.failsOneIn(15)) {
            end(BranchInput.THREW);
        } else if (world.failsOneIn(40)) {
            end(BranchInput.RETURNED);
        } else {
            // A time limit, which does not end what runs.
            if (plan.transactional() && !plan.callersTransaction() && world.failsOneIn(10))
                run.soon(() -> end(BranchInput.THREW));
            if (world.failsOneIn(10)) world.in(world.below(600), service.alive(), this::reach);
            else run.soon(this::reach);
        }
    }

    /** How the method ended, unless it has before. */
    private void end(BranchInput how) {
        if (ended) return;
        ended = true;
        run.feed(how);
    }

    private void reach() {
        BranchInput reached = plan.transactional() ? BranchInput.REACHED_IN_TRANSACTION : BranchInput.REACHED;
        if (!run.feed(attempt, reached)) {
            end(BranchInput.THREW);
        } else if (plan.fenced()) {
            askFence();
        } else {
            run.soon(this::business);
        }
    }

    private void askFence() {
        if (row.locked) {
            run.soon(this::askFence);
        } else if (row.over) {
            run.feed(attempt, BranchInput.ROLLED_BACK);
            end(BranchInput.THREW_FOR_GOOD);
        } else if (row.done) {
            run.feed(attempt, BranchInput.COMMITTED);
            end(BranchInput.RETURNED);
        } else {
            holdsLock = true;
            row.locked = true;
            service.openTransactions.add(rolledBackByDeath);
            if (world.failsOneIn(15)) run.soon(this::lostToAnother);
            else run.soon(this::business);
        }
    }

    private void lostToAnother() {
        unlock();
        run.feed(attempt, BranchInput.ROLLED_BACK);
        run.soon(this::reach);
    }

    private void business() {
        run.requireLetIn();
        if (plan.compensateOnException() && world.oneIn(2)) row.elsewhere = true;
        boolean throwing = world.failsOneIn(4);
        boolean outside = !plan.transactional() || !plan.inside();
        // What a future stands for has done nothing where there is no future.
        boolean works = !throwing || (plan.inside() && !plan.cleanOnException() && world.oneIn(2));
        if (works && outside) row.effect++;
        pending = works && !outside;
        if (!plan.transactional()) {
            run.soon(() -> leave(throwing));
            return;
        }
        if (!throwing) run.feed(attempt, BranchInput.DONE);
        if (plan.callersTransaction()) {
            end(throwing ? thrown() : BranchInput.RETURNED);
            world.in(20 + world.below(40), service.alive(), () -> finish(!world.failsOneIn(4)));
        } else if (throwing) {
            finish(false);
            end(thrown());
        } else {
            run.soon(this::commit);
        }
    }

    private void leave(boolean throwing) {
        if (!throwing) run.feed(attempt, BranchInput.DONE);
        end(throwing || world.failsOneIn(12) ? thrown() : BranchInput.RETURNED);
    }

    private BranchInput thrown() {
        return world.oneIn(4) ? BranchInput.THREW_FOR_GOOD : BranchInput.THREW;
    }

    private void commit() {
        if (world.failsOneIn(10)) {
            settle(world.oneIn(2));
            run.feed(attempt, BranchInput.ENDED_UNKNOWN);
            end(BranchInput.THREW);
            return;
        }
        finish(!world.failsOneIn(10));
        end(plan.inside() && world.failsOneIn(12) ? BranchInput.THREW : BranchInput.RETURNED);
    }

    private void finish(boolean commits) {
        settle(commits);
        run.feed(attempt, commits ? BranchInput.COMMITTED : BranchInput.ROLLED_BACK);
    }

    private void settle(boolean commits) {
        if (commits && pending) row.effect++;
        // The fence's row is in the transaction, whatever the business has made of that.
        if (commits && plan.fenced()) row.done = true;
        unlock();
    }

    private void unlock() {
        service.openTransactions.remove(rolledBackByDeath);
        if (holdsLock) row.locked = false;
        holdsLock = false;
    }
}
