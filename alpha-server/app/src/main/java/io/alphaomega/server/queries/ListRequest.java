package io.alphaomega.server.queries;

import io.alphaomega.repository.Attribute;
import io.alphaomega.repository.Cursor;
import io.alphaomega.repository.SagaQuery;
import io.alphaomega.repository.SagaRepository;
import io.alphaomega.repository.SagaSummary;
import io.alphaomega.saga.SagaId;
import io.alphaomega.server.problem.Problems;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import org.springframework.util.MultiValueMap;

/** What the caller of the saga list wants to see. */
public record ListRequest(SagaQuery query, Cursor cursor, int limit) {
    private static final int LIMIT_DEFAULT = 50;

    public static final List<String> NAMES = List.of(
            "id",
            "state",
            "service",
            "operation",
            "businessKey",
            "attribute",
            "text",
            "reason",
            "from",
            "to",
            "olderThan",
            "youngerThan",
            "changedSince",
            "longerThan",
            "cursor",
            "limit");

    /**
     * Refuses what it does not know: a mistyped parameter would show every saga.
     *
     * @param now by which ages are reckoned
     */
    public static ListRequest of(MultiValueMap<String, String> parameters, Instant now) {
        Parameters.requireKnown(parameters, NAMES);
        Cursor cursor = Parameters.text(parameters, "cursor").map(Cursor::new).orElse(Cursor.START);
        return new ListRequest(
                query(parameters, now), cursor, Parameters.limit(parameters, LIMIT_DEFAULT, SagaRepository.PAGE_MAX));
    }

    private static SagaQuery query(MultiValueMap<String, String> parameters, Instant now) {
        SagaQuery query = SagaQuery.ALL.in(states(parameters));
        query = with(query, id(parameters), SagaQuery::id);
        query = with(query, Parameters.text(parameters, "service"), SagaQuery::of);
        query = with(query, Parameters.text(parameters, "operation"), SagaQuery::operation);
        query = with(query, Parameters.text(parameters, "businessKey"), SagaQuery::businessKey);
        query = with(query, attribute(parameters), SagaQuery::attribute);
        query = with(query, Parameters.text(parameters, "text"), SagaQuery::text);
        query = with(query, Parameters.text(parameters, "reason"), SagaQuery::reason);
        query = with(query, Parameters.instant(parameters, "from"), SagaQuery::from);
        query = with(query, Parameters.instant(parameters, "to"), SagaQuery::to);
        query = with(query, Parameters.duration(parameters, "youngerThan").map(now::minus), ListRequest::notBefore);
        query = with(query, Parameters.duration(parameters, "olderThan").map(now::minus), ListRequest::before);
        query = with(query, Parameters.instant(parameters, "changedSince"), SagaQuery::changedSince);
        return with(query, Parameters.duration(parameters, "longerThan"), (to, least) -> to.lasting(least, now));
    }

    private static <T> SagaQuery with(SagaQuery query, Optional<T> value, BiFunction<SagaQuery, T, SagaQuery> more) {
        return value.isPresent() ? more.apply(query, value.get()) : query;
    }

    private static SagaQuery notBefore(SagaQuery query, Instant time) {
        return query.from().filter(time::isBefore).isPresent() ? query : query.from(time);
    }

    private static SagaQuery before(SagaQuery query, Instant time) {
        return query.to().filter(time::isAfter).isPresent() ? query : query.to(time);
    }

    private static Set<SagaSummary.State> states(MultiValueMap<String, String> parameters) {
        Set<SagaSummary.State> states = EnumSet.noneOf(SagaSummary.State.class);
        for (String value : parameters.getOrDefault("state", List.of())) {
            try {
                states.add(SagaSummary.State.valueOf(value));
            } catch (IllegalArgumentException e) {
                throw Problems.badParameter("state", "one of " + List.of(SagaSummary.State.values()), value);
            }
        }
        return states;
    }

    private static Optional<SagaId> id(MultiValueMap<String, String> parameters) {
        Optional<String> value = Parameters.text(parameters, "id");
        try {
            return value.map(SagaId::new);
        } catch (IllegalArgumentException e) {
            throw Problems.badParameter("id", "the whole id of a saga", value.orElse(""));
        }
    }

    private static Optional<Attribute> attribute(MultiValueMap<String, String> parameters) {
        List<String> values = parameters.getOrDefault("attribute", List.of());
        String value = String.join("', '", values);
        try {
            if (values.size() <= 1)
                return Parameters.text(parameters, "attribute").map(Attribute::of);
        } catch (IllegalArgumentException e) {
            // Refused below, like two of them.
        }
        throw Problems.badParameter("attribute", "one name=value", value);
    }
}
