package io.alphaomega.benchmark.report;

import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Processor time by ended saga, in milliseconds; null where it could not be read.
 *
 * @param storeMillisPerSaga of the processes that --store-pid names and their children; 0 for the embedded store, which
 *     is a part of alpha
 * @param coordinatorMillisPerSaga alpha and store together; null unless both are known
 */
record Cpu(
        @Nullable Double alphaMillisPerSaga,
        @Nullable Double storeMillisPerSaga,
        @Nullable Double coordinatorMillisPerSaga,
        @Nullable Double generatorMillisPerSaga,
        List<Role> processes) {
    static final String ALPHA = "alpha";
    static final String STORE = "store";
    static final String GENERATOR = "generator";

    /**
     * Processes that do one thing.
     *
     * @param seconds of processor time while sagas were measured
     * @param cores in use, on average
     * @param residentBytes of memory, at the end
     */
    record Role(
            String role,
            double seconds,
            double cores,
            @Nullable Double millisPerSaga,
            @Nullable Long residentBytes) {}

    static Cpu of(List<Role> processes, boolean storeInAlpha) {
        Double alpha = millisPerSaga(processes, ALPHA);
        Double store = storeInAlpha && alpha != null ? Double.valueOf(0) : millisPerSaga(processes, STORE);
        Double both = alpha == null || store == null ? null : Double.valueOf(FigureText.rounded(alpha + store, 4));
        return new Cpu(alpha, store, both, millisPerSaga(processes, GENERATOR), List.copyOf(processes));
    }

    private static @Nullable Double millisPerSaga(List<Role> processes, String role) {
        return processes.stream()
                .filter(each -> each.role().equals(role))
                .flatMap(each -> Stream.ofNullable(each.millisPerSaga()))
                .findFirst()
                .orElse(null);
    }
}
