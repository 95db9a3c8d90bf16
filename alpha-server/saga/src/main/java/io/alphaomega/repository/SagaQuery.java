package io.alphaomega.repository;

import io.alphaomega.repository.SagaSummary.State;
import io.alphaomega.saga.SagaId;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Conditions on summaries, and-ed. One is made of {@link #ALL} by adding conditions: {@code ALL.in(COMMITTED).of("hotel")}.
 * Immutable: each method that adds one returns another query.
 */
public final class SagaQuery {
    public static final SagaQuery ALL = new SagaQuery();

    private Set<State> states = Set.of();
    private Optional<SagaId> id = Optional.empty();
    private Optional<String> service = Optional.empty();
    private Optional<String> operation = Optional.empty();
    private Optional<String> businessKey = Optional.empty();
    private Optional<Attribute> attribute = Optional.empty();
    private Optional<String> text = Optional.empty();
    private Optional<String> reason = Optional.empty();
    private Optional<Instant> from = Optional.empty();
    private Optional<Instant> to = Optional.empty();
    private Optional<Instant> changedSince = Optional.empty();
    private Optional<Lasting> lasting = Optional.empty();

    private SagaQuery() {}

    /** A copy that differs in one thing. Nobody has seen it yet when that is changed. */
    private SagaQuery with(Consumer<SagaQuery> change) {
        SagaQuery copy = new SagaQuery();
        copy.states = states;
        copy.id = id;
        copy.service = service;
        copy.operation = operation;
        copy.businessKey = businessKey;
        copy.attribute = attribute;
        copy.text = text;
        copy.reason = reason;
        copy.from = from;
        copy.to = to;
        copy.changedSince = changedSince;
        copy.lasting = lasting;
        change.accept(copy);
        return copy;
    }

    /** Instants become whole milliseconds, as those of summaries are: the first that meets the condition. */
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

    /** In any of these; in any state whatever if there are none. */
    public SagaQuery in(State... states) {
        return in(Set.of(states));
    }

    public SagaQuery in(Set<State> states) {
        return with(query -> query.states = Set.copyOf(states));
    }

    /** Exactly this one. */
    public SagaQuery id(SagaId only) {
        return with(query -> query.id = Optional.of(only));
    }

    /** Of a service that takes part. */
    public SagaQuery of(String participant) {
        return with(query -> query.service = Optional.of(participant));
    }

    /** With exactly this operation of the initiator's. */
    public SagaQuery operation(String exactly) {
        return with(query -> query.operation = Optional.of(exactly));
    }

    public SagaQuery businessKey(String exactly) {
        return with(query -> query.businessKey = Optional.of(exactly));
    }

    public SagaQuery attribute(Attribute exactly) {
        return with(query -> query.attribute = Optional.of(exactly));
    }

    /** With a part of the id, the business key, the operation or the reason; case does not matter. */
    public SagaQuery text(String part) {
        return with(query -> query.text = Optional.of(part));
    }

    /** With a part of the reason; case does not matter. */
    public SagaQuery reason(String part) {
        return with(query -> query.reason = Optional.of(part));
    }

    public SagaQuery from(Instant begunAtOrAfter) {
        return with(query -> query.from = Optional.of(wholeMillis(begunAtOrAfter)));
    }

    public SagaQuery to(Instant begunBefore) {
        return with(query -> query.to = Optional.of(wholeMillis(begunBefore)));
    }

    public SagaQuery changedSince(Instant updatedAtOrAfter) {
        return with(query -> query.changedSince = Optional.of(wholeMillis(updatedAtOrAfter)));
    }

    /** Those that took so long, or have been open for so long. */
    public SagaQuery lasting(Duration atLeast, Instant asOf) {
        return with(query -> query.lasting = Optional.of(new Lasting(atLeast, asOf)));
    }

    // ---- the conditions; what is empty is none

    public Set<State> states() {
        return states;
    }

    public Optional<SagaId> id() {
        return id;
    }

    public Optional<String> service() {
        return service;
    }

    public Optional<String> operation() {
        return operation;
    }

    public Optional<String> businessKey() {
        return businessKey;
    }

    public Optional<Attribute> attribute() {
        return attribute;
    }

    public Optional<String> text() {
        return text;
    }

    public Optional<String> reason() {
        return reason;
    }

    public Optional<Instant> from() {
        return from;
    }

    public Optional<Instant> to() {
        return to;
    }

    public Optional<Instant> changedSince() {
        return changedSince;
    }

    public Optional<Lasting> lasting() {
        return lasting;
    }

    @Override
    public String toString() {
        return List.of(
                        states,
                        id,
                        service,
                        operation,
                        businessKey,
                        attribute,
                        text,
                        reason,
                        from,
                        to,
                        changedSince,
                        lasting)
                .toString();
    }

    // ---- for stores without such an index

    /** Whether it meets all conditions. */
    public boolean matches(SagaSummary saga) {
        return (states.isEmpty() || states.contains(saga.state()))
                && id.map(saga.id()::equals).orElse(true)
                && service.map(saga.services()::contains).orElse(true)
                && operation.map(saga.operation()::equals).orElse(true)
                && businessKey.map(saga.businessKey()::equals).orElse(true)
                && attribute.map(each -> each.isOf(saga)).orElse(true)
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
