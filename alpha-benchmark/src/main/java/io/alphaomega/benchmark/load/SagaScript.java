package io.alphaomega.benchmark.load;

import java.util.ArrayList;
import java.util.List;

/**
 * The inputs of a saga in their order: each waits for the ack of the one before, and those from {@code together} on are
 * sent at once, because asynchronous branches end when they will.
 */
record SagaScript(List<Step> steps, int together) {
    /** Whom a step is told by, and what. */
    record Step(Kind kind, int branch) {}

    /** What a step says. */
    enum Kind {
        BEGIN,
        BEGIN_BRANCH,
        END_BRANCH,
        FAIL_BRANCH,
        END,
        ABORT;

        /** Whether the business takes its time before it. */
        boolean comesAfterBusiness() {
            return this == END_BRANCH || this == FAIL_BRANCH;
        }
    }

    SagaScript {
        steps = List.copyOf(steps);
    }

    static SagaScript committing(LoadPlan.Shape shape) {
        return of(shape, false);
    }

    /** The last branch fails. */
    static SagaScript aborting(LoadPlan.Shape shape) {
        return of(shape, true);
    }

    /** A saga that stays open, with finished branches. */
    static SagaScript opening(int branches) {
        List<Step> steps = new ArrayList<>(List.of(new Step(Kind.BEGIN, 0)));
        for (int branch = 0; branch < branches; branch++) {
            steps.add(new Step(Kind.BEGIN_BRANCH, branch));
            steps.add(new Step(Kind.END_BRANCH, branch));
        }
        return inOrder(steps);
    }

    /** The end of a saga that was open. */
    static SagaScript closing() {
        return inOrder(List.of(new Step(Kind.END, 0)));
    }

    private static SagaScript inOrder(List<Step> steps) {
        return new SagaScript(steps, steps.size());
    }

    private static SagaScript of(LoadPlan.Shape shape, boolean fails) {
        int last = shape.branches() - 1;
        int waited = shape.branches() - shape.asyncBranches();
        List<Step> steps = new ArrayList<>(List.of(new Step(Kind.BEGIN, 0)));
        for (int branch = 0; branch <= last; branch++) {
            steps.add(new Step(Kind.BEGIN_BRANCH, branch));
            if (branch < waited) steps.add(outcome(branch, fails && branch == last));
        }
        int together = steps.size();
        // The initiator of a failed call aborts; what fails behind its back it hears of when it ends the saga.
        steps.add(new Step(fails && waited > last ? Kind.ABORT : Kind.END, 0));
        for (int branch = waited; branch <= last; branch++) steps.add(outcome(branch, fails && branch == last));
        return new SagaScript(steps, together);
    }

    private static Step outcome(int branch, boolean fails) {
        return new Step(fails ? Kind.FAIL_BRANCH : Kind.END_BRANCH, branch);
    }
}
