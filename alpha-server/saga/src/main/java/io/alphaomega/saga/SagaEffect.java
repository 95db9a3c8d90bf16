package io.alphaomega.saga;

import java.time.Instant;
import java.util.Set;

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
     * @param build that ran the branch, waited for while an instance of it is connected; empty if it is not known
     * @param unable builds that have said that they cannot: no instance of them is asked
     * @param businessKey of the saga, for the participant's log; empty if it has none
     * @param retried whether another attempt follows for sure if this one throws in time
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
            Instant giveUpAt,
            String build,
            Set<String> unable,
            String businessKey,
            boolean retried)
            implements SagaEffect {}

    /**
     * Tell a nested saga how it is decided.
     *
     * @param saga the nested one
     */
    record Decide(SagaId saga, SagaInput.Decide decision, BranchId branch, CallbackKind kind, int attempt)
            implements SagaEffect {
        /** What the nested saga's answer means to this one. */
        public SagaInput answeredWith(Reply reply) {
            return switch (reply) {
                case Reply.Committed committed -> new SagaInput.SucceedCallback(branch, kind, attempt, "");
                case Reply.Aborted aborted -> new SagaInput.SucceedCallback(branch, kind, attempt, "");
                case Reply.Accepted accepted -> unfinished();
                case Reply.Pending pending -> unfinished();
                case Reply.NotNow later -> unfinished();
                case Reply.Rejected rejected -> failed(rejected.text());
            };
        }

        /** It is not over, or nobody can say just now; it is to be told again. */
        public SagaInput unfinished() {
            return new SagaInput.DeferCallback(branch, kind, attempt);
        }

        /** It cannot be decided so, which no further try changes: it was never prepared, or is not what its parent says. */
        private SagaInput failed(String why) {
            return new SagaInput.FailCallback(branch, kind, attempt, FailureCode.FORWARD_MISSING, why, "");
        }
    }

    /**
     * Ask the fence of {@code service} what it has of a branch of a held saga. Nothing is done there.
     *
     * @param build of the instance that ran the branch; empty if it said none
     * @param callback the branch's compensation, or its confirmation if it has none: by it the service finds the fence
     * @param fence as of {@link Call}
     */
    record AskFence(
            BranchId branch,
            String service,
            String build,
            String callback,
            Payload arguments,
            String fence,
            String traceparent,
            Instant begunAt)
            implements SagaEffect {}

    /** Tell a person that alpha has given up. */
    record Alert(Suspension suspension) implements SagaEffect {}
}
