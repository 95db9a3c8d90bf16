package io.alphaomega.saga;

import java.util.Optional;

/** What says, journals or remembers something of a {@link BranchCall}. */
public sealed interface OfBranchCall permits SagaInput.BeginBranch, SagaEvent.BranchBegan, Branch {
    BranchCall call();

    default Optional<BranchId> parent() {
        return call().parent();
    }

    default String service() {
        return call().service();
    }

    default String instance() {
        return call().instance();
    }

    default String build() {
        return call().build();
    }

    default String operation() {
        return call().operation();
    }

    default Optional<CallbackOffer> compensation() {
        return call().compensation();
    }

    default Optional<CallbackOffer> confirmation() {
        return call().confirmation();
    }

    default boolean fenced() {
        return call().fenced();
    }

    default String fence() {
        return call().fence();
    }

    default boolean endTravels() {
        return call().endTravels();
    }

    default Payload arguments() {
        return call().arguments();
    }

    default String traceparent() {
        return call().traceparent();
    }

    default Optional<SagaId> nested() {
        return call().nested();
    }
}
