package io.alphaomega.server.coverage;

import io.alphaomega.repository.Cursor;
import io.alphaomega.repository.Page;
import io.alphaomega.repository.SagaQuery;
import io.alphaomega.repository.SagaRepository;
import io.alphaomega.repository.SagaSummary;
import io.alphaomega.repository.SagaSummary.State;
import io.alphaomega.saga.CorruptJournalException;
import io.alphaomega.server.coverage.Coverage.Looked;
import io.alphaomega.server.insight.ClusterInsight;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/**
 * Reads it from the journals of the youngest sagas that have ended. Every store finds these by an index, whatever else it
 * has. Nothing is counted while nobody asks.
 */
@Component
public final class CoverageReader {
    /** Each costs a look at its journal. A compensation that none of so many has needed is rare enough to be rehearsed. */
    static final int UNDONE_MAX = SagaRepository.PAGE_MAX;

    /** Few services confirm; most of these are looked at in vain, and only if something is still missing. */
    static final int COMMITTED_MAX = 200;

    /** However many people ask. */
    private static final Duration FRESH = Duration.ofMinutes(1);

    private final SagaRepository repository;
    private final Clock clock;
    private Map<String, Set<String>> offered = Map.of();
    private @Nullable Coverage last;

    CoverageReader(SagaRepository repository, Clock clock) {
        this.repository = repository;
        this.clock = clock;
    }

    /** At most a minute old, but for what {@code insight} says is offered. */
    public synchronized Coverage coverage(ClusterInsight insight) {
        Instant now = clock.instant();
        Map<String, Set<String>> offers = insight.services().stream()
                .collect(Collectors.toMap(ClusterInsight.Service::name, ClusterInsight.Service::callbacks));
        Coverage known = last;
        if (known != null && offers.equals(offered) && now.isBefore(known.asOf().plus(FRESH))) return known;
        Coverage fresh = look(offers, now);
        offered = offers;
        last = fresh;
        return fresh;
    }

    private Coverage look(Map<String, Set<String>> offers, Instant now) {
        Runs runs = new Runs();
        offers.forEach((service, callbacks) -> callbacks.forEach(callback -> runs.offered(service, callback)));
        Looked undone = look(State.COMPENSATED, UNDONE_MAX, runs);
        Looked committed = runs.isAnyMissing()
                ? look(State.COMMITTED, COMMITTED_MAX, runs)
                : new Looked(0, Optional.empty(), false);
        return new Coverage(now, undone, committed, runs.callbacks());
    }

    private Looked look(State state, int limit, Runs runs) {
        Page<SagaSummary> page = repository.find(SagaQuery.ALL.in(Set.of(state)), Cursor.START, limit);
        for (SagaSummary saga : page.items()) {
            try {
                runs.read(repository.load(saga.id()).events());
            } catch (CorruptJournalException e) {
                // The page of stuck sagas has it.
            }
        }
        Optional<Instant> since =
                page.items().stream().map(SagaSummary::begunAt).min(Instant::compareTo);
        return new Looked(page.items().size(), since, page.next().isEmpty());
    }
}
