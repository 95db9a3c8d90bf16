package io.alphaomega.server.changes;

import io.alphaomega.repository.RepositoryUnavailableException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.web.ErrorResponseException;

/**
 * Something that is looked at every two seconds while somebody watches: by one of those who do, for all of them. So it
 * costs the same however many they are, and nothing when they have gone.
 */
final class Watched<T> {
    static final Duration EVERY = Duration.ofSeconds(2);

    private final Supplier<T> look;
    private final Watchers watchers;
    private final ReentrantLock looking = new ReentrantLock();
    private volatile @Nullable Look<T> latest;

    Watched(Supplier<T> look, Watchers watchers) {
        this.look = look;
        this.watchers = watchers;
    }

    /** The look after {@code seen}, for which this waits; the latest, if nothing was seen. Empty once this node stops. */
    Optional<Look<T>> after(@Nullable Look<T> seen) throws InterruptedException {
        Duration pause = seen == null || isNews(seen) ? Duration.ZERO : EVERY.minus(seen.age());
        if (watchers.stopsWithin(pause)) return Optional.empty();
        looking.lock();
        try {
            Look<T> known = latest;
            if (known == null || !isNews(seen) || known.age().compareTo(EVERY) >= 0) known = look();
            latest = known;
            return Optional.of(known);
        } finally {
            looking.unlock();
        }
    }

    /** Whether somebody has looked since. */
    private boolean isNews(@Nullable Look<T> seen) {
        Look<T> known = latest;
        return known != null && (seen == null || known.at() != seen.at());
    }

    private Look<T> look() {
        long now = System.nanoTime();
        try {
            return new Look.Found<>(now, look.get());
        } catch (RepositoryUnavailableException | ErrorResponseException e) {
            return new Look.Failed<>(now, e);
        }
    }
}
