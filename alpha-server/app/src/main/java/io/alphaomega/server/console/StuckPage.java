package io.alphaomega.server.console;

import io.alphaomega.saga.Stuck;
import io.alphaomega.server.http.SagaDetail;
import io.alphaomega.server.insight.StuckFilter;
import io.alphaomega.server.insight.StuckView;
import io.alphaomega.server.sweep.StuckSagas;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Optional;

/**
 * What does not come to its end by itself.
 *
 * @param view empty if nobody knows yet
 * @param filter which sagas are shown one by one
 */
record StuckPage(Instant now, Optional<StuckView> view, StuckFilter filter) {
    /** Where the sagas of a group are shown. */
    static String link(StuckSagas.Group group) {
        return "/stuck?reason=%s&service=%s"
                .formatted(group.kind().reason(), URLEncoder.encode(group.kind().service(), StandardCharsets.UTF_8));
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
