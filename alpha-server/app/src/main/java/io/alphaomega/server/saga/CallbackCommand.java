package io.alphaomega.server.saga;

import io.alphaomega.saga.SagaEffect;
import io.alphaomega.saga.SagaId;

/** What a saga wants of the participants. */
public sealed interface CallbackCommand extends RouterCommand {
    SagaId saga();

    SagaEffect.Call call();

    /** Somebody is to be asked. */
    record Ask(SagaId saga, SagaEffect.Call call) implements CallbackCommand {}

    /** It is settled, however that came about: nobody needs to be asked any more, nor an answer waited for. */
    record Withdraw(SagaId saga, SagaEffect.Call call) implements CallbackCommand {}
}
