package io.alphaomega.saga;

import java.time.Instant;

/** What must be made to happen outside. Performed at least once, so it must be idempotent. */
public sealed interface SagaEffect {

    /**
     * Ask {@code service} to run a callback of a branch.
     *
     * @param instance the instance that ran the branch, asked first if it is connected
     * @param result what the forward call returned; empty unless {@code forwardEnded}
     * @param fence the id of the fence's table that the branch began with; empty if it did not say
     * @param begunAt when the branch began
     * @param giveUpAt when the time limit of all attempts passes: whose is first goes first
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
            String fence,
            String traceparent,
            Instant begunAt,
            Instant answerBy,
            Instant giveUpAt)
            implements SagaEffect {}

    /** Tell a person that alpha has given up. */
    record Alert(Suspension suspension) implements SagaEffect {}
}
