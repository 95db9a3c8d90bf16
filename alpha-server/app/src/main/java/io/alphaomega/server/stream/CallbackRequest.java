package io.alphaomega.server.stream;

import io.alphaomega.saga.BranchId;
import io.alphaomega.saga.CallbackKind;
import io.alphaomega.saga.SagaEffect;
import io.alphaomega.saga.SagaId;

/** A call that a saga wants made. */
record CallbackRequest(SagaId saga, SagaEffect.Call call) {
    /** Names, ids and what remembers it. */
    private static final int OVERHEAD_BYTES = 1_024;

    /** What makes one attempt at a callback different from every other. */
    record Key(SagaId saga, BranchId branch, CallbackKind kind, int attempt) {}

    /** What it holds in memory, about. */
    int bytes() {
        return OVERHEAD_BYTES + call.arguments().size() + call.result().size();
    }

    Key key() {
        return new Key(saga, call.branch(), call.kind(), call.attempt());
    }
}
