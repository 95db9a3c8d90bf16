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
import java.util.concurrent.locks.ReentrantLock;
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
    private final ReentrantLock looking = new ReentrantLock();
    private volatile @Nullable Look last;

    /** What the journals said. */
    private record Look(Instant at, Looked undone, Looked committed, Runs runs) {}

    CoverageReader(SagaRepository repository, Clock clock) {
        this.repository = repository;
        this.clock = clock;
    }

    /** Of the journals as they were within the last minute, and of what {@code insight} says is offered. */
    public Coverage coverage(ClusterInsight insight) {
        Map<String, Set<String>> offers = insight.services().stream()
                .collect(Collectors.toMap(ClusterInsight.Service::name, ClusterInsight.Service::callbacks));
        Look look = look(offers);
        return new Coverage(
                look.at(),
                insight.silent(),
                look.undone(),
                look.committed(),
                look.runs().callbacks(offers));
    }

    /** While somebody looks, others see what was found before. */
    private Look look(Map<String, Set<String>> offers) {
        Look known = last;
        if (known != null && (isFresh(known) || looking.isLocked())) return known;
        looking.lock();
        try {
            known = last;
            if (known != null && isFresh(known)) return known;
            Look found = lookAnew(offers);
            last = found;
            return found;
        } finally {
            looking.unlock();
        }
    }

    private boolean isFresh(Look look) {
        return clock.instant().isBefore(look.at().plus(FRESH));
    }

    private Look lookAnew(Map<String, Set<String>> offers) {
        Instant now = clock.instant();
        Runs runs = new Runs();
        Looked undone = read(State.COMPENSATED, UNDONE_MAX, runs);
        Looked committed = runs.haveAll(offers)
                ? new Looked(0, Optional.empty(), false)
                : read(State.COMMITTED, COMMITTED_MAX, runs);
        return new Look(now, undone, committed, runs);
    }

    private Looked read(State state, int limit, Runs runs) {
        Page<SagaSummary> page = repository.find(SagaQuery.ALL.in(state), Cursor.START, limit);
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
