package io.alphaomega.omega;

/** The saga is committed. Confirmations, and what comes {@link AfterCommit}, may still be under way. */
public record SagaCommittedEvent(String saga, String operation, String businessKey) implements SagaDecidedEvent {}
