package io.alphaomega.server.console;

import io.alphaomega.saga.Stuck;
import io.alphaomega.server.bulk.BulkOrder;
import io.alphaomega.server.bulk.BulkStatus;
import io.alphaomega.server.bulk.BulkTask;
import io.alphaomega.server.insight.ClusterInsight;
import io.alphaomega.server.insight.StuckFilter;
import io.alphaomega.server.insight.StuckView;
import io.alphaomega.server.queries.SagaDetail;
import io.alphaomega.server.sweep.StuckSagas;
import io.alphaomega.wire.WireAnswers;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What does not come to its end by itself.
 *
 * @param filter which sagas are shown one by one
 */
record StuckPage(Instant now, ClusterInsight insight, StuckFilter filter) {
    /** Those that are over are shown for so long. */
    private static final Duration SHOWN = Duration.ofHours(1);

    /** As it was looked at last; empty if no node that answers has. */
    Optional<StuckView> view() {
        return insight.stuck();
    }

    /** Since when nobody could look; empty if the view is what is true. */
    Optional<Instant> unknown() {
        return insight.stuckUnknown();
    }

    /** What is true of those that are not told of, when alpha has looked a moment ago. */
    String others(StuckView view, Words words) {
        boolean isAll = view.count() == 0 && view.waiting().isEmpty() && view.unread() == 0 && !view.more();
        String ago = words.since(view.asOf(), now);
        return words.say(isAll ? "stuck.none.looked" : "stuck.others.looked", ago);
    }

    /** Those that run or will, and those that were given a while ago. */
    List<BulkStatus> shownBulk() {
        return insight.bulk().stream()
                .filter(each -> each.state() == BulkStatus.State.RUNNING
                        || each.state() == BulkStatus.State.KNOWN
                        || each.order().at().isAfter(now.minus(SHOWN)))
                .toList();
    }

    /** What can be ordered of those that are chosen; nothing unless a reason is. */
    List<BulkForm> forms() {
        if (filter.reason().isEmpty()) return List.of();
        List<BulkForm> forms = new ArrayList<>();
        for (BulkTask.Kind kind : List.of(BulkTask.Kind.RETRY, BulkTask.Kind.SKIP, BulkTask.Kind.RESOLVE)) {
            List<StuckSagas.Group> fitting =
                    chosen().filter(group -> fits(kind, group)).toList();
            if (!fitting.isEmpty()) forms.add(form(kind, filter.reason().get(), fitting));
        }
        return forms;
    }

    private BulkForm form(BulkTask.Kind kind, Stuck.Reason reason, List<StuckSagas.Group> of) {
        List<String> details = of.stream()
                .map(group -> group.kind().detail())
                .filter(detail -> !detail.isEmpty())
                .distinct()
                .toList();
        boolean isChoice = details.size() > 1 || kind != BulkTask.Kind.RETRY || details.contains(Stuck.RESTORED);
        return new BulkForm(
                kind, reason.name(), filter.service().orElse(""), isChoice ? details : List.of(), count(of.stream()));
    }

    /** Of the sagas that are active, of which this page shows none. */
    static BulkForm abort() {
        return new BulkForm(BulkTask.Kind.ABORT, "", "", List.of(), 0);
    }

    private static boolean fits(BulkTask.Kind kind, StuckSagas.Group group) {
        return switch (kind) {
            case RETRY -> mayBeRetried(group);
            case SKIP -> mayBeResolved(group) && !group.kind().detail().equals(Stuck.RESTORED);
            case RESOLVE -> mayBeResolved(group);
            case ABORT -> false;
        };
    }

    private static boolean mayBeRetried(StuckSagas.Group group) {
        return group.kind().reason() != Stuck.Reason.OVERDUE
                && !BulkTask.NOTHING_TO_RETRY.contains(group.kind().detail());
    }

    private static boolean mayBeResolved(StuckSagas.Group group) {
        return group.kind().reason() == Stuck.Reason.SUSPENDED
                && !group.kind().detail().equals(WireAnswers.JOURNAL_UNREADABLE);
    }

    /** How many are chosen. */
    long count() {
        return count(chosen());
    }

    private static long count(Stream<StuckSagas.Group> groups) {
        return groups.mapToLong(StuckSagas.Group::count).sum();
    }

    private Stream<StuckSagas.Group> chosen() {
        return view().stream()
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

    /** What a bulk order is to do, and with which. */
    static String wanted(BulkOrder order, Words words) {
        String key = "bulk.wants." + order.task().kind().name();
        return switch (order.task()) {
            case BulkTask.Retry retry -> words.say(key, which(retry.chosen()));
            case BulkTask.Skip skip -> words.say(key, which(skip.chosen()));
            case BulkTask.Resolve resolve -> words.say(key, which(resolve.chosen()), resolve.outcome());
            case BulkTask.Abort abort ->
                words.say(
                        key,
                        Stream.concat(abort.operation().stream(), abort.service().stream())
                                .collect(Collectors.joining(", ")));
        };
    }

    /** By the names that the API has, too. */
    private static String which(BulkTask.Chosen chosen) {
        return Stream.of(Stream.of(chosen.reason().name()), chosen.detail().stream(), chosen.service().stream())
                .flatMap(names -> names)
                .collect(Collectors.joining(", "));
    }

    /** How far it is, if a node carries it out. */
    static String progress(BulkStatus bulk, Words words) {
        return bulk.progress()
                .map(now -> words.say("bulk.done", now.done()) + " · " + words.say("bulk.left", now.left()) + " · "
                        + (now.refused() > 0 ? words.say("bulk.refused", now.refused()) + " · " : ""))
                .orElse("");
    }

    /** What has become of the sagas that are done; empty if none is, or nobody has looked yet. */
    String became(BulkStatus bulk, Words words) {
        return bulk.fate()
                .map(fate -> words.say("bulk.became", words.since(fate.asOf(), now)) + " "
                        + Stream.of(
                                        became("bulk.became.ended", fate.ended(), words),
                                        became("bulk.became.stuck", fate.stuck(), words),
                                        became("bulk.became.waiting", fate.waiting(), words),
                                        became("bulk.became.moving", fate.moving(), words),
                                        fate.services().isEmpty()
                                                ? ""
                                                : words.say("bulk.became.services", String.join(", ", fate.services())))
                                .filter(part -> !part.isEmpty())
                                .collect(Collectors.joining(" · ")))
                .orElse("");
    }

    private static String became(String key, int sagas, Words words) {
        return sagas == 0 ? "" : words.say(key, sagas);
    }

    /** Services of those that are chosen of which no instance is connected: what is ordered now waits for them. */
    List<String> absent() {
        return insight.absent(chosen().map(group -> group.kind().service()).toList());
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
