package io.alphaomega.server.stream;

import io.alphaomega.saga.SagaId;
import io.alphaomega.saga.SagaInput;
import java.time.Instant;

/**
 * An input that its saga has not answered yet.
 *
 * @param correlation the sender's; meaningless for the result of a callback, which the sender gets no answer for
 * @param bytes how much of the stream's window it takes
 * @param readAt when it was read
 * @param askedAt when the saga was last told
 */
record Unanswered(long correlation, SagaId saga, SagaInput input, int bytes, Instant readAt, Instant askedAt) {

    /** Whether it says what became of a callback. */
    boolean isResult() {
        return input instanceof SagaInput.SucceedCallback || input instanceof SagaInput.FailCallback;
    }

    /** Whether its sender waits for a decision, however long that takes. */
    boolean isPatient() {
        return input instanceof SagaInput.End end && end.awaitDecision();
    }

    Unanswered askedAgain(Instant now) {
        return new Unanswered(correlation, saga, input, bytes, readAt, now);
    }
}
