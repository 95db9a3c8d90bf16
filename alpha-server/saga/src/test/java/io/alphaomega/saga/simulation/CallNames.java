package io.alphaomega.saga.simulation;

import io.alphaomega.saga.BranchId;
import java.util.HashMap;
import java.util.Map;

/**
 * The names that one run of a business gives to the calls it makes: after the call it runs for, whom it calls, and the
 * how manyeth such call it is. So a run that repeats another makes the same calls.
 */
final class CallNames {
    private final BranchId made;
    private final Map<Integer, Integer> calls = new HashMap<>();

    CallNames(BranchId made) {
        this.made = made;
    }

    BranchId next(int service) {
        int ordinal = calls.merge(service, 1, Integer::sum);
        return new BranchId(made + "." + Plan.SERVICES.get(service) + ordinal);
    }
}
