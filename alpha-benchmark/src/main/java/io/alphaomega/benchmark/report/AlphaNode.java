package io.alphaomega.benchmark.report;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What an alpha says of itself under /actuator/info. Everything may be missing: an older one says less, one that cannot
 * be reached nothing.
 *
 * @param address host:port of its HTTP side
 * @param durability what an acknowledgement survives
 * @param settings of the store that make it so
 * @param unknown why nothing is known, if so
 */
record AlphaNode(
        String address,
        @Nullable String version,
        @Nullable String repository,
        @Nullable String durability,
        @Nullable String settings,
        @Nullable String jvm,
        List<String> jvmOptions,
        @Nullable Integer cores,
        @Nullable Long residentBytes,
        @Nullable String unknown) {
    static AlphaNode unknown(String address, String why) {
        return new AlphaNode(address, null, null, null, null, null, List.of(), null, null, why);
    }

    /** Its store runs in its own process. */
    boolean isEmbedded() {
        return "embedded".equals(repository);
    }
}
