package io.alphaomega.omega.spring.reporting;

import io.alphaomega.omega.SagaAbortedException;
import io.alphaomega.omega.SagaException;
import io.alphaomega.omega.SagaOverException;
import io.alphaomega.omega.SagaRejectedException;
import io.alphaomega.omega.spring.fencing.CommittedException;
import io.alphaomega.protocol.v1.Aborted;
import io.alphaomega.protocol.v1.Ack;

/** What alpha's answers mean for who is told. */
public final class Outcomes {
    /** Alpha's limit on reasons. */
    private static final int REASON_CHARS = 512;

    private Outcomes() {}

    static SagaAbortedException aborted(String saga, Aborted aborted) {
        return new SagaAbortedException(saga, cause(aborted.getCause()), aborted.getBranch(), aborted.getText());
    }

    /** For an answer that does not let {@code what} go on. */
    public static SagaException refusal(String saga, String what, Ack ack) {
        return switch (ack.getOutcomeCase()) {
            case ABORTED -> aborted(saga, ack.getAborted());
            case REJECTED ->
                new SagaRejectedException(
                        saga, ack.getRejected().getReason(), ack.getRejected().getText());
            case COMMITTED ->
                new CommittedException(saga, "Saga " + saga + " is committed, and " + what + " comes too late.");
            default ->
                new SagaOverException(
                        saga,
                        "Saga " + saga + ": " + what + " was answered with " + ack.getOutcomeCase()
                                + ": the saga is over, or ending.");
        };
    }

    /** The exception as a sentence for alpha and its operators. */
    public static String sentence(Throwable thrown) {
        String message = thrown.getMessage();
        String name = thrown.getClass().getSimpleName();
        return cut(message == null || message.isBlank() ? name : name + ": " + message);
    }

    public static String cut(String text) {
        if (text.length() <= REASON_CHARS) return text;
        int end = Character.isHighSurrogate(text.charAt(REASON_CHARS - 2)) ? REASON_CHARS - 2 : REASON_CHARS - 1;
        return text.substring(0, end) + "…";
    }

    private static SagaAbortedException.Cause cause(Aborted.Cause cause) {
        return switch (cause) {
            case BRANCH_FAILED -> SagaAbortedException.Cause.BRANCH_FAILED;
            case BRANCH_TIMED_OUT -> SagaAbortedException.Cause.BRANCH_TIMED_OUT;
            case SAGA_TIMED_OUT -> SagaAbortedException.Cause.SAGA_TIMED_OUT;
            case INITIATOR -> SagaAbortedException.Cause.INITIATOR;
            case OPERATOR -> SagaAbortedException.Cause.OPERATOR;
            case PARENT -> SagaAbortedException.Cause.PARENT;
            default -> SagaAbortedException.Cause.OTHER;
        };
    }
}
