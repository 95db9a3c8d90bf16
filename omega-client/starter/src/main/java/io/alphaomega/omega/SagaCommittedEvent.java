package io.alphaomega.omega;

/** The saga is committed. Confirmations, and methods that are {@link AfterCommit}, may still be running. */
public record SagaCommittedEvent(String saga, String operation, String businessKey) implements SagaDecidedEvent {}
