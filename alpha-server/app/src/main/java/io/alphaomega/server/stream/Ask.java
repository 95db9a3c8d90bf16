package io.alphaomega.server.stream;

import io.alphaomega.saga.BranchId;
import io.alphaomega.saga.CallbackKind;
import io.alphaomega.saga.SagaEffect;
import io.alphaomega.saga.SagaId;

/** A call that a saga wants made. */
record Ask(SagaId saga, SagaEffect.Call call) {

    /** What makes one attempt at a callback different from every other. */
    record Key(SagaId saga, BranchId branch, CallbackKind kind, int attempt) {}

    Key key() {
        return new Key(saga, call.branch(), call.kind(), call.attempt());
    }
}
