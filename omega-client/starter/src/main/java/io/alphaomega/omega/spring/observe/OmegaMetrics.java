package io.alphaomega.omega.spring.observe;

import io.alphaomega.protocol.v1.CallbackKind;

/** Counts what happened; by default nothing is counted. */
public interface OmegaMetrics {
    OmegaMetrics NONE = new OmegaMetrics() {};

    /** A saga ended here, as its caller was told. */
    default void saga(String outcome) {}

    /** A branch ended here. */
    default void branch(String outcome) {}

    /** A {@link io.alphaomega.omega.Compensable} method was called outside a saga. */
    default void outside(String operation) {}

    /** A branch was rolled back here because something elsewhere failed, which may have taken effect. */
    default void remoteFailure(String operation) {}

    /** A callback ran here. */
    default void callback(CallbackKind kind, String outcome) {}
}
