package io.alphaomega.server.http;

import io.alphaomega.repository.SagaSummary;
import io.alphaomega.saga.Operator;
import io.alphaomega.server.bulk.ActiveSagas;
import io.alphaomega.server.bulk.BulkOrder;
import io.alphaomega.server.bulk.BulkOrders;
import io.alphaomega.server.bulk.BulkStatus;
import io.alphaomega.server.bulk.BulkTask;
import io.alphaomega.server.insight.ClusterInsight;
import io.alphaomega.server.insight.StuckFilter;
import io.alphaomega.server.insight.StuckView;
import io.alphaomega.server.problem.Problems;
import io.alphaomega.server.queries.InsightReader;
import io.alphaomega.server.sweep.StuckSaga;
import java.time.Clock;
import java.time.Duration;
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

/** Dealing with many sagas by one order. */
@RestController
@RequestMapping("/api/v1/bulk-orders")
class BulkController {
    private static final int SAMPLE = 20;

    /** So far the clocks of nodes may be apart, and for less an append may be on its way. */
    private static final Duration UNSEEN = Duration.ofSeconds(1);

    private final InsightReader insights;
    private final BulkOrders bulk;
    private final Clock clock;

    BulkController(InsightReader insights, BulkOrders bulk, Clock clock) {
        this.insights = insights;
        this.bulk = bulk;
        this.clock = clock;
    }

    /**
     * Which sagas an order would be for, as JSON.
     *
     * @param count how many sagas are meant; the order's {@code expect}
     * @param unfit how many others are chosen, but cannot be dealt with like that: they are left alone
     * @param more whether there are sagas that were not looked at, and may be meant
     * @param before as of when, for an order that means none but these; of all but RETRY a moment ago at the latest, so that
     *     what was not to be seen yet when they were counted is not meant
     * @param sample some of those that are meant; of stuck ones the longest stuck
     */
    record DryRun(long count, long unfit, boolean more, Instant before, List<MeantSaga> sample) {}

    /**
     * A saga that is meant, as JSON.
     *
     * @param id the saga's
     * @param initiator the service that began it
     * @param operation that it began with
     * @param businessKey what it is about; may be empty
     * @param since when it got stuck, or of an active one when it began
     */
    record MeantSaga(String id, String initiator, String operation, String businessKey, Instant since) {
        static MeantSaga of(StuckSaga saga) {
            return new MeantSaga(
                    saga.id().value(),
                    saga.initiator(),
                    saga.operation(),
                    saga.businessKey(),
                    saga.stuck().since());
        }

        static MeantSaga of(SagaSummary saga) {
            return new MeantSaga(
                    saga.id().value(), saga.service(), saga.operation(), saga.businessKey(), saga.begunAt());
        }
    }

    /**
     * A bulk order, as JSON.
     *
     * @param id of the order
     * @param order RETRY, SKIP, RESOLVE or ABORT
     * @param operator who gave it
     * @param reason why
     * @param stuck for which reason the sagas are stuck; null for active ones
     * @param detail why alpha gave up on them; null for any
     * @param service whose people must act, of ABORT one that takes part; null for any
     * @param operation that they began with; null for any
     * @param outcome how they are resolved; null if they are not
     * @param before what got stuck, or began, later is not meant
     * @param at when it was given
     * @param perSecond as it was ordered
     * @param state KNOWN until a node carries it out, then RUNNING, then DONE or CANCELLED
     * @param done sagas so far
     * @param refused sagas that refused it
     * @param left sagas that were still meant a moment ago
     * @param more whether there are sagas that were not looked at and may be meant: then it goes on
     * @param became what has become of the sagas that are done; null where nobody has looked yet
     * @param silent the addresses of the nodes that did not answer just now: what only they know of it is missing, and one
     *     that is cancelled may go on there until they answer
     */
    record BulkRow(
            String id,
            BulkTask.Kind order,
            String operator,
            String reason,
            @Nullable String stuck,
            @Nullable String detail,
            @Nullable String service,
            @Nullable String operation,
            @Nullable String outcome,
            Instant before,
            Instant at,
            int perSecond,
            BulkStatus.State state,
            int done,
            int refused,
            int left,
            boolean more,
            @Nullable Became became,
            List<String> silent) {
        static BulkRow of(BulkStatus status, List<String> silent) {
            BulkOrder order = status.order();
            Optional<BulkTask.Chosen> chosen =
                    order.task() instanceof BulkTask.OfStuck stuck ? Optional.of(stuck.chosen()) : Optional.empty();
            Optional<BulkTask.Abort> abort =
                    order.task() instanceof BulkTask.Abort active ? Optional.of(active) : Optional.empty();
            BulkStatus.Progress progress = status.progress().orElse(new BulkStatus.Progress(0, 0, 0, false, false));
            return new BulkRow(
                    order.id(),
                    order.task().kind(),
                    order.operator().who(),
                    order.operator().why(),
                    chosen.map(stuck -> stuck.reason().name()).orElse(null),
                    chosen.flatMap(BulkTask.Chosen::detail).orElse(null),
                    chosen.flatMap(BulkTask.Chosen::service)
                            .or(() -> abort.flatMap(BulkTask.Abort::service))
                            .orElse(null),
                    abort.flatMap(BulkTask.Abort::operation).orElse(null),
                    order.task() instanceof BulkTask.Resolve resolve
                            ? resolve.outcome().name()
                            : null,
                    order.task().before(),
                    order.at(),
                    order.perSecond(),
                    status.state(),
                    progress.done(),
                    progress.refused(),
                    progress.left(),
                    progress.more(),
                    status.fate().map(Became::of).orElse(null),
                    silent);
        }
    }

    /**
     * What has become of the sagas of which an order has done what was wanted, as JSON.
     *
     * @param asOf when all that were open were looked at
     * @param ended how many are over
     * @param stuck how many are stuck, again or still
     * @param waiting how many wait for a service of which no instance is connected, for less than a minute
     * @param moving how many others are not over
     * @param services for which the stuck and the waiting ones wait; three at most
     */
    record Became(Instant asOf, int ended, int stuck, int waiting, int moving, List<String> services) {
        static Became of(BulkStatus.Fate fate) {
            return new Became(fate.asOf(), fate.ended(), fate.stuck(), fate.waiting(), fate.moving(), fate.services());
        }
    }

    /**
     * The bulk orders, as JSON; the last first.
     *
     * @param bulkOrders the last first
     */
    record BulkList(List<BulkRow> bulkOrders) {}

    /** Retries, skips, resolves or aborts every saga that is chosen by now, at a rate; or only says which are meant. */
    @PostMapping(consumes = MediaType.APPLICATION_JSON_VALUE)
    ResponseEntity<Object> order(
            @RequestHeader(name = OrdersController.OPERATOR, defaultValue = OrdersController.SOMEBODY) String who,
            @RequestBody BulkRequest request) {
        Instant now = clock.instant().truncatedTo(ChronoUnit.MILLIS);
        BulkTask chosen = request.task(now);
        int perSecond = request.wantedRate();
        if (request.isDry()) return ResponseEntity.ok(weigh(seen(chosen, now)));
        Operator operator = request.operator(who);
        Optional<Long> expected = request.expected();
        BulkOrder order =
                new BulkOrder(UUID.randomUUID().toString(), operator, seen(chosen, now), now, perSecond, false);
        if (expected.isPresent()) order = order.of(asExpected(order, expected.get()));
        ClusterInsight insight = insights.read();
        List<String> older = insight.without(order);
        if (!older.isEmpty()) throw Problems.olderNodes(older);
        if (!order.isPlainRetry() && !insight.silent().isEmpty()) throw Problems.silentNodes(insight.silent());
        return ResponseEntity.status(HttpStatus.ACCEPTED).body(row(spread(order), order.id()));
    }

    /** Lists the bulk orders that any node knows, the last first. */
    @GetMapping
    BulkList list() {
        ClusterInsight insight = insights.read();
        return new BulkList(insight.bulk().stream()
                .map(status -> BulkRow.of(status, insight.silent()))
                .toList());
    }

    /** Shows how far a bulk order is. */
    @GetMapping("/{id}")
    BulkRow one(@PathVariable String id) {
        return row(insights.read(), id);
    }

    /** Cancels a bulk order. What is done by then stays so. */
    @PostMapping(path = "/{id}/cancel", consumes = MediaType.APPLICATION_JSON_VALUE)
    BulkRow cancel(@PathVariable String id) {
        ClusterInsight insight = insights.read();
        BulkOrder order = known(insight)
                .filter(status -> status.order().id().equals(id))
                .findFirst()
                .orElseThrow(() -> Problems.unknownBulk(id))
                .order();
        return row(spread(order.cancel()), id);
    }

    /** The task, of nothing that those who count it cannot have seen yet. What is retried needs no such care. */
    private BulkTask seen(BulkTask task, Instant now) {
        if (task.kind() == BulkTask.Kind.RETRY) return task;
        Instant looked = task.kind() == BulkTask.Kind.ABORT
                ? now
                : InsightReader.stuck(insights.read()).asOf();
        Instant seen = looked.minus(bulk.visibilityLag()).minus(UNSEEN).truncatedTo(ChronoUnit.MILLIS);
        return seen.isBefore(task.before()) ? task.asOf(seen) : task;
    }

    /** The task as of the look by which its sagas were counted, so that it means no others. */
    private BulkTask asExpected(BulkOrder order, long expected) {
        DryRun dry = weigh(order.task());
        if (dry.count() > expected) throw Problems.moreMeant(dry.count(), expected);
        if (order.task().kind() == BulkTask.Kind.RETRY) return order.task();
        if (dry.more()) throw Problems.notAllCounted(dry.count());
        return order.task().asOf(dry.before());
    }

    private DryRun weigh(BulkTask task) {
        return switch (task) {
            case BulkTask.OfStuck stuck -> weigh(stuck);
            case BulkTask.Abort abort -> {
                ActiveSagas active = bulk.active(abort, SAMPLE);
                yield new DryRun(
                        active.ids().size(),
                        0,
                        active.more(),
                        abort.before(),
                        active.first().stream().map(MeantSaga::of).toList());
            }
        };
    }

    /** The node that has looked for them counts. */
    private DryRun weigh(BulkTask.OfStuck task) {
        StuckFilter filter = new StuckFilter(Optional.empty(), Optional.empty(), Optional.of(task), SAMPLE);
        ClusterInsight insight = insights.read(filter);
        StuckView view = InsightReader.stuck(insight);
        StuckView.Weight weight = view.weight().orElseThrow(() -> Problems.olderNodes(insight.retryingOnly()));
        Instant before = task.before().isBefore(view.asOf()) ? task.before() : view.asOf();
        return new DryRun(
                weight.meant(),
                weight.unfit(),
                view.more(),
                before.truncatedTo(ChronoUnit.MILLIS),
                view.sagas().stream().map(MeantSaga::of).toList());
    }

    /** Also what only this node knows, because it did not answer itself in time. */
    private Stream<BulkStatus> known(ClusterInsight insight) {
        return Stream.concat(insight.bulk().stream(), bulk.all().stream());
    }

    private ClusterInsight spread(BulkOrder order) {
        return insights.spread(order);
    }

    private BulkRow row(ClusterInsight insight, String id) {
        return known(insight)
                .filter(status -> status.order().id().equals(id))
                .findFirst()
                .map(status -> BulkRow.of(status, insight.silent()))
                .orElseThrow(() -> Problems.unknownBulk(id));
    }
}
