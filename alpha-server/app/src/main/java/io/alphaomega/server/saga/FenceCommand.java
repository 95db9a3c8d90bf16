package io.alphaomega.server.saga;

import io.alphaomega.saga.SagaEffect;
import io.alphaomega.saga.SagaId;

/** What a held saga wants to know of the fences of its branches. */
public sealed interface FenceCommand extends RouterCommand {
    SagaId saga();

    SagaEffect.AskFence question();

    /** It is to be asked until it is answered. */
    record Ask(SagaId saga, SagaEffect.AskFence question) implements FenceCommand {}

    /** It is answered, or the saga is not held any more. */
    record Withdraw(SagaId saga, SagaEffect.AskFence question) implements FenceCommand {}
}
