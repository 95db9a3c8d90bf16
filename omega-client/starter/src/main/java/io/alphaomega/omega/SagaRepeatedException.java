package io.alphaomega.omega;

/**
 * A saga whose business key is unique was begun by an earlier start, and is committed or open. The method did not run
 * again; the result of its first run is not stored. If the first saga is aborted, {@link SagaAbortedException} is
 * thrown instead.
 */
public final class SagaRepeatedException extends SagaException {
    private final transient SagaOutcome outcome;

    /** @param outcome of the first start: committed or open */
    public SagaRepeatedException(String operation, String businessKey, SagaOutcome outcome) {
        super("%s was started before for '%s' and did not run again. %s%s."
                .formatted(
                        operation,
                        businessKey,
                        outcome,
                        outcome.isDecided() ? "" : ": it is decided at its timeout at the latest"));
        this.outcome = outcome;
    }

    /** The outcome of the first start's saga. */
    public SagaOutcome outcome() {
        return outcome;
    }
}
