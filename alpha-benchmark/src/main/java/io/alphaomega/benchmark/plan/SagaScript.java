package io.alphaomega.benchmark.plan;

import java.util.ArrayList;
import java.util.List;

/**
 * The inputs of a saga in their order: each waits for the ack of the one before, and those from {@code together} on are
 * sent at once, because asynchronous branches end when they will.
 */
public record SagaScript(List<Step> steps, int together) {
    /**
     * Whom a step is told by, and what.
     *
     * @param begins the saga: the step says so, or the saga's begin travels with it
     * @param ends the branch that has ended with the step, or whose end travels with it; -1: none
     */
    public record Step(Kind kind, int branch, boolean begins, int ends) {
        static Step begin() {
            return new Step(Kind.BEGIN, 0, true, -1);
        }

        static Step of(Kind kind, int branch) {
            return new Step(kind, branch, false, kind == Kind.END_BRANCH ? branch : -1);
        }

        /** What is said with it besides, of the saga's begin and of the branch that was called before. */
        Step carrying(boolean begin, int ended) {
            return new Step(kind, branch, begin, ended);
        }

        /** Whether the business takes its time before it. */
        public boolean comesAfterBusiness() {
            return ends >= 0 || kind == Kind.FAIL_BRANCH;
        }

        public boolean carries() {
            return begins ? kind != Kind.BEGIN : ends >= 0 && kind != Kind.END_BRANCH;
        }
    }

    /** What a step says. */
    public enum Kind {
        BEGIN,
        BEGIN_BRANCH,
        END_BRANCH,
        FAIL_BRANCH,
        END,
        ABORT
    }

    public SagaScript {
        steps = List.copyOf(steps);
    }

    public static SagaScript committing(LoadPlan.Shape shape) {
        return of(shape, false);
    }

    /** The last branch fails. */
    public static SagaScript aborting(LoadPlan.Shape shape) {
        return of(shape, true);
    }

    /** A saga that stays open, with finished branches. */
    public static SagaScript opening(int branches) {
        List<Step> steps = new ArrayList<>(List.of(Step.begin()));
        for (int branch = 0; branch < branches; branch++) {
            steps.add(Step.of(Kind.BEGIN_BRANCH, branch));
            steps.add(Step.of(Kind.END_BRANCH, branch));
        }
        return inOrder(steps);
    }

    /** The end of a saga that was open. */
    public static SagaScript closing() {
        return inOrder(List.of(Step.of(Kind.END, 0)));
    }

    private static SagaScript inOrder(List<Step> steps) {
        return new SagaScript(steps, steps.size());
    }

    private static SagaScript of(LoadPlan.Shape shape, boolean fails) {
        if (shape.carried()) return carried(shape.branches(), fails);
        int last = shape.branches() - 1;
        int waited = shape.branches() - shape.asyncBranches();
        List<Step> steps = new ArrayList<>(List.of(Step.begin()));
        for (int branch = 0; branch <= last; branch++) {
            steps.add(Step.of(Kind.BEGIN_BRANCH, branch));
            if (branch < waited) steps.add(outcome(branch, fails && branch == last));
        }
        int together = steps.size();
        // The initiator of a failed call aborts; what fails behind its back it hears of when it ends the saga.
        steps.add(Step.of(fails && waited > last ? Kind.ABORT : Kind.END, 0));
        for (int branch = waited; branch <= last; branch++) steps.add(outcome(branch, fails && branch == last));
        return new SagaScript(steps, together);
    }

    /** The begin travels with the first branch, the end of each with what is told next. */
    private static SagaScript carried(int branches, boolean fails) {
        List<Step> steps = new ArrayList<>();
        for (int branch = 0; branch < branches; branch++) {
            steps.add(Step.of(Kind.BEGIN_BRANCH, branch).carrying(branch == 0, branch - 1));
        }
        if (fails) {
            steps.add(Step.of(Kind.FAIL_BRANCH, branches - 1));
            steps.add(Step.of(Kind.ABORT, 0));
        } else {
            steps.add(Step.of(Kind.END, 0).carrying(false, branches - 1));
        }
        return inOrder(steps);
    }

    private static Step outcome(int branch, boolean fails) {
        return Step.of(fails ? Kind.FAIL_BRANCH : Kind.END_BRANCH, branch);
    }
}
