package io.alphaomega.omega;

/**
 * The saga is aborted. What was done in it may still be on its way to being undone.
 *
 * @param text why, in a sentence for people
 */
public record SagaAbortedEvent(String saga, String operation, String businessKey, String text)
        implements SagaDecidedEvent {}
