package io.alphaomega.saga.simulation;

import io.alphaomega.saga.BranchId;
import io.alphaomega.saga.CallbackPolicy;
import io.alphaomega.saga.Policy;
import io.alphaomega.saga.SagaId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What a method does that begins a saga, nested or not.
 *
 * @param throwsAtEnd instead of returning, after all steps
 */
record NestingScript(SagaId saga, Policy policy, List<Step> steps, boolean throwsAtEnd) {

    /**
     * One call of the method: a branch, or another such method.
     *
     * @param branch what it is called by in its saga
     * @param nested what begins a saga in it
     * @param caught whether the method goes on if that throws
     * @param runs how often the same call arrives, by a retry or a balancer on its way
     */
    record Step(BranchId branch, Optional<NestingScript> nested, boolean caught, int runs) {}

    static NestingScript roll(Dice dice, SagaId saga, int depth) {
        List<Step> steps = new ArrayList<>();
        int count = dice.between(1, 3);
        int nested = depth == 0 ? dice.between(0, count - 1) : -1; // At least one, or it would not be about nesting.
        for (int i = 0; i < count; i++) {
            boolean nests = i == nested || (depth < 2 && dice.oneIn(4));
            BranchId branch = new BranchId("b" + i);
            Optional<NestingScript> inner =
                    nests ? Optional.of(roll(dice, new SagaId(saga + "." + i), depth + 1)) : Optional.empty();
            steps.add(new Step(branch, inner, dice.oneIn(2), dice.oneIn(8) ? 2 : 1));
        }
        return new NestingScript(saga, policy(dice), steps, dice.oneIn(6));
    }

    private static Policy policy(Dice dice) {
        CallbackPolicy callbacks = new CallbackPolicy(
                dice.oneOf(2, 10),
                Duration.ofSeconds(dice.oneOf(20, 600)),
                Duration.ofMillis(dice.oneOf(100, 1_000)),
                Duration.ofSeconds(10),
                Duration.ofSeconds(dice.oneOf(1, 5)));
        return new Policy(
                Duration.ofSeconds(dice.oneOf(2, 30, 120, 300)),
                Duration.ofSeconds(dice.oneOf(5, 30)),
                dice.oneIn(3) ? Policy.Order.PARALLEL : Policy.Order.SEQUENTIAL,
                callbacks);
    }
}
