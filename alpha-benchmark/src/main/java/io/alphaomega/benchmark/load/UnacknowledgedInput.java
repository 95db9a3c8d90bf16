package io.alphaomega.benchmark.load;

import io.alphaomega.benchmark.plan.SagaScript;

/** An input that alpha has not acknowledged. It belongs to its lane's thread. */
final class UnacknowledgedInput {
    final SimulatedSaga saga;
    final SagaScript.Step step;

    /** When it could first be sent, by {@link System#nanoTime}: being sent again makes no ack quicker. */
    long queuedAt;

    /** Where it was last written; its place there, and a number that tells it from the place's earlier tenants. */
    long correlation;

    UnacknowledgedInput(SimulatedSaga saga, SagaScript.Step step, long queuedAt) {
        this.saga = saga;
        this.step = step;
        this.queuedAt = queuedAt;
    }
}
