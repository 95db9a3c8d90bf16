package io.alphaomega.repository.kit;

import io.alphaomega.repository.Append;
import io.alphaomega.repository.AppendResult;
import io.alphaomega.repository.Attribute;
import io.alphaomega.repository.Cursor;
import io.alphaomega.repository.Page;
import io.alphaomega.repository.SagaQuery;
import io.alphaomega.repository.SagaRepository;
import io.alphaomega.repository.SagaSummary;
import io.alphaomega.repository.SagaSummary.State;
import io.alphaomega.saga.SagaId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiPredicate;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/** Repositories whose indexes of orders and attributes are not what the sagas are, each in one way. */
final class FlawsOfMarks {
    private FlawsOfMarks() {}

    /** A flaw in what is listed of the orders. */
    static final class Lists extends Broken {
        private final UnaryOperator<List<SagaSummary>> change;

        private Lists(SagaRepository sound, UnaryOperator<List<SagaSummary>> change) {
            super(sound);
            this.change = change;
        }

        @Override
        public Page<SagaSummary> ordered(Instant since, Cursor cursor, int limit) {
            Page<SagaSummary> page = super.ordered(since, cursor, limit);
            return new Page<>(change.apply(page.items()), page.next());
        }

        static Broken theOldestFirst(SagaRepository sound) {
            return new Lists(sound, List::reversed);
        }

        /** As a list that is filtered after it was cut into pages, and then ends one too early. */
        static Broken allButTheLast(SagaRepository sound) {
            return new Lists(sound, items -> items.subList(0, Math.max(0, items.size() - 1)));
        }

        /** As an index that a saga leaves when it has ended. */
        static Broken openSagasOnly(SagaRepository sound) {
            return new Lists(
                    sound,
                    items -> items.stream()
                            .filter(saga -> !saga.state().isEnded())
                            .toList());
        }
    }

    /** As an index that gets an entry with each order, and loses none. */
    static final class ListsEachOrder extends Broken {
        private final Map<SagaId, List<Instant>> orders = new ConcurrentHashMap<>();

        ListsEachOrder(SagaRepository sound) {
            super(sound);
        }

        @Override
        AppendResult append(Append item) {
            item.summary().orderedAt().ifPresent(at -> {
                List<Instant> so = orders.computeIfAbsent(item.id(), id -> new ArrayList<>());
                if (!so.contains(at)) so.add(at);
            });
            return super.append(item);
        }

        @Override
        public Page<SagaSummary> ordered(Instant since, Cursor cursor, int limit) {
            Page<SagaSummary> page = super.ordered(since, cursor, limit);
            return new Page<>(
                    page.items().stream()
                            .flatMap(saga ->
                                    Collections.nCopies(
                                            orders.getOrDefault(saga.id(), List.of())
                                                    .size(),
                                            saga)
                                            .stream())
                            .toList(),
                    page.next());
        }
    }

    /** As one that writes the mark with the state, and only then. */
    static final class MissesAnOrderThatChangesNothingElse extends Broken {
        private final Map<SagaId, State> states = new ConcurrentHashMap<>();

        MissesAnOrderThatChangesNothingElse(SagaRepository sound) {
            super(sound);
        }

        @Override
        AppendResult append(Append item) {
            SagaSummary saga = item.summary();
            boolean same = saga.state() == states.put(item.id(), saga.state());
            return super.append(same ? with(item, without(saga)) : item);
        }

        private static SagaSummary without(SagaSummary s) {
            return new SagaSummary(
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
                    s.updatedAt(),
                    s.endedAt(),
                    s.wakeUpAt(),
                    s.attributes(),
                    Optional.empty());
        }
    }

    static final class TakesSinceForExclusive extends Broken {
        TakesSinceForExclusive(SagaRepository sound) {
            super(sound);
        }

        @Override
        public Page<SagaSummary> ordered(Instant since, Cursor cursor, int limit) {
            return super.ordered(since.plusMillis(1), cursor, limit);
        }
    }

    /** The place in one list is taken for a place in the other. */
    static final class TakesAnyCursor extends Broken {
        TakesAnyCursor(SagaRepository sound) {
            super(sound);
        }

        @Override
        public Page<SagaSummary> ordered(Instant since, Cursor cursor, int limit) {
            return super.ordered(since, new Cursor(cursor.value().replaceFirst("^f", "o")), limit);
        }
    }

    /** What is purged leaves the table of sagas, but not that of orders. */
    static final class KeepsTheMarksOfPurgedSagas extends Broken {
        private final Map<SagaId, SagaSummary> marked = new ConcurrentHashMap<>();

        KeepsTheMarksOfPurgedSagas(SagaRepository sound) {
            super(sound);
        }

        @Override
        AppendResult append(Append item) {
            if (item.summary().orderedAt().isPresent()
                    || !item.summary().attributes().isEmpty()) {
                marked.put(item.id(), item.summary());
            }
            return super.append(item);
        }

        @Override
        public Page<SagaSummary> ordered(Instant since, Cursor cursor, int limit) {
            return with(
                    super.ordered(since, cursor, limit),
                    saga -> saga.orderedAt().isPresent());
        }

        @Override
        public Page<SagaSummary> find(SagaQuery query, Cursor cursor, int limit) {
            Page<SagaSummary> page = super.find(query, cursor, limit);
            return query.attribute().isPresent() ? with(page, query::matches) : page;
        }

        private Page<SagaSummary> with(Page<SagaSummary> page, Predicate<SagaSummary> like) {
            List<SagaSummary> more = new ArrayList<>(page.items());
            marked.values().stream()
                    .filter(saga -> like.test(saga) && !more.contains(saga))
                    .forEach(more::add);
            return new Page<>(more, page.next());
        }
    }

    /** A flaw in which attributes match: looks at all that matches otherwise, on one large page. */
    static final class Matches extends Broken {
        private final BiPredicate<Attribute, SagaSummary> matching;

        private Matches(SagaRepository sound, BiPredicate<Attribute, SagaSummary> matching) {
            super(sound);
            this.matching = matching;
        }

        @Override
        public Page<SagaSummary> find(SagaQuery query, Cursor cursor, int limit) {
            if (query.attribute().isEmpty() || query.service().isEmpty()) return super.find(query, cursor, limit);
            Attribute wanted = query.attribute().get();
            List<SagaSummary> found = super.find(
                            SagaQuery.ALL.of(query.service().get()), cursor, PAGE_MAX)
                    .items();
            return new Page<>(
                    found.stream().filter(saga -> matching.test(wanted, saga)).toList(), Optional.empty());
        }

        static Broken ignoringCase(SagaRepository sound) {
            return new Matches(
                    sound,
                    (wanted, saga) ->
                            wanted.value().equalsIgnoreCase(saga.attributes().get(wanted.name())));
        }

        static Broken anyName(SagaRepository sound) {
            return new Matches(sound, (wanted, saga) -> saga.attributes().containsValue(wanted.value()));
        }

        /** As an index of {@code name=value} without a thought of names that have an equals sign. */
        static Broken byTheJoinedText(SagaRepository sound) {
            return new Matches(
                    sound,
                    (wanted, saga) -> saga.attributes().entrySet().stream()
                            .anyMatch(each -> (each.getKey() + "=" + each.getValue())
                                    .equals(wanted.name() + "=" + wanted.value())));
        }
    }

    /** As an index that is written when a saga begins, and then no more. */
    static final class RemembersTheFirstAttributes extends Broken {
        private final Map<SagaId, Map<String, String>> first = new ConcurrentHashMap<>();

        RemembersTheFirstAttributes(SagaRepository sound) {
            super(sound);
        }

        @Override
        AppendResult append(Append item) {
            first.putIfAbsent(item.id(), item.summary().attributes());
            return super.append(item);
        }

        @Override
        public Page<SagaSummary> find(SagaQuery query, Cursor cursor, int limit) {
            Page<SagaSummary> page = super.find(query, cursor, limit);
            if (query.attribute().isEmpty()) return page;
            return new Page<>(
                    page.items().stream()
                            .filter(saga -> saga.attributes().equals(first.get(saga.id())))
                            .toList(),
                    page.next());
        }
    }

    /** As one that has found the sagas by their attribute, and looks at nothing else. */
    static final class LooksAtNothingButTheAttribute extends Broken {
        LooksAtNothingButTheAttribute(SagaRepository sound) {
            super(sound);
        }

        @Override
        public Page<SagaSummary> find(SagaQuery query, Cursor cursor, int limit) {
            return super.find(query.attribute().map(SagaQuery.ALL::attribute).orElse(query), cursor, limit);
        }
    }
}
