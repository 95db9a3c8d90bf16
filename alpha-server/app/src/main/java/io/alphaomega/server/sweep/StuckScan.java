package io.alphaomega.server.sweep;

import io.alphaomega.repository.Cursor;
import io.alphaomega.repository.Page;
import io.alphaomega.repository.RepositoryUnavailableException;
import io.alphaomega.repository.SagaQuery;
import io.alphaomega.repository.SagaRepository;
import io.alphaomega.repository.SagaSummary;
import io.alphaomega.repository.SagaSummary.State;
import io.alphaomega.repository.StoredEvent;
import io.alphaomega.saga.CorruptJournalException;
import io.alphaomega.saga.Outcome;
import io.alphaomega.saga.SagaEvent;
import io.alphaomega.saga.SagaId;
import io.alphaomega.saga.SagaRules;
import io.alphaomega.saga.SagaState;
import io.alphaomega.saga.Stuck;
import io.alphaomega.server.journal.JournalCodec;
import io.alphaomega.server.journal.JournalUnreadableException;
import io.alphaomega.server.sweep.StuckSagas.InFlight;
import io.alphaomega.wire.WireAnswers;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Finds the sagas that are stuck. It looks at the summaries of all that are decided and not over, which are few where all
 * is well, and at those that are overdue; and it reads the journal of each that has changed since the last look. For one
 * thread at a time.
 */
final class StuckScan implements AutoCloseable {
    /** Some 50 MB. Who has more stuck sagas does not look at them one by one. */
    static final int KEPT_MAX = 100_000;

    /** Each holds a connection of the store, which others need. */
    private static final int LOADS = 4;

    /** What has just changed is moving: whatever it is told next, it is told soon. Who still moves at the next look is read. */
    private static final Duration MOVING = Duration.ofSeconds(2);

    /** The suspended ones first: of too many, they are those that need somebody. */
    private static final List<Set<State>> DECIDED =
            List.of(Set.of(State.SUSPENDED), Set.of(State.COMPENSATING, State.CONFIRMING));

    /**
     * What one look at a saga has shown.
     *
     * @param stuck whatever holds it up, or will
     */
    private record Seen(SagaSummary summary, long sequence, List<Stuck> stuck, Optional<Outcome> decided) {
        /** For a service of which no instance was connected, for however short a time. */
        Optional<Stuck> missing() {
            return stuck.stream()
                    .filter(each -> each.reason() == Stuck.Reason.NO_PARTICIPANT)
                    .findFirst();
        }
    }

    /** @param found its summary, if it was read */
    private record Loading(SagaId id, Optional<SagaSummary> found) {}

    private final SagaRepository repository;
    private final ExecutorService loads = Executors.newFixedThreadPool(
            LOADS, Thread.ofVirtual().name("stuck-", 1).factory());
    private final OldestOpen oldestOpen;
    private Map<SagaId, Seen> known = Map.of();

    /** Those that were moving at the last look, and were not read: one that fails every second always is. */
    private Set<SagaId> moving = Set.of();

    StuckScan(SagaRepository repository) {
        this.repository = repository;
        this.oldestOpen = new OldestOpen(repository);
    }

    /** @throws RepositoryUnavailableException if the store is away; what was known stays known */
    StuckSagas scan(Instant now) {
        Look look = new Look(now);
        boolean moreDecided = false;
        for (Set<State> states : DECIDED) moreDecided |= readDecided(states, look);
        boolean moreOverdue = readOverdue(look);
        known = look.seen;
        moving = look.moving;
        List<StuckSaga> stuck = new ArrayList<>();
        List<StuckSaga> waiting = new ArrayList<>();
        for (Seen saga : look.seen.values()) {
            Optional<Stuck> why = Stuck.at(now, saga.stuck());
            if (why.isPresent()) stuck.add(told(saga, why.get()));
            else saga.missing().ifPresent(missing -> waiting.add(told(saga, missing)));
        }
        return StuckSagas.of(
                now,
                moreDecided || moreOverdue,
                repository.counts(StuckSagas.OPEN),
                oldestOpen.look(now),
                stuck,
                InFlight.of(waiting, look.moving.size(), look.decided));
    }

    /** What one look at all of them gathers. */
    private static final class Look {
        final Instant now;
        final Map<SagaId, Seen> seen = new HashMap<>();
        final Set<SagaId> moving = new HashSet<>();
        final Set<SagaId> decided = new HashSet<>();

        Look(Instant now) {
            this.now = now;
        }
    }

    private static StuckSaga told(Seen seen, Stuck why) {
        SagaSummary saga = seen.summary();
        return new StuckSaga(
                saga.id(),
                seen.sequence(),
                saga.state(),
                saga.service(),
                saga.operation(),
                saga.businessKey(),
                why,
                seen.decided());
    }

    /** Returns whether there are more than may be kept. */
    private boolean readDecided(Set<State> states, Look look) {
        SagaQuery decided = SagaQuery.ALL.in(states);
        Cursor cursor = Cursor.START;
        while (true) {
            Page<SagaSummary> page = repository.find(decided, cursor, SagaRepository.PAGE_MAX);
            List<Loading> changed = new ArrayList<>();
            for (SagaSummary saga : page.items()) {
                look.decided.add(saga.id());
                Seen before = known.get(saga.id());
                if (before != null && before.summary().updatedAt().equals(saga.updatedAt())) {
                    look.seen.put(saga.id(), before);
                } else if (saga.state() == State.SUSPENDED
                        || saga.updatedAt().isBefore(look.now.minus(MOVING))
                        || moving.contains(saga.id())
                        || (before != null && isHeld(before, look.now))) {
                    changed.add(new Loading(saga.id(), Optional.of(saga)));
                } else if (look.moving.size() < KEPT_MAX) {
                    look.moving.add(saga.id());
                }
            }
            load(changed, look.seen);
            if (page.next().isEmpty()) return false;
            if (look.seen.size() >= KEPT_MAX) return true;
            cursor = page.next().get();
        }
    }

    /** Whether it did not get on when it was read: what has changed since may be no more than another attempt. */
    private static boolean isHeld(Seen before, Instant now) {
        return Stuck.at(now, before.stuck()).isPresent() || before.missing().isPresent();
    }

    /** Those that should have been looked at. There may be many while the store is slow: the first of them will do. */
    private boolean readOverdue(Look look) {
        Page<SagaId> due = repository.due(look.now.minus(Stuck.LATE), Cursor.START, SagaRepository.PAGE_MAX);
        load(
                due.items().stream()
                        .filter(id -> !look.seen.containsKey(id))
                        .map(id -> new Loading(id, Optional.empty()))
                        .toList(),
                look.seen);
        return due.next().isPresent();
    }

    private void load(List<Loading> sagas, Map<SagaId, Seen> seen) {
        List<Callable<Optional<Seen>>> reading = sagas.stream()
                .map(saga -> (Callable<Optional<Seen>>) () -> read(saga))
                .toList();
        try {
            for (Future<Optional<Seen>> read : loads.invokeAll(reading)) {
                read.get().ifPresent(saga -> seen.put(saga.summary().id(), saga));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new RepositoryUnavailableException("Looking for stuck sagas was interrupted.", e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException cause) throw cause;
            throw new IllegalStateException(e);
        }
    }

    /** Empty if the saga is over by now. */
    private Optional<Seen> read(Loading saga) {
        SagaState state = new SagaState.Absent(saga.id());
        Instant lastAt = Instant.EPOCH;
        boolean unreadable = false;
        try {
            for (StoredEvent stored : repository.load(saga.id()).events()) {
                SagaEvent event = JournalCodec.decode(stored);
                state = SagaRules.evolve(state, event);
                lastAt = event.at();
            }
        } catch (JournalUnreadableException | CorruptJournalException e) {
            unreadable = true;
        }
        Optional<SagaSummary> summary = saga.found();
        List<Stuck> stuck = List.of();
        Optional<Outcome> decided = Optional.empty();
        if (state instanceof SagaState.Known readable) {
            SagaSummary read = SagaSummary.of(readable, lastAt);
            if (!unreadable) {
                summary = Optional.of(read);
                stuck = Stuck.of(readable);
                decided = StuckSaga.decided(readable);
            } else if (summary.isEmpty()) {
                summary = Optional.of(read);
            }
        }
        if (unreadable && summary.isPresent()) stuck = List.of(unreadable(summary.get()));
        if (stuck.isEmpty() || summary.isEmpty()) return Optional.empty();
        return Optional.of(new Seen(summary.get(), state.sequence(), stuck, decided));
    }

    /** As {@link io.alphaomega.server.saga.UnreadableSagas} are shown. */
    private static Stuck unreadable(SagaSummary saga) {
        return new Stuck(
                Stuck.Reason.SUSPENDED,
                WireAnswers.JOURNAL_UNREADABLE,
                saga.service(),
                Optional.empty(),
                Optional.empty(),
                saga.updatedAt(),
                saga.updatedAt());
    }

    @Override
    public void close() {
        loads.shutdown(); // What has begun ends, so that nobody waits for it for ever.
    }
}
