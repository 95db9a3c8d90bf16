package io.alphaomega.server.console;

import io.alphaomega.saga.Stuck;
import io.alphaomega.server.bulk.BulkRetry;
import io.alphaomega.server.bulk.BulkStatus;
import io.alphaomega.server.http.SagaDetail;
import io.alphaomega.server.insight.StuckFilter;
import io.alphaomega.server.insight.StuckView;
import io.alphaomega.server.sweep.StuckSagas;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What does not come to its end by itself.
 *
 * @param view empty if nobody knows yet
 * @param filter which sagas are shown one by one
 * @param bulk the last first
 */
record StuckPage(Instant now, Optional<StuckView> view, StuckFilter filter, List<BulkStatus> bulk) {
    /** Those that are over are shown for so long. */
    private static final Duration SHOWN = Duration.ofHours(1);

    /** Those that run, and those that were given a while ago. */
    List<BulkStatus> shownBulk() {
        return bulk.stream()
                .filter(each -> each.state() == BulkStatus.State.RUNNING
                        || each.order().at().isAfter(now.minus(SHOWN)))
                .toList();
    }

    /** How many one order would retry; 0 unless a reason is chosen. */
    long retryable() {
        return filter.reason().isEmpty() ? 0 : count(chosen().filter(group -> BulkRetry.mayBeRetried(group.kind())));
    }

    /** How many are chosen. */
    long count() {
        return count(chosen());
    }

    private static long count(Stream<StuckSagas.Group> groups) {
        return groups.mapToLong(StuckSagas.Group::count).sum();
    }

    private Stream<StuckSagas.Group> chosen() {
        return view.stream()
                .flatMap(all -> all.groups().stream())
                .filter(group ->
                        filter.reason().map(group.kind().reason()::equals).orElse(true))
                .filter(group ->
                        filter.service().map(group.kind().service()::equals).orElse(true));
    }

    /** Where the sagas of a group are shown. */
    static String link(StuckSagas.Group group) {
        return "/stuck?reason=%s&service=%s"
                .formatted(group.kind().reason(), Words.query(group.kind().service()));
    }

    boolean isChosen(StuckSagas.Group group) {
        return filter.reason().filter(group.kind().reason()::equals).isPresent()
                && filter.service().filter(group.kind().service()::equals).isPresent();
    }

    boolean isNarrowed() {
        return filter.reason().isPresent() || filter.service().isPresent();
    }

    /** The paragraph that says what to do; empty if alpha goes on by itself. */
    static Optional<String> runbook(Stuck.Reason reason, String detail) {
        return reason == Stuck.Reason.SUSPENDED && !detail.isEmpty()
                ? Optional.of(SagaDetail.SuspensionDetail.runbook(detail))
                : Optional.empty();
    }
}
