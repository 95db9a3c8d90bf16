package io.alphaomega.omega;

/** Alpha refused a report, and would refuse it again. */
public final class SagaRejectedException extends SagaException {
    private final String saga;
    private final String reason;

    /**
     * @param reason alpha's machine-readable reason, such as {@code TOO_MANY_BRANCHES}
     * @param text alpha's sentence for people
     */
    public SagaRejectedException(String saga, String reason, String text) {
        super("Alpha refused for saga " + saga + " (" + reason + "): " + text);
        this.saga = saga;
        this.reason = reason;
    }

    public String saga() {
        return saga;
    }

    public String reason() {
        return reason;
    }
}
