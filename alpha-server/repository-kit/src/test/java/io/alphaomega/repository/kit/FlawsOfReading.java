package io.alphaomega.repository.kit;

import io.alphaomega.repository.Append;
import io.alphaomega.repository.AppendResult;
import io.alphaomega.repository.Cursor;
import io.alphaomega.repository.Page;
import io.alphaomega.repository.SagaCounts;
import io.alphaomega.repository.SagaQuery;
import io.alphaomega.repository.SagaRepository;
import io.alphaomega.repository.SagaSummary;
import io.alphaomega.repository.SagaSummary.State;
import io.alphaomega.saga.SagaId;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/** Repositories that find wrongly, each in one way. */
final class FlawsOfReading {
    private FlawsOfReading() {}

    static final class IsDueTooLate extends Broken {
        IsDueTooLate(SagaRepository sound) {
            super(sound);
        }

        @Override
        public Page<SagaId> due(Instant until, Cursor cursor, int limit) {
            return super.due(until.minusMillis(1), cursor, limit);
        }
    }

    /** The next page begins with the last of this one. */
    static final class IsDueTwice extends Broken {
        IsDueTwice(SagaRepository sound) {
            super(sound);
        }

        @Override
        public Page<SagaId> due(Instant until, Cursor cursor, int limit) {
            Page<SagaId> page = super.due(until, cursor, limit);
            if (limit < 3 || page.next().isEmpty()) return page;
            return new Page<>(page.items(), super.due(until, cursor, limit - 1).next());
        }
    }

    /** As one that takes the time alone for the place: of those that share a moment, a page's end loses some. */
    static final class LosesTiesAtTheEndOfAPage extends Broken {
        LosesTiesAtTheEndOfAPage(SagaRepository sound) {
            super(sound);
        }

        @Override
        public Page<SagaId> due(Instant until, Cursor cursor, int limit) {
            Page<SagaId> page = super.due(until, cursor, limit);
            return new Page<>(
                    page.items(),
                    page.next()
                            .map(next -> new Cursor(
                                    next.value().substring(0, next.value().indexOf(' ') + 1) + "~")));
        }
    }

    static final class IsDueInAnyOrder extends Broken {
        IsDueInAnyOrder(SagaRepository sound) {
            super(sound);
        }

        @Override
        public Page<SagaId> due(Instant until, Cursor cursor, int limit) {
            Page<SagaId> page = super.due(until, cursor, limit);
            return new Page<>(page.items().reversed(), page.next());
        }
    }

    static final class NeverForgetsThatASagaWasDue extends Broken {
        private final Set<SagaId> ever = new HashSet<>();

        NeverForgetsThatASagaWasDue(SagaRepository sound) {
            super(sound);
        }

        @Override
        public Page<SagaId> due(Instant until, Cursor cursor, int limit) {
            Page<SagaId> page = super.due(until, cursor, limit);
            ever.addAll(page.items());
            if (page.next().isPresent()) return page;
            return new Page<>(
                    Stream.concat(page.items().stream(), ever.stream())
                            .distinct()
                            .toList(),
                    page.next());
        }
    }

    /** A cursor that says how many were seen moves when others are begun. */
    static final class CountsItsWay extends Broken {
        CountsItsWay(SagaRepository sound) {
            super(sound);
        }

        @Override
        public Page<SagaSummary> find(SagaQuery query, Cursor cursor, int limit) {
            List<SagaSummary> all = super.find(query, Cursor.START, PAGE_MAX).items();
            super.find(query, Cursor.START, limit);
            int seen;
            try {
                seen = cursor.equals(Cursor.START) ? 0 : Integer.parseInt(cursor.value());
            } catch (NumberFormatException e) {
                throw new IllegalArgumentException(e);
            }
            int end = Math.min(all.size(), seen + limit);
            return new Page<>(
                    all.subList(Math.min(seen, end), end),
                    end < all.size() ? Optional.of(new Cursor(Integer.toString(end))) : Optional.empty());
        }
    }

    /** As a search engine whose results end at ten thousand. */
    static final class IsDueTenThousandTimes extends Broken {
        private final AtomicInteger seen = new AtomicInteger();

        IsDueTenThousandTimes(SagaRepository sound) {
            super(sound);
        }

        @Override
        public Page<SagaId> due(Instant until, Cursor cursor, int limit) {
            Page<SagaId> page = super.due(until, cursor, limit);
            if (cursor.equals(Cursor.START)) seen.set(0);
            return seen.addAndGet(page.items().size()) < 10_000 ? page : new Page<>(page.items(), Optional.empty());
        }
    }

    static final class LosesTheLastOfAPage extends Broken {
        LosesTheLastOfAPage(SagaRepository sound) {
            super(sound);
        }

        @Override
        public Page<SagaSummary> find(SagaQuery query, Cursor cursor, int limit) {
            Page<SagaSummary> page = super.find(query, cursor, limit);
            return page.next().isEmpty()
                    ? page
                    : new Page<>(page.items().subList(0, page.items().size() - 1), page.next());
        }
    }

    static final class FindsTheOldestFirst extends Broken {
        FindsTheOldestFirst(SagaRepository sound) {
            super(sound);
        }

        @Override
        public Page<SagaSummary> find(SagaQuery query, Cursor cursor, int limit) {
            Page<SagaSummary> page = super.find(query, cursor, limit);
            return new Page<>(page.items().reversed(), page.next());
        }
    }

    static final class OrdersTiesIgnoringCase extends Broken {
        OrdersTiesIgnoringCase(SagaRepository sound) {
            super(sound);
        }

        @Override
        public Page<SagaSummary> find(SagaQuery query, Cursor cursor, int limit) {
            Page<SagaSummary> page = super.find(query, cursor, limit);
            Comparator<SagaSummary> order = Comparator.comparing(SagaSummary::begunAt)
                    .thenComparing(saga -> saga.id().value(), String.CASE_INSENSITIVE_ORDER);
            return new Page<>(page.items().stream().sorted(order.reversed()).toList(), page.next());
        }
    }

    static final class EndsWithAnEmptyPage extends Broken {
        EndsWithAnEmptyPage(SagaRepository sound) {
            super(sound);
        }

        @Override
        public Page<SagaSummary> find(SagaQuery query, Cursor cursor, int limit) {
            Page<SagaSummary> page = super.find(query, cursor, limit);
            if (page.items().size() < limit || page.next().isPresent()) return page;
            SagaSummary last = page.items().getLast();
            return new Page<>(
                    page.items(), Optional.of(new Cursor(last.begunAt().toEpochMilli() + " " + last.id())));
        }
    }

    static final class AcceptsAnyLimit extends Broken {
        AcceptsAnyLimit(SagaRepository sound) {
            super(sound);
        }

        @Override
        public Page<SagaSummary> find(SagaQuery query, Cursor cursor, int limit) {
            return super.find(query, cursor, Math.clamp(limit, 1, PAGE_MAX));
        }
    }

    static final class BeginsAgainOnAForeignCursor extends Broken {
        BeginsAgainOnAForeignCursor(SagaRepository sound) {
            super(sound);
        }

        @Override
        public Page<SagaId> due(Instant until, Cursor cursor, int limit) {
            try {
                return super.due(until, cursor, limit);
            } catch (IllegalArgumentException e) {
                return super.due(until, Cursor.START, Math.clamp(limit, 1, PAGE_MAX));
            }
        }
    }

    static final class CutsTimesToSeconds extends Broken {
        CutsTimesToSeconds(SagaRepository sound) {
            super(sound);
        }

        @Override
        AppendResult append(Append item) {
            SagaSummary s = item.summary();
            return super.append(with(
                    item,
                    new SagaSummary(
                            s.id(),
                            s.state(),
                            s.service(),
                            s.operation(),
                            s.businessKey(),
                            s.services(),
                            s.branches(),
                            s.reason(),
                            s.manual(),
                            s.begunAt(),
                            s.updatedAt().truncatedTo(ChronoUnit.SECONDS),
                            s.endedAt(),
                            s.wakeUpAt(),
                            s.attributes(),
                            s.orderedAt())));
        }
    }

    static final class CountsEveryStateASagaWasIn extends Broken {
        private final Map<State, Set<SagaId>> ever = new EnumMap<>(State.class);

        CountsEveryStateASagaWasIn(SagaRepository sound) {
            super(sound);
        }

        @Override
        synchronized AppendResult append(Append item) {
            ever.computeIfAbsent(item.summary().state(), state -> new HashSet<>())
                    .add(item.id());
            return super.append(item);
        }

        @Override
        public SagaCounts counts(Set<State> states) {
            Map<State, Long> counts = new EnumMap<>(State.class);
            ever.forEach((state, sagas) -> counts.put(state, (long) sagas.size()));
            counts.keySet().retainAll(states);
            return new SagaCounts(counts);
        }
    }

    /** Counts all of them, whichever are asked for. */
    static final class CountsWhatNobodyAskedFor extends Broken {
        CountsWhatNobodyAskedFor(SagaRepository sound) {
            super(sound);
        }

        @Override
        public SagaCounts counts(Set<State> states) {
            return super.counts(Set.of(State.values()));
        }
    }
}
