package io.alphaomega.repository;

import io.alphaomega.repository.SagaSummary.State;
import io.alphaomega.saga.SagaId;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Conditions on summaries, and-ed. One is made of {@link #ALL} by adding conditions: {@code ALL.in(COMMITTED).of("hotel")}.
 *
 * @param states any of these; empty for all
 * @param id exactly this one
 * @param service a service that takes part
 * @param operation exactly the initiator's
 * @param businessKey exactly this one
 * @param text a part of the id, the business key, the operation or the reason; case does not matter
 * @param reason a part of the reason; case does not matter
 * @param from begun at or after
 * @param to begun before
 * @param changedSince updated at or after
 * @param lasting how long it took, or has been open
 */
public record SagaQuery(
        Set<State> states,
        Optional<SagaId> id,
        Optional<String> service,
        Optional<String> operation,
        Optional<String> businessKey,
        Optional<String> text,
        Optional<String> reason,
        Optional<Instant> from,
        Optional<Instant> to,
        Optional<Instant> changedSince,
        Optional<Lasting> lasting) {
    public static final SagaQuery ALL = new SagaQuery(
            Set.of(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty());

    /** Instants become whole milliseconds, as those of summaries are: the first that meets the condition. */
    public SagaQuery {
        states = Set.copyOf(states);
        from = from.map(SagaQuery::wholeMillis);
        to = to.map(SagaQuery::wholeMillis);
        changedSince = changedSince.map(SagaQuery::wholeMillis);
    }

    private static Instant wholeMillis(Instant time) {
        Instant before = time.truncatedTo(ChronoUnit.MILLIS);
        return before.equals(time) ? time : before.plusMillis(1);
    }

    /** From a saga's begin to its end, or to {@code asOf} as long as it is open. In whole milliseconds. */
    public record Lasting(Duration atLeast, Instant asOf) {
        public Lasting {
            atLeast = atLeast.plusNanos(999_999).truncatedTo(ChronoUnit.MILLIS);
            asOf = asOf.truncatedTo(ChronoUnit.MILLIS);
        }

        boolean matches(SagaSummary saga) {
            return !saga.endedAt().orElse(asOf).minus(atLeast).isBefore(saga.begunAt());
        }

        /** When an open saga must have begun, at the latest. */
        public Instant openBegunBy() {
            return asOf.minus(atLeast);
        }
    }

    // ---- with one condition more, or another one

    public SagaQuery in(State... states) {
        return in(Set.of(states));
    }

    public SagaQuery in(Set<State> states) {
        return new SagaQuery(
                states, id, service, operation, businessKey, text, reason, from, to, changedSince, lasting);
    }

    public SagaQuery id(SagaId only) {
        Optional<SagaId> id = Optional.of(only);
        return new SagaQuery(
                states, id, service, operation, businessKey, text, reason, from, to, changedSince, lasting);
    }

    public SagaQuery of(String participant) {
        Optional<String> service = Optional.of(participant);
        return new SagaQuery(
                states, id, service, operation, businessKey, text, reason, from, to, changedSince, lasting);
    }

    public SagaQuery operation(String exactly) {
        Optional<String> operation = Optional.of(exactly);
        return new SagaQuery(
                states, id, service, operation, businessKey, text, reason, from, to, changedSince, lasting);
    }

    public SagaQuery businessKey(String exactly) {
        Optional<String> businessKey = Optional.of(exactly);
        return new SagaQuery(
                states, id, service, operation, businessKey, text, reason, from, to, changedSince, lasting);
    }

    public SagaQuery text(String part) {
        Optional<String> text = Optional.of(part);
        return new SagaQuery(
                states, id, service, operation, businessKey, text, reason, from, to, changedSince, lasting);
    }

    public SagaQuery reason(String part) {
        Optional<String> reason = Optional.of(part);
        return new SagaQuery(
                states, id, service, operation, businessKey, text, reason, from, to, changedSince, lasting);
    }

    public SagaQuery from(Instant begunAtOrAfter) {
        Optional<Instant> from = Optional.of(begunAtOrAfter);
        return new SagaQuery(
                states, id, service, operation, businessKey, text, reason, from, to, changedSince, lasting);
    }

    public SagaQuery to(Instant begunBefore) {
        Optional<Instant> to = Optional.of(begunBefore);
        return new SagaQuery(
                states, id, service, operation, businessKey, text, reason, from, to, changedSince, lasting);
    }

    public SagaQuery changedSince(Instant updatedAtOrAfter) {
        Optional<Instant> changedSince = Optional.of(updatedAtOrAfter);
        return new SagaQuery(
                states, id, service, operation, businessKey, text, reason, from, to, changedSince, lasting);
    }

    public SagaQuery lasting(Duration atLeast, Instant asOf) {
        Optional<Lasting> lasting = Optional.of(new Lasting(atLeast, asOf));
        return new SagaQuery(
                states, id, service, operation, businessKey, text, reason, from, to, changedSince, lasting);
    }

    // ---- for stores without such an index

    /** Whether it meets all conditions. */
    public boolean matches(SagaSummary saga) {
        return (states.isEmpty() || states.contains(saga.state()))
                && id.map(saga.id()::equals).orElse(true)
                && service.map(saga.services()::contains).orElse(true)
                && operation.map(saga.operation()::equals).orElse(true)
                && businessKey.map(saga.businessKey()::equals).orElse(true)
                && text.map(part -> isPart(part, texts(saga))).orElse(true)
                && reason.map(part -> isPart(part, Stream.of(saga.reason()))).orElse(true)
                && from.map(time -> !saga.begunAt().isBefore(time)).orElse(true)
                && to.map(saga.begunAt()::isBefore).orElse(true)
                && changedSince.map(time -> !saga.updatedAt().isBefore(time)).orElse(true)
                && lasting.map(length -> length.matches(saga)).orElse(true);
    }

    private static boolean isPart(String part, Stream<String> of) {
        String folded = part.toLowerCase(Locale.ROOT);
        return of.anyMatch(text -> text.toLowerCase(Locale.ROOT).contains(folded));
    }

    private static Stream<String> texts(SagaSummary saga) {
        return Stream.of(saga.id().value(), saga.businessKey(), saga.operation(), saga.reason());
    }
}
