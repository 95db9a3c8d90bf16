package io.alphaomega.server.http;

import io.alphaomega.saga.Limits;
import io.alphaomega.saga.Operator;
import io.alphaomega.saga.Stuck;
import io.alphaomega.saga.Suspension;
import io.alphaomega.server.bulk.BulkOrder;
import io.alphaomega.server.bulk.BulkTask;
import io.alphaomega.server.problem.Problems;
import io.alphaomega.server.queries.Parameters;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a person wants done with many sagas, as JSON.
 *
 * @param order RETRY, SKIP, RESOLVE or ABORT, as for one saga
 * @param operator who orders it; absent for whom the header {@code X-Operator} says
 * @param reason journaled with each saga
 * @param stuck for which reason they are stuck. RETRY: SUSPENDED, NO_PARTICIPANT or FAILING; SKIP and RESOLVE are for
 *     SUSPENDED ones, ABORT for active ones, which are not
 * @param detail why suspended ones wait for a person; SKIP and RESOLVE must say it, and a RETRY of those that are RESTORED
 * @param service whose people must act, of ABORT one that takes part; absent for all
 * @param operation that they began with; of ABORT only, which must have this or {@code service}
 * @param outcome COMMITTED or COMPENSATED, as the sagas were decided; of RESOLVE only
 * @param before what got stuck later, or began later, is not meant, nor where the service of an ABORT took part later;
 *     absent for what does from now on
 * @param olderThan the same as a time ago, such as 10m
 * @param perSecond for how many sagas it is carried out in a second; 50 if absent
 * @param dryRun only say which sagas are meant
 * @param expect how many are meant at most, as a dry run said: if it would be more, nothing is ordered. All but RETRY must
 *     have it, and the dry run's {@code before} with it
 */
record BulkRequest(
        @Nullable String order,
        @Nullable String operator,
        @Nullable String reason,
        @Nullable String stuck,
        @Nullable String detail,
        @Nullable String service,
        @Nullable String operation,
        @Nullable String outcome,
        @Nullable Instant before,
        @Nullable String olderThan,
        @Nullable Integer perSecond,
        @Nullable Boolean dryRun,
        @Nullable Long expect) {

    /** A node's clock is no further from the others', and one of them said what a dry run means. */
    private static final Duration APART = Duration.ofSeconds(1);

    BulkTask.Kind kind() {
        return Arrays.stream(BulkTask.Kind.values())
                .filter(known -> known.name().equals(order))
                .findFirst()
                .orElseThrow(() -> Problems.badField("order", "RETRY, SKIP, RESOLVE or ABORT"));
    }

    boolean isDry() {
        return Boolean.TRUE.equals(dryRun);
    }

    Operator operator(String header) {
        return new OperatorOrder(operator, reason, null, null, null).operator(header);
    }

    /** Of what is ordered now. */
    BulkTask task(Instant now) {
        BulkTask.Kind kind = kind();
        Instant before = wantedBefore(now);
        if (kind != BulkTask.Kind.ABORT) refuseUnless(operation == null, "operation", "absent: only ABORT goes by it");
        if (kind != BulkTask.Kind.RESOLVE) refuseUnless(outcome == null, "outcome", "absent: only RESOLVE has one");
        return switch (kind) {
            case RETRY -> new BulkTask.Retry(new BulkTask.Chosen(toRetry(), wantedDetail(), wantedService(), before));
            case SKIP -> new BulkTask.Skip(suspended(before));
            case RESOLVE -> {
                BulkTask.Chosen chosen = suspended(before);
                yield new BulkTask.Resolve(chosen, Parameters.outcome(outcome));
            }
            case ABORT -> abort(before);
        };
    }

    /** Why sagas wait for a person. */
    static final List<String> DETAILS = Stream.concat(
                    Arrays.stream(Suspension.Reason.values()).map(Enum::name), Stream.of(Stuck.RESTORED))
            .toList();

    private BulkTask.Abort abort(Instant before) {
        refuseUnless(
                stuck == null,
                "stuck",
                "absent: ABORT is for active sagas, and those that wait for a service, fail or are suspended are decided");
        refuseUnless(detail == null, "detail", "absent: ABORT is for active sagas");
        Optional<String> of = text("operation", operation);
        if (of.isEmpty() && wantedService().isEmpty()) {
            throw Problems.badField("operation", "there, or the field 'service': ABORT is not for all sagas");
        }
        return new BulkTask.Abort(wantedService(), of, before);
    }

    private Stuck.Reason toRetry() {
        return Arrays.stream(Stuck.Reason.values())
                .filter(known -> known != Stuck.Reason.OVERDUE)
                .filter(known -> known.name().equals(stuck))
                .findFirst()
                .orElseThrow(() -> Problems.badField("stuck", "SUSPENDED, NO_PARTICIPANT or FAILING"));
    }

    private BulkTask.Chosen suspended(Instant before) {
        refuseUnless(
                stuck == null || stuck.equals(Stuck.Reason.SUSPENDED.name()),
                "stuck",
                "SUSPENDED: only suspended sagas are skipped or resolved");
        Optional<String> why = wantedDetail();
        refuseUnless(
                why.isPresent(), "detail", "one of %s: what people have done by hand depends on it".formatted(DETAILS));
        return new BulkTask.Chosen(Stuck.Reason.SUSPENDED, why, wantedService(), before);
    }

    private Optional<String> wantedDetail() {
        if (detail == null || detail.isBlank()) return Optional.empty();
        boolean isKnown = DETAILS.contains(detail);
        boolean isSuspended = stuck == null || stuck.equals(Stuck.Reason.SUSPENDED.name());
        refuseUnless(isKnown && isSuspended, "detail", "why suspended sagas wait for a person, one of " + DETAILS);
        return Optional.of(detail);
    }

    private Optional<String> wantedService() {
        return text("service", service);
    }

    private static Optional<String> text(String name, @Nullable String value) {
        if (value != null && value.length() > Limits.NAME_CHARS) {
            throw Problems.badField(name, "at most " + Limits.NAME_CHARS + " characters long");
        }
        return Optional.ofNullable(value).filter(text -> !text.isBlank());
    }

    private Instant wantedBefore(Instant now) {
        refuseUnless(before == null || olderThan == null, "olderThan", "absent if the field 'before' is there");
        if (before != null) {
            refuseUnless(
                    !before.isAfter(now.plus(APART)) && before.isAfter(Instant.EPOCH),
                    "before",
                    "an instant that has passed; by this node's clock it is " + now);
            return before.truncatedTo(ChronoUnit.MILLIS);
        }
        return olderThan == null || olderThan.isBlank() ? now : now.minus(age(olderThan.strip()));
    }

    private static Duration age(String text) {
        try {
            Duration age = Parameters.duration(text);
            if (!age.isNegative() && age.compareTo(Parameters.DURATION_MAX) <= 0) return age;
        } catch (IllegalArgumentException | DateTimeException | ArithmeticException e) {
            // Refused below, like one that is too long.
        }
        throw Problems.badField("olderThan", "a time such as 90s or PT5M");
    }

    int wantedRate() {
        int rate = perSecond == null ? BulkOrder.PER_SECOND_DEFAULT : perSecond;
        refuseUnless(rate >= 1 && rate <= BulkOrder.PER_SECOND_MAX, "perSecond", "1 to " + BulkOrder.PER_SECOND_MAX);
        return rate;
    }

    /** Empty if the order is for as many as there are. */
    Optional<Long> expected() {
        if (expect == null) {
            refuseUnless(
                    kind() == BulkTask.Kind.RETRY,
                    "expect",
                    "there: the count that a dry run has answered, because this cannot be taken back");
            return Optional.empty();
        }
        refuseUnless(expect >= 0, "expect", "0 or more");
        refuseUnless(
                before != null || kind() == BulkTask.Kind.RETRY,
                "before",
                "there: the instant that a dry run has answered with the count, so that the order means no saga that has come since, also if it arrives twice");
        return Optional.of(expect);
    }

    private static void refuseUnless(boolean isFine, String field, String expected) {
        if (!isFine) throw Problems.badField(field, expected);
    }
}
