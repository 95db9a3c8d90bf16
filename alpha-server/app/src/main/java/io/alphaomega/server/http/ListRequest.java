package io.alphaomega.server.http;

import io.alphaomega.repository.Cursor;
import io.alphaomega.repository.SagaQuery;
import io.alphaomega.repository.SagaRepository;
import io.alphaomega.repository.SagaSummary;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.springframework.util.MultiValueMap;

/** What the caller of the saga list wants to see. */
public record ListRequest(SagaQuery query, Cursor cursor, int limit) {
    private static final int LIMIT_DEFAULT = 50;
    static final Set<String> NAMES = Set.of("state", "service", "text", "from", "to", "cursor", "limit");

    /** Refuses what it does not know: a mistyped parameter would show every saga. */
    public static ListRequest of(MultiValueMap<String, String> parameters) {
        for (String name : parameters.keySet()) {
            if (!NAMES.contains(name)) {
                throw Problems.badParameter(name, "one of state, service, text, from, to, cursor and limit", name);
            }
        }
        SagaQuery query = new SagaQuery(
                states(parameters),
                text(parameters, "service"),
                text(parameters, "text"),
                instant(parameters, "from"),
                instant(parameters, "to"));
        Cursor cursor = text(parameters, "cursor").map(Cursor::new).orElse(Cursor.START);
        return new ListRequest(query, cursor, limit(parameters));
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

    private static Optional<Instant> instant(MultiValueMap<String, String> parameters, String name) {
        Optional<String> value = text(parameters, name);
        try {
            return value.map(Instant::parse);
        } catch (DateTimeException e) {
            throw Problems.badParameter(name, "an instant such as 2026-11-20T09:30:00Z", value.orElse(""));
        }
    }

    private static int limit(MultiValueMap<String, String> parameters) {
        String value = text(parameters, "limit").orElse(Integer.toString(LIMIT_DEFAULT));
        try {
            int limit = Integer.parseInt(value);
            if (limit >= 1 && limit <= SagaRepository.PAGE_MAX) return limit;
        } catch (NumberFormatException e) {
            // Refused below, like a number out of range.
        }
        throw Problems.badParameter("limit", "1 to " + SagaRepository.PAGE_MAX, value);
    }

    private static Optional<String> text(MultiValueMap<String, String> parameters, String name) {
        return Optional.ofNullable(parameters.getFirst(name)).filter(value -> !value.isEmpty());
    }
}
