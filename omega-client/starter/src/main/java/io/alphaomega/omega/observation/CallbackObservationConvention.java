package io.alphaomega.omega.observation;

import io.micrometer.common.KeyValues;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;

/** How a callback is named, timed and described. A bean of this type takes the place of omega's own. */
public interface CallbackObservationConvention extends ObservationConvention<CallbackObservation> {
    @Override
    default String getName() {
        return "omega.callback";
    }

    @Override
    default String getContextualName(CallbackObservation callback) {
        return (callback.kind().equals("CONFIRMATION") ? "confirm " : "compensate ") + callback.operation();
    }

    /** Tags of the timer, too: few values each. */
    @Override
    default KeyValues getLowCardinalityKeyValues(CallbackObservation callback) {
        return KeyValues.of("operation", callback.operation(), "kind", callback.kind(), "outcome", callback.outcome());
    }

    /** Of the span only. */
    @Override
    default KeyValues getHighCardinalityKeyValues(CallbackObservation callback) {
        return KeyValues.of(
                "saga.id",
                callback.saga(),
                "branch.id",
                callback.branch(),
                "attempt",
                Long.toString(callback.attempt()));
    }

    @Override
    default boolean supportsContext(Observation.Context context) {
        return context instanceof CallbackObservation;
    }
}
