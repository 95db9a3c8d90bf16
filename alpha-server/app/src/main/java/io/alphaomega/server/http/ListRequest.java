package io.alphaomega.server.http;

import io.alphaomega.repository.Attribute;
import io.alphaomega.repository.Cursor;
import io.alphaomega.repository.SagaQuery;
import io.alphaomega.repository.SagaRepository;
import io.alphaomega.repository.SagaSummary;
import io.alphaomega.saga.SagaId;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.regex.Pattern;
import org.springframework.boot.convert.DurationStyle;
import org.springframework.util.MultiValueMap;

/** What the caller of the saga list wants to see. */
public record ListRequest(SagaQuery query, Cursor cursor, int limit) {
    private static final int LIMIT_DEFAULT = 50;

    /** Nothing is that old, and a time so long ago can still be written in every store. */
    static final Duration DURATION_MAX = Duration.ofDays(36_500);

    /** What every store can write. */
    private static final Instant EARLIEST = Instant.parse("1000-01-01T00:00:00Z");

    private static final Instant LATEST = Instant.parse("9999-01-01T00:00:00Z");

    /** With a unit: a number alone would be taken for milliseconds. */
    private static final Pattern DURATION = Pattern.compile("\\d+(ns|us|ms|s|m|h|d)|[pP].*");

    static final List<String> NAMES = List.of(
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
        requireKnown(parameters, NAMES);
        Cursor cursor = text(parameters, "cursor").map(Cursor::new).orElse(Cursor.START);
        return new ListRequest(
                query(parameters, now), cursor, limit(parameters, LIMIT_DEFAULT, SagaRepository.PAGE_MAX));
    }

    static void requireKnown(MultiValueMap<String, String> parameters, List<String> names) {
        for (String name : parameters.keySet()) {
            if (!names.contains(name)) {
                String others = String.join(", ", names.subList(0, names.size() - 1));
                throw Problems.badParameter(name, "one of %s and %s".formatted(others, names.getLast()), name);
            }
        }
    }

    private static SagaQuery query(MultiValueMap<String, String> parameters, Instant now) {
        SagaQuery query = SagaQuery.ALL.in(states(parameters));
        query = with(query, id(parameters), SagaQuery::id);
        query = with(query, text(parameters, "service"), SagaQuery::of);
        query = with(query, text(parameters, "operation"), SagaQuery::operation);
        query = with(query, text(parameters, "businessKey"), SagaQuery::businessKey);
        query = with(query, attribute(parameters), SagaQuery::attribute);
        query = with(query, text(parameters, "text"), SagaQuery::text);
        query = with(query, text(parameters, "reason"), SagaQuery::reason);
        query = with(query, instant(parameters, "from"), SagaQuery::from);
        query = with(query, instant(parameters, "to"), SagaQuery::to);
        query = with(query, duration(parameters, "youngerThan").map(now::minus), ListRequest::notBefore);
        query = with(query, duration(parameters, "olderThan").map(now::minus), ListRequest::before);
        query = with(query, instant(parameters, "changedSince"), SagaQuery::changedSince);
        return with(query, duration(parameters, "longerThan"), (to, least) -> to.lasting(least, now));
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
        Optional<String> value = text(parameters, "id");
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
            if (values.size() <= 1) return text(parameters, "attribute").map(Attribute::of);
        } catch (IllegalArgumentException e) {
            // Refused below, like two of them.
        }
        throw Problems.badParameter("attribute", "one name=value", value);
    }

    static Optional<Instant> instant(MultiValueMap<String, String> parameters, String name) {
        Optional<String> value = text(parameters, name);
        try {
            Optional<Instant> instant = value.map(Instant::parse);
            if (instant.map(at -> !at.isBefore(EARLIEST) && at.isBefore(LATEST)).orElse(true)) return instant;
        } catch (DateTimeException e) {
            // Refused below, like one out of range.
        }
        throw Problems.badParameter(name, "an instant such as 2026-11-20T09:30:00Z", value.orElse(""));
    }

    static Optional<Duration> duration(MultiValueMap<String, String> parameters, String name) {
        Optional<String> value = text(parameters, name);
        if (value.isEmpty()) return Optional.empty();
        try {
            Duration duration = duration(value.get());
            if (!duration.isNegative() && duration.compareTo(DURATION_MAX) <= 0) return Optional.of(duration);
        } catch (IllegalArgumentException | ArithmeticException e) {
            // Refused below, like one out of range.
        }
        throw Problems.badParameter(
                name, "a duration such as 15m or PT15M, up to %dd".formatted(DURATION_MAX.toDays()), value.get());
    }

    /** Whether it is written like one, with a unit. */
    static boolean isDuration(String text) {
        return DURATION.matcher(text).matches();
    }

    /** Throws {@link IllegalArgumentException} or {@link ArithmeticException} for what is none. */
    static Duration duration(String text) {
        if (!isDuration(text)) throw new IllegalArgumentException(text);
        return DurationStyle.detectAndParse(text);
    }

    static int limit(MultiValueMap<String, String> parameters, int otherwise, int most) {
        String value = text(parameters, "limit").orElse(Integer.toString(otherwise));
        try {
            int limit = Integer.parseInt(value);
            if (limit >= 1 && limit <= most) return limit;
        } catch (NumberFormatException e) {
            // Refused below, like a number out of range.
        }
        throw Problems.badParameter("limit", "1 to " + most, value);
    }

    static Optional<String> text(MultiValueMap<String, String> parameters, String name) {
        return Optional.ofNullable(parameters.getFirst(name)).filter(value -> !value.isEmpty());
    }
}
