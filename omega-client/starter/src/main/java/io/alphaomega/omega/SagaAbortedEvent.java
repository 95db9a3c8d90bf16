package io.alphaomega.omega;

/**
 * The saga is aborted. Its compensations may still be running.
 *
 * @param text why, in a sentence for people
 */
public record SagaAbortedEvent(String saga, String operation, String businessKey, String text)
        implements SagaDecidedEvent {}
