package io.alphaomega.omega.observation;

import io.micrometer.common.KeyValues;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;

/** How a branch is named, timed and described. A bean of this type takes the place of omega's own. */
public interface BranchObservationConvention extends ObservationConvention<BranchObservation> {
    @Override
    default String getName() {
        return "omega.branch";
    }

    @Override
    default String getContextualName(BranchObservation branch) {
        return "branch " + branch.operation();
    }

    /** Tags of the timer, too: few values each. */
    @Override
    default KeyValues getLowCardinalityKeyValues(BranchObservation branch) {
        return KeyValues.of("operation", branch.operation(), "outcome", branch.outcome());
    }

    /** Of the span only. */
    @Override
    default KeyValues getHighCardinalityKeyValues(BranchObservation branch) {
        return KeyValues.of("saga.id", branch.saga(), "branch.id", branch.branch());
    }

    @Override
    default boolean supportsContext(Observation.Context context) {
        return context instanceof BranchObservation;
    }
}
