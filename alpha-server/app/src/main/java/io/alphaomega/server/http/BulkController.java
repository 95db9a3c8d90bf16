package io.alphaomega.server.http;

import io.alphaomega.saga.Limits;
import io.alphaomega.saga.Stuck;
import io.alphaomega.server.bulk.BulkRetries;
import io.alphaomega.server.bulk.BulkRetry;
import io.alphaomega.server.bulk.BulkStatus;
import io.alphaomega.server.http.InsightController.StuckRow;
import io.alphaomega.server.insight.ClusterInsight;
import io.alphaomega.server.insight.Insights;
import io.alphaomega.server.insight.StuckFilter;
import io.alphaomega.server.insight.StuckView;
import io.alphaomega.server.sweep.StuckSagas;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** Retrying many stuck sagas by one order. */
@RestController
@RequestMapping("/api/v1/bulk-retries")
class BulkController {
    private static final int SAMPLE = 20;

    private final Insights insights;
    private final BulkRetries bulk;
    private final Clock clock;

    BulkController(Insights insights, BulkRetries bulk, Clock clock) {
        this.insights = insights;
        this.bulk = bulk;
        this.clock = clock;
    }

    /**
     * What a person wants done, as JSON.
     *
     * @param operator who orders it; absent for whom the header {@code X-Operator} says
     * @param reason journaled with each retry
     * @param stuck for which reason the sagas are stuck: SUSPENDED, NO_PARTICIPANT or FAILING
     * @param service whose people must act; absent for all
     * @param perSecond how many sagas are retried in a second; 50 if absent
     * @param dryRun only say which sagas are meant
     */
    record BulkOrder(
            @Nullable String operator,
            @Nullable String reason,
            @Nullable String stuck,
            @Nullable String service,
            @Nullable Integer perSecond,
            @Nullable Boolean dryRun) {
        Optional<String> wantedService() {
            if (service != null && service.length() > Limits.NAME_CHARS) {
                throw Problems.badField("service", "at most " + Limits.NAME_CHARS + " characters long");
            }
            return Optional.ofNullable(service).filter(name -> !name.isBlank());
        }

        Stuck.Reason wantedReason() {
            for (Stuck.Reason known : Stuck.Reason.values()) {
                if (known != Stuck.Reason.OVERDUE && known.name().equals(stuck)) return known;
            }
            throw Problems.badField("stuck", "SUSPENDED, NO_PARTICIPANT or FAILING");
        }

        int wantedRate() {
            int rate = perSecond == null ? BulkRetry.PER_SECOND_DEFAULT : perSecond;
            if (rate >= 1 && rate <= BulkRetry.PER_SECOND_MAX) return rate;
            throw Problems.badField("perSecond", "1 to " + BulkRetry.PER_SECOND_MAX);
        }
    }

    /**
     * Which sagas an order would be for, as JSON.
     *
     * @param count how many sagas are meant
     * @param more whether there are others that were not looked at yet
     * @param sample those that have been stuck for longest
     */
    record DryRun(long count, boolean more, List<StuckRow> sample) {}

    /**
     * A bulk retry, as JSON.
     *
     * @param id of the order
     * @param operator who gave it
     * @param reason why
     * @param stuck for which reason the sagas are stuck
     * @param service whose people must act; null for all
     * @param at when it was given: what gets stuck later is not meant
     * @param perSecond as it was ordered
     * @param state KNOWN until a node carries it out, then RUNNING, then DONE or CANCELLED
     * @param retried sagas so far
     * @param refused sagas that no longer could be retried
     * @param left sagas that were still to be retried a moment ago
     */
    record BulkRow(
            String id,
            String operator,
            String reason,
            Stuck.Reason stuck,
            @Nullable String service,
            Instant at,
            int perSecond,
            String state,
            int retried,
            int refused,
            int left) {
        static BulkRow of(BulkStatus status) {
            BulkRetry order = status.order();
            BulkStatus.Progress progress = status.progress().orElse(new BulkStatus.Progress(0, 0, 0, false));
            return new BulkRow(
                    order.id(),
                    order.operator().who(),
                    order.operator().why(),
                    order.reason(),
                    order.service().orElse(null),
                    order.at(),
                    order.perSecond(),
                    status.state().name(),
                    progress.retried(),
                    progress.refused(),
                    progress.left());
        }
    }

    /**
     * The bulk retries, as JSON; the last first.
     *
     * @param bulkRetries the last first
     */
    record BulkList(List<BulkRow> bulkRetries) {}

    /** Retries every saga that is stuck by now for a reason, at a rate; or only says which are meant. */
    @PostMapping(consumes = MediaType.APPLICATION_JSON_VALUE)
    ResponseEntity<Object> order(
            @RequestHeader(name = OrdersController.OPERATOR, defaultValue = OrdersController.SOMEBODY) String who,
            @RequestBody BulkOrder order) {
        Stuck.Reason reason = order.wantedReason();
        int perSecond = order.wantedRate();
        if (Boolean.TRUE.equals(order.dryRun())) return ResponseEntity.ok(dryRun(reason, order.wantedService()));
        BulkRetry retry = new BulkRetry(
                UUID.randomUUID().toString(),
                new OperatorOrder(order.operator(), order.reason(), null, null, null).operator(who),
                reason,
                order.wantedService(),
                clock.instant().truncatedTo(ChronoUnit.MILLIS),
                perSecond,
                false);
        return ResponseEntity.status(HttpStatus.ACCEPTED).body(row(spread(retry), retry.id()));
    }

    /** Lists the bulk retries that any node knows, the last first. */
    @GetMapping
    BulkList list() {
        return new BulkList(InsightController.insight(insights, StuckFilter.NONE).bulk().stream()
                .map(BulkRow::of)
                .toList());
    }

    /** Shows how far a bulk retry is. */
    @GetMapping("/{id}")
    BulkRow one(@PathVariable String id) {
        return row(InsightController.insight(insights, StuckFilter.NONE), id);
    }

    /** Cancels a bulk retry. What is retried by then stays so. */
    @PostMapping(path = "/{id}/cancel", consumes = MediaType.APPLICATION_JSON_VALUE)
    BulkRow cancel(@PathVariable String id) {
        ClusterInsight insight = InsightController.insight(insights, StuckFilter.NONE);
        BulkRetry order = known(insight)
                .filter(status -> status.order().id().equals(id))
                .findFirst()
                .orElseThrow(() -> Problems.unknownBulk(id))
                .order();
        return row(spread(order.cancel()), id);
    }

    private DryRun dryRun(Stuck.Reason reason, Optional<String> service) {
        StuckView view = InsightController.stuck(insights, new StuckFilter(Optional.of(reason), service, SAMPLE));
        long count = view.groups().stream()
                .filter(group -> group.kind().reason() == reason)
                .filter(group -> BulkRetry.mayBeRetried(group.kind()))
                .filter(group -> service.map(group.kind().service()::equals).orElse(true))
                .mapToLong(group -> group.count())
                .sum();
        return new DryRun(
                count,
                view.more(),
                view.sagas().stream()
                        .filter(saga -> BulkRetry.mayBeRetried(StuckSagas.Kind.of(saga)))
                        .map(StuckRow::of)
                        .toList());
    }

    /** Also what only this node knows, because it did not answer itself in time. */
    private Stream<BulkStatus> known(ClusterInsight insight) {
        return Stream.concat(insight.bulk().stream(), bulk.all().stream());
    }

    private ClusterInsight spread(BulkRetry retry) {
        return insights.spread(retry).orElseThrow(InsightController::starting);
    }

    private BulkRow row(ClusterInsight insight, String id) {
        return known(insight)
                .filter(status -> status.order().id().equals(id))
                .findFirst()
                .map(BulkRow::of)
                .orElseThrow(() -> Problems.unknownBulk(id));
    }
}
