package io.alphaomega.saga;

import java.time.Instant;

/** What must be made to happen outside. Performed at least once, so it must be idempotent. */
public sealed interface SagaEffect {

    /**
     * Ask {@code service} to run a callback of a branch.
     *
     * @param instance the instance that ran the branch, asked first if it is connected
     * @param result what the forward call returned; empty unless {@code forwardEnded}
     */
    record Call(
            BranchId branch,
            String service,
            String instance,
            CallbackKind kind,
            String name,
            int attempt,
            Payload arguments,
            Payload result,
            boolean forwardEnded,
            boolean fenced,
            String traceparent,
            Instant answerBy)
            implements SagaEffect {}

    /** Tell a person that alpha has given up. */
    record Alert(Suspension suspension) implements SagaEffect {}
}
