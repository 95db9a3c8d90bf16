package io.alphaomega.server.golden;

import io.alphaomega.protocol.v1.FromAlpha;
import io.alphaomega.protocol.v1.FromOmega;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What omegas and alphas of a released version say to each other, replayed. */
class WireCorpusTest {
    private static final Path WIRE = Golden.FIRST.resolve("wire");

    private final FromOmega omega = FromOmega.getDefaultInstance();
    private final FromAlpha alpha = FromAlpha.getDefaultInstance();
    private final List<Golden> fromOmega = Golden.read(WIRE.resolve("from-omega.txt"), omega, Meanings::of);
    private final List<Golden> fromAlpha = Golden.read(WIRE.resolve("from-alpha.txt"), alpha, Meanings::of);

    @Test
    void what_a_released_omega_says_is_understood_and_said_the_same_today() {
        Replay.bothWays(fromOmega, omega, Meanings::of);
    }

    @Test
    void what_a_released_alpha_says_is_understood_and_said_the_same_today() {
        Replay.bothWays(fromAlpha, alpha, Meanings::of);
    }

    @Test
    void what_a_newer_omega_adds_is_skipped() {
        Replay.withFieldsOfANewerVersion(fromOmega, omega, Meanings::of);
    }

    @Test
    void every_field_and_every_value_of_the_wire_is_in_a_sample() {
        Sampled sampled = new Sampled();
        fromOmega.forEach(sample -> sampled.add(sample.written(omega)));
        fromAlpha.forEach(sample -> sampled.add(sample.written(alpha)));
        sampled.assertWhole(FromOmega.getDescriptor());
        sampled.assertWhole(FromAlpha.getDescriptor());
    }
}
