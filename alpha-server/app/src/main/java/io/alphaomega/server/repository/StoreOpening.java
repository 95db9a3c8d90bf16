package io.alphaomega.server.repository;

import io.alphaomega.repository.RepositoryUnavailableException;
import io.alphaomega.repository.SagaRepository;
import io.alphaomega.server.properties.RefusedPropertyException;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The opening of a plugin at start, which waits for a while for a store that is not there: after a power failure it starts
 * at the same time as alpha. A store that is there and cannot be used is a reason not to start at once.
 */
final class StoreOpening {
    /** Too short for anybody to notice, and nothing for a store that is busy with its own start. */
    private static final Duration PAUSE = Duration.ofMillis(250);

    private static final Logger LOG = LoggerFactory.getLogger(StoreOpening.class);

    /** The property that says where the store is, and begins the sentence of a refusal. */
    private final String place;

    private final Duration patience;

    StoreOpening(String place, Duration patience) {
        this.place = place;
        this.patience = patience;
    }

    /**
     * Opens it, or closes it for good.
     *
     * @throws RefusedPropertyException if it is not there in time, or must not be used
     */
    <R extends SagaRepository> R open(R repository) {
        boolean open = false;
        try {
            await(repository);
            open = true;
            return repository;
        } catch (IllegalStateException | RepositoryUnavailableException e) {
            throw new RefusedPropertyException(place + ": " + e.getMessage(), e);
        } finally {
            if (!open) repository.close();
        }
    }

    private void await(SagaRepository repository) {
        long began = 0;
        for (boolean waits = false; true; waits = true) {
            try {
                repository.durability();
                if (waits)
                    LOG.info("The store is there, after {} s.", since(began).toSeconds());
                return;
            } catch (RepositoryUnavailableException e) {
                // Not interrupted any more, so that what is open already is closed in order.
                if (Thread.interrupted()) {
                    throw new IllegalStateException("The node was asked to stop before its store was there.", e);
                }
                if (e.isRefusal() || patience.isZero()) throw e;
                if (waits && since(began).compareTo(patience) >= 0) throw e;
                if (!waits) {
                    LOG.warn("{} Alpha waits up to {} s for its store.", e.getMessage(), patience.toSeconds());
                    began = System.nanoTime();
                }
            }
            LockSupport.parkNanos(PAUSE.toNanos());
        }
    }

    private static Duration since(long nanos) {
        return Duration.ofNanos(System.nanoTime() - nanos);
    }
}
