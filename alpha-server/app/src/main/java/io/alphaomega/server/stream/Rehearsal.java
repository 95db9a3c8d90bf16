package io.alphaomega.server.stream;

import io.alphaomega.saga.SagaId;
import io.alphaomega.saga.SagaInput;
import io.alphaomega.saga.SagaInput.Carrying;
import io.alphaomega.server.properties.RefusedPropertyException;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.zip.CRC32C;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Aborts a share of the sagas on purpose when their initiator commits, so that compensations run before they are needed.
 * Whether a saga is one of them depends on its id alone, so that a commit that comes again, or at another node, is
 * answered alike. One that is decided already stays as it was decided.
 */
final class Rehearsal {
    static final String CAUSE =
            "a rehearsal: it would have been committed, and is undone on purpose (alpha.rehearsal.share)";

    private static final double ALL = 1L << 32;

    /** A profile is of a production if one of these is a word of its name, as in PROD or prod-eu. */
    private static final Set<String> IN_EARNEST = new TreeSet<>(Set.of("prd", "prod", "production", "live"));

    private static final Pattern NO_LETTERS = Pattern.compile("[^a-z]+");

    private static final Logger LOG = LoggerFactory.getLogger(Rehearsal.class);

    private final long chosenBelow;
    private final Counter aborts;

    /** @param share 0 to 1 */
    Rehearsal(double share, MeterRegistry registry) {
        this.chosenBelow = Math.round(share * ALL);
        this.aborts = Counter.builder("alpha.rehearsal.aborts")
                .description(
                        "Commits that a rehearsal told their sagas as aborts, also those that came again or too late")
                .register(registry);
    }

    /** Throws where a rehearsal might be in earnest: without a Spring profile, or with one of a production. */
    static void requireProfiles(double share, List<String> profiles) {
        if (share == 0) return;
        if (profiles.isEmpty() || profiles.stream().anyMatch(Rehearsal::isInEarnest)) {
            throw new RefusedPropertyException(
                    "alpha.rehearsal.share must be 0 unless a Spring profile is active (spring.profiles.active=staging) and none has the word %s, but was '%s' with the profiles %s."
                            .formatted(String.join(" or ", IN_EARNEST), share, profiles));
        }
        LOG.warn(
                "REHEARSAL: {} % of the sagas are aborted on purpose when they commit (alpha.rehearsal.share).",
                share * 100);
    }

    private static boolean isInEarnest(String profile) {
        return NO_LETTERS.splitAsStream(profile.toLowerCase(Locale.ROOT)).anyMatch(IN_EARNEST::contains);
    }

    /** What the saga is told instead of {@code said}; mostly that. */
    SagaInput of(SagaId saga, SagaInput said) {
        if (chosenBelow == 0 || !(said.itself() instanceof SagaInput.End) || !isChosen(saga)) return said;
        aborts.increment();
        SagaInput.Abort abort = new SagaInput.Abort(CAUSE);
        return said instanceof Carrying carrying ? new Carrying(carrying.begin(), carrying.ended(), abort) : abort;
    }

    private boolean isChosen(SagaId saga) {
        CRC32C crc = new CRC32C();
        crc.update(saga.value().getBytes(StandardCharsets.UTF_8));
        return crc.getValue() < chosenBelow;
    }
}
