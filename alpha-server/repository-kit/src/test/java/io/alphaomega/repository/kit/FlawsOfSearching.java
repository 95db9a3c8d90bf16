package io.alphaomega.repository.kit;

import io.alphaomega.repository.Append;
import io.alphaomega.repository.AppendResult;
import io.alphaomega.repository.Cursor;
import io.alphaomega.repository.Page;
import io.alphaomega.repository.SagaQuery;
import io.alphaomega.repository.SagaRepository;
import io.alphaomega.repository.SagaSummary;
import io.alphaomega.saga.SagaId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Repositories that take other sagas for those that are looked for, each in one way. */
final class FlawsOfSearching {
    private FlawsOfSearching() {}

    /** A flaw in what is asked. */
    static final class ChangesQueries extends Broken {
        private final UnaryOperator<SagaQuery> change;

        private ChangesQueries(SagaRepository sound, UnaryOperator<SagaQuery> change) {
            super(sound);
            this.change = change;
        }

        @Override
        public Page<SagaSummary> find(SagaQuery query, Cursor cursor, int limit) {
            return super.find(change.apply(query), cursor, limit);
        }

        static Broken takesToForInclusive(SagaRepository sound) {
            return new ChangesQueries(
                    sound, q -> q.to().map(to -> q.to(to.plusMillis(1))).orElse(q));
        }

        static Broken takesFromForExclusive(SagaRepository sound) {
            return new ChangesQueries(
                    sound, q -> q.from().map(from -> q.from(from.plusMillis(1))).orElse(q));
        }

        static Broken ignoresAllStatesButOne(SagaRepository sound) {
            return new ChangesQueries(
                    sound, q -> q.in(Set.copyOf(q.states().stream().limit(1).toList())));
        }

        static Broken ignoresTheText(SagaRepository sound) {
            return new ChangesQueries(sound, q -> q.text(""));
        }

        static Broken ignoresTheReason(SagaRepository sound) {
            return new ChangesQueries(sound, q -> q.reason().isPresent() ? q.reason("") : q);
        }

        /** As a full-text search that knows no fields. */
        static Broken takesTheReasonForAnyText(SagaRepository sound) {
            return new ChangesQueries(
                    sound, q -> q.reason().map(part -> q.reason("").text(part)).orElse(q));
        }

        static Broken takesTheLastChangeForExclusive(SagaRepository sound) {
            return new ChangesQueries(
                    sound,
                    q -> q.changedSince()
                            .map(since -> q.changedSince(since.plusMillis(1)))
                            .orElse(q));
        }

        static Broken takesTheDurationForExclusive(SagaRepository sound) {
            return new ChangesQueries(
                    sound,
                    q -> q.lasting()
                            .map(lasting -> q.lasting(lasting.atLeast().plusMillis(1), lasting.asOf()))
                            .orElse(q));
        }
    }

    /** A flaw in which texts match: asked without a text, filtered afterwards, on one large page. */
    static class MatchesTexts extends Broken {
        /** Whether a field matches. */
        interface Matching {
            boolean matches(String field, String text);
        }

        private final Matching matching;

        private MatchesTexts(SagaRepository sound, Matching matching) {
            super(sound);
            this.matching = matching;
        }

        @Override
        public Page<SagaSummary> find(SagaQuery q, Cursor cursor, int limit) {
            if (q.text().isEmpty()) return super.find(q, cursor, limit);
            List<SagaSummary> matching = super.find(q.text(""), cursor, PAGE_MAX).items().stream()
                    .filter(saga -> Stream.of(saga.id().value(), saga.businessKey(), saga.operation(), saga.reason())
                            .anyMatch(field ->
                                    this.matching.matches(field, q.text().get())))
                    .toList();
            return new Page<>(matching, Optional.empty());
        }

        static Broken byCase(SagaRepository sound) {
            return new MatchesTexts(sound, String::contains);
        }

        static Broken byWildcards(SagaRepository sound) {
            return new MatchesTexts(sound, (field, text) -> {
                String pattern = Pattern.quote(text).replace("%", "\\E.*\\Q").replace("_", "\\E.\\Q");
                return Pattern.compile(pattern, Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CASE | Pattern.DOTALL)
                        .matcher(field)
                        .find();
            });
        }

        static Broken byPrefix(SagaRepository sound) {
            return new MatchesTexts(sound, (field, text) -> field.regionMatches(true, 0, text, 0, text.length()));
        }
    }

    /** A flaw in what is found: looks at all of the service, on one large page, and takes those that it thinks are meant. */
    static final class Looks extends Broken {
        /** Whether a saga is taken for one that is looked for. */
        interface Taking {
            boolean takes(SagaQuery query, SagaSummary saga);
        }

        private final Predicate<SagaQuery> concerned;
        private final Taking taking;

        private Looks(SagaRepository sound, Predicate<SagaQuery> concerned, Taking taking) {
            super(sound);
            this.concerned = concerned;
            this.taking = taking;
        }

        @Override
        public Page<SagaSummary> find(SagaQuery query, Cursor cursor, int limit) {
            if (!concerned.test(query)) return super.find(query, cursor, limit);
            SagaQuery all = query.service().map(SagaQuery.ALL::of).orElse(SagaQuery.ALL);
            List<SagaSummary> found =
                    super.find(all.in(query.states()), cursor, PAGE_MAX).items();
            return new Page<>(
                    found.stream().filter(saga -> taking.takes(query, saga)).toList(), Optional.empty());
        }

        static Broken atKeysIgnoringCase(SagaRepository sound) {
            return new Looks(
                    sound,
                    query -> query.businessKey().isPresent(),
                    (query, saga) -> saga.businessKey()
                            .equalsIgnoreCase(query.businessKey().orElseThrow()));
        }

        /** As an index of the first letters whose rows nobody compares. */
        static Broken atTheFirstLettersOfKeys(SagaRepository sound) {
            return new Looks(
                    sound,
                    query -> query.businessKey().isPresent(),
                    (query, saga) -> first(saga.businessKey())
                            .equals(first(query.businessKey().orElseThrow())));
        }

        private static String first(String key) {
            return key.substring(0, Math.min(255, key.length()));
        }

        static Broken atPartsOfOperations(SagaRepository sound) {
            return new Looks(
                    sound,
                    query -> query.operation().isPresent(),
                    (query, saga) -> saga.operation().contains(query.operation().orElseThrow()));
        }

        static Broken atBeginningsOfIds(SagaRepository sound) {
            return new Looks(
                    sound,
                    query -> query.id().isPresent(),
                    (query, saga) -> saga.id()
                            .value()
                            .startsWith(query.id().orElseThrow().value()));
        }

        /** As one that computes with the present what has long been over. */
        static Broken atEndedSagasAsIfTheyWereOpen(SagaRepository sound) {
            return new Looks(
                    sound,
                    query -> query.lasting().isPresent(),
                    (query, saga) -> !saga.begunAt()
                            .isAfter(query.lasting().orElseThrow().openBegunBy()));
        }

        static Broken atEndedSagasOnly(SagaRepository sound) {
            return new Looks(
                    sound,
                    query -> query.lasting().isPresent(),
                    (query, saga) -> saga.endedAt().isPresent() && query.matches(saga));
        }
    }

    /** As an index of keys that is written when a saga begins, and then no more. */
    static final class RemembersTheFirstKey extends Broken {
        private final Map<SagaId, String> first = new ConcurrentHashMap<>();

        RemembersTheFirstKey(SagaRepository sound) {
            super(sound);
        }

        @Override
        AppendResult append(Append item) {
            first.putIfAbsent(item.id(), item.summary().businessKey());
            return super.append(item);
        }

        @Override
        public Page<SagaSummary> find(SagaQuery query, Cursor cursor, int limit) {
            Page<SagaSummary> page = super.find(query, cursor, limit);
            return new Page<>(
                    page.items().stream()
                            .filter(saga -> query.businessKey()
                                    .map(key -> key.equals(first.get(saga.id())))
                                    .orElse(true))
                            .toList(),
                    page.next());
        }
    }

    /** Filters what it has read: a page is as long as what is left of it, and the last one is where nothing is left. */
    static final class EndsWhereNothingIsLeft extends Broken {
        EndsWhereNothingIsLeft(SagaRepository sound) {
            super(sound);
        }

        @Override
        public Page<SagaSummary> find(SagaQuery query, Cursor cursor, int limit) {
            if (query.operation().isEmpty()) return super.find(query, cursor, limit);
            SagaQuery all = query.service().map(SagaQuery.ALL::of).orElse(SagaQuery.ALL);
            Page<SagaSummary> page = super.find(all, cursor, limit);
            List<SagaSummary> left =
                    page.items().stream().filter(query::matches).toList();
            return new Page<>(left, left.isEmpty() ? Optional.empty() : page.next());
        }
    }

    static final class FindsByInitiatorOnly extends Broken {
        FindsByInitiatorOnly(SagaRepository sound) {
            super(sound);
        }

        @Override
        public Page<SagaSummary> find(SagaQuery query, Cursor cursor, int limit) {
            Page<SagaSummary> page = super.find(query, cursor, limit);
            return new Page<>(
                    page.items().stream()
                            .filter(saga ->
                                    query.service().map(saga.service()::equals).orElse(true))
                            .toList(),
                    page.next());
        }
    }
}
