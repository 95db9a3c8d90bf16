package io.alphaomega.server.saga;

import io.alphaomega.saga.BranchId;
import io.alphaomega.saga.SagaId;
import io.alphaomega.saga.Suspension;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.SequencedMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What this node has told people of suspended sagas: each suspension once, however often the saga leaves memory and is
 * loaded again. Safe for use by many threads.
 */
final class Alerts {
    /** Some 10 MB. Of further ones there is a line of log for each already; those told of first may be told of again. */
    static final int REMEMBERED_MAX = 50_000;

    /** The actor's, which it speaks for. */
    private static final Logger LOG = LoggerFactory.getLogger(SagaActor.class);

    /** Which of its suspensions: a saga may be suspended for one branch after the other at one moment. */
    private record Told(Instant at, BranchId branch) {}

    /** Oldest first. */
    private final SequencedMap<SagaId, Told> told = new LinkedHashMap<>();

    void raise(SagaId saga, Suspension why) {
        Told now = new Told(why.at(), why.branch());
        Told before;
        synchronized (told) {
            before = told.put(saga, now);
            if (told.size() > REMEMBERED_MAX) told.pollFirstEntry();
        }
        if (now.equals(before)) return;
        LOG.warn(
                "Saga {} is suspended and waits for a person: {} of branch {} in service {}: {}",
                saga,
                why.reason(),
                why.branch(),
                why.service(),
                why.lastError());
    }

    /** It is not suspended any more. */
    void withdraw(SagaId saga) {
        synchronized (told) {
            told.remove(saga);
        }
    }
}
