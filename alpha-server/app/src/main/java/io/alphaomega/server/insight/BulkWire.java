package io.alphaomega.server.insight;

import io.alphaomega.saga.Operator;
import io.alphaomega.saga.Outcome;
import io.alphaomega.saga.Stuck;
import io.alphaomega.server.bulk.BulkOrder;
import io.alphaomega.server.bulk.BulkStatus;
import io.alphaomega.server.bulk.BulkTask;
import io.alphaomega.server.wire.v1.Remoting;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Bulk orders between alpha nodes. A node of a version that knew retries only takes any order that names a reason for one,
 * and leaves out what names none. So whatever is not such a retry is told in a field of its own, and the reason is empty.
 */
final class BulkWire {
    private BulkWire() {}

    static Remoting.BulkRetry.Builder wire(BulkOrder order) {
        Remoting.BulkRetry.Builder wire = Remoting.BulkRetry.newBuilder()
                .setId(order.id())
                .setWho(order.operator().who())
                .setWhy(order.operator().why())
                .setAtMillis(order.at().toEpochMilli())
                .setPerSecond(order.perSecond())
                .setCancelled(order.cancelled());
        if (order.isPlainRetry() && order.task() instanceof BulkTask.Retry(BulkTask.Chosen chosen)) {
            return wire.setReason(chosen.reason().name())
                    .setService(chosen.service().orElse(""));
        }
        return wire.setTask(wire(order.task()));
    }

    static Remoting.BulkRetry.Builder wire(BulkStatus bulk) {
        Remoting.BulkRetry.Builder wire = wire(bulk.order());
        bulk.progress()
                .ifPresent(progress -> wire.setProgress(Remoting.BulkRetry.Progress.newBuilder()
                        .setRetried(progress.done())
                        .setRefused(progress.refused())
                        .setLeft(progress.left())
                        .setMore(progress.more())
                        .setOver(progress.over())));
        bulk.fate()
                .ifPresent(fate -> wire.setFate(Remoting.BulkRetry.Fate.newBuilder()
                        .setAsOfMillis(fate.asOf().toEpochMilli())
                        .setEnded(fate.ended())
                        .setStuck(fate.stuck())
                        .setWaiting(fate.waiting())
                        .setMoving(fate.moving())
                        .addAllServices(fate.services())));
        return wire;
    }

    /** Empty if a newer node knows a task or a reason that this one does not. */
    static Optional<BulkOrder> order(Remoting.BulkRetry wire) {
        Instant at = Instant.ofEpochMilli(wire.getAtMillis());
        Optional<BulkTask> task = wire.hasTask()
                ? task(wire.getTask())
                : reason(wire.getReason())
                        .map(reason -> new BulkTask.Retry(
                                new BulkTask.Chosen(reason, Optional.empty(), text(wire.getService()), at)));
        return task.map(known -> new BulkOrder(
                wire.getId(),
                new Operator(wire.getWho(), wire.getWhy()),
                known,
                at,
                wire.getPerSecond(),
                wire.getCancelled()));
    }

    /** The same, with how far it is. */
    static Optional<BulkStatus> status(Remoting.BulkRetry wire) {
        return order(wire).map(order -> new BulkStatus(order, progress(wire), fate(wire)));
    }

    private static Optional<BulkStatus.Fate> fate(Remoting.BulkRetry wire) {
        Remoting.BulkRetry.Fate fate = wire.getFate();
        return wire.hasFate()
                ? Optional.of(new BulkStatus.Fate(
                        Instant.ofEpochMilli(fate.getAsOfMillis()),
                        fate.getEnded(),
                        fate.getStuck(),
                        fate.getWaiting(),
                        fate.getMoving(),
                        List.copyOf(fate.getServicesList())))
                : Optional.empty();
    }

    private static Optional<BulkStatus.Progress> progress(Remoting.BulkRetry wire) {
        Remoting.BulkRetry.Progress progress = wire.getProgress();
        return wire.hasProgress()
                ? Optional.of(new BulkStatus.Progress(
                        progress.getRetried(),
                        progress.getRefused(),
                        progress.getLeft(),
                        progress.getMore(),
                        progress.getOver()))
                : Optional.empty();
    }

    static Remoting.BulkTask.Builder wire(BulkTask task) {
        Remoting.BulkTask.Builder wire = Remoting.BulkTask.newBuilder()
                .setKind(task.kind().name())
                .setBeforeMillis(task.before().toEpochMilli());
        return switch (task) {
            case BulkTask.Retry retry -> wire(wire, retry.chosen());
            case BulkTask.Skip skip -> wire(wire, skip.chosen());
            case BulkTask.Resolve resolve ->
                wire(wire, resolve.chosen()).setOutcome(resolve.outcome().name());
            case BulkTask.Abort abort ->
                wire.setService(abort.service().orElse(""))
                        .setOperation(abort.operation().orElse(""));
        };
    }

    private static Remoting.BulkTask.Builder wire(Remoting.BulkTask.Builder wire, BulkTask.Chosen chosen) {
        return wire.setReason(chosen.reason().name())
                .setDetail(chosen.detail().orElse(""))
                .setService(chosen.service().orElse(""));
    }

    /** Empty if a newer node knows more. */
    static Optional<BulkTask> task(Remoting.BulkTask wire) {
        return InsightSerializer.named(BulkTask.Kind.values(), wire.getKind()).flatMap(kind -> switch (kind) {
            case RETRY -> chosen(wire).map(BulkTask.Retry::new);
            case SKIP -> chosen(wire).map(BulkTask.Skip::new);
            case RESOLVE ->
                chosen(wire)
                        .flatMap(chosen -> InsightSerializer.named(Outcome.values(), wire.getOutcome())
                                .map(outcome -> new BulkTask.Resolve(chosen, outcome)));
            case ABORT ->
                Optional.of(new BulkTask.Abort(text(wire.getService()), text(wire.getOperation()), before(wire)));
        });
    }

    private static Optional<BulkTask.Chosen> chosen(Remoting.BulkTask wire) {
        return reason(wire.getReason())
                .map(reason ->
                        new BulkTask.Chosen(reason, text(wire.getDetail()), text(wire.getService()), before(wire)));
    }

    private static Instant before(Remoting.BulkTask wire) {
        return Instant.ofEpochMilli(wire.getBeforeMillis());
    }

    private static Optional<Stuck.Reason> reason(String name) {
        return InsightSerializer.named(Stuck.Reason.values(), name);
    }

    private static Optional<String> text(String value) {
        return InsightSerializer.text(value);
    }
}
