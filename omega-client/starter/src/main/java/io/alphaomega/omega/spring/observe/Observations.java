package io.alphaomega.omega.spring.observe;

import io.alphaomega.protocol.v1.Callback;
import org.jspecify.annotations.Nullable;

/** Observes omega's work where the service has Micrometer's registry of observations; by default nothing is observed. */
public interface Observations {
    Observations NONE = new Observations() {};

    /** One run, from here until it is closed, on this thread. */
    interface Observed extends AutoCloseable {
        Observed NOBODY = new Observed() {};

        default void ended(String outcome) {}

        default void threw(Throwable thrown) {}

        /** The run goes on elsewhere: this thread is where it was before, and any may close it. */
        default void leave() {}

        /** Puts this thread into a run that was left, until what is returned is run. */
        default Runnable enter() {
            return () -> {};
        }

        /** What Micrometer's context propagation hands over for it; null if nothing is observed. */
        default @Nullable Object handedOver() {
            return null;
        }

        @Override
        default void close() {}
    }

    /** A method that begins a saga runs. */
    default Observed saga(String operation, String saga) {
        return Observed.NOBODY;
    }

    /** A branch's method is called. */
    default Observed branch(String operation, String saga, String branch) {
        return Observed.NOBODY;
    }

    /** A callback runs. */
    default Observed callback(Callback callback) {
        return Observed.NOBODY;
    }

    /** W3C trace context of the span that this thread is in; empty if it is in none. */
    default String traceparent() {
        return "";
    }
}
