package io.alphaomega.server.sweep;

import io.alphaomega.repository.Cursor;
import io.alphaomega.repository.RepositoryUnavailableException;
import io.alphaomega.repository.SagaQuery;
import io.alphaomega.repository.SagaRepository;
import io.alphaomega.repository.SagaSummary;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Finds about when the oldest open saga began. Stores list the newest first, so it asks for the newest that began before some
 * time, twice as long ago each time until there is none. One that is still open is still the oldest: usually it is a
 * question or two. For one thread.
 */
final class OldestOpen {
    /** What is younger is not worth a question. */
    static final Duration YOUNG = Duration.ofSeconds(10);

    /** By this part of its age the oldest may be older than the one that is found. */
    private static final int PRECISION = 4;

    private final SagaRepository repository;
    private Optional<Instant> last = Optional.empty();

    OldestOpen(SagaRepository repository) {
        this.repository = repository;
    }

    /** Empty if none began more than {@link #YOUNG} ago, or if the store gives up. */
    Optional<Instant> look(Instant now) {
        try {
            Optional<Instant> same = last.flatMap(known -> newestBefore(known.plusMillis(1)));
            last = same.isPresent() ? same : search(now);
        } catch (RepositoryUnavailableException e) {
            last = Optional.empty(); // Nothing else waits for it.
        }
        return last;
    }

    private Optional<Instant> search(Instant now) {
        Optional<Instant> found = newestBefore(now.minus(YOUNG));
        if (found.isEmpty()) return found;
        Instant oldest = found.get();
        Instant none = Instant.EPOCH;
        while (Duration.between(none, oldest).multipliedBy(PRECISION).compareTo(Duration.between(oldest, now)) > 0) {
            Duration age = Duration.between(oldest, now);
            Instant twice = now.minus(age.multipliedBy(2));
            Instant half = none.plus(Duration.between(none, oldest).dividedBy(2));
            Instant before = twice.isAfter(half) ? twice : half;
            Optional<Instant> older = newestBefore(before);
            if (older.isPresent()) oldest = older.get();
            else none = before;
        }
        return Optional.of(oldest);
    }

    private Optional<Instant> newestBefore(Instant begun) {
        SagaQuery open = SagaQuery.ALL.in(StuckSagas.OPEN).to(begun);
        return repository.find(open, Cursor.START, 1).items().stream()
                .findFirst()
                .map(SagaSummary::begunAt);
    }
}
