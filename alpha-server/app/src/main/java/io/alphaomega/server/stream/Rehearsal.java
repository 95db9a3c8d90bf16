package io.alphaomega.server.stream;

import io.alphaomega.saga.SagaId;
import io.alphaomega.saga.SagaInput;
import io.alphaomega.saga.SagaInput.Carrying;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;

/**
 * Aborts a share of the sagas on purpose when their initiator commits, so that compensations run before they are needed.
 * Whether a saga is one of them depends on its id alone, so that a commit that comes again, or at another node, is
 * answered alike. One that is decided already stays as it was decided.
 */
final class Rehearsal {
    static final String CAUSE =
            "a rehearsal: it would have been committed, and is undone on purpose (alpha.rehearsal.share)";

    private static final double ALL = 1L << 32;

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
