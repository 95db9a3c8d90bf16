package io.alphaomega.omega.observation;

import io.micrometer.common.KeyValues;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;

/** How a saga is named, timed and described. A bean of this type takes the place of omega's own. */
public interface SagaObservationConvention extends ObservationConvention<SagaObservation> {
    @Override
    default String getName() {
        return "omega.saga";
    }

    @Override
    default String getContextualName(SagaObservation saga) {
        return "saga " + saga.operation();
    }

    /** Tags of the timer, too: few values each. */
    @Override
    default KeyValues getLowCardinalityKeyValues(SagaObservation saga) {
        return KeyValues.of("operation", saga.operation(), "outcome", saga.outcome());
    }

    /** Of the span only. */
    @Override
    default KeyValues getHighCardinalityKeyValues(SagaObservation saga) {
        return KeyValues.of("saga.id", saga.saga());
    }

    @Override
    default boolean supportsContext(Observation.Context context) {
        return context instanceof SagaObservation;
    }
}
