package io.alphaomega.server.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.alphaomega.saga.Operator;
import io.alphaomega.server.bulk.BulkOrder;
import io.alphaomega.server.bulk.BulkStatus;
import io.alphaomega.server.bulk.BulkTask;
import io.alphaomega.server.insight.ClusterInsight;
import io.alphaomega.server.insight.Rates;
import io.alphaomega.server.insight.StuckFilter;
import io.alphaomega.server.meters.Waits;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Which bulk orders the page shows. */
class StuckPageTest {
    private static final Instant NOW = Instant.parse("2026-11-20T09:00:00Z");

    private static BulkStatus given(Duration ago, Optional<Boolean> over) {
        Instant at = NOW.minus(ago);
        BulkTask task = new BulkTask.Abort(Optional.of("spa"), Optional.empty(), at);
        return new BulkStatus(
                new BulkOrder("o", new Operator("ann", "closed"), task, at, 50, false),
                over.map(isOver -> new BulkStatus.Progress(1, 0, 2, false, isOver)));
    }

    @Test
    void whatever_can_be_cancelled_is_shown_however_long_ago_it_was_given() {
        Duration day = Duration.ofDays(1);
        BulkStatus known = given(day, Optional.empty());
        BulkStatus runs = given(day, Optional.of(false));
        BulkStatus over = given(Duration.ofMinutes(1), Optional.of(true));
        StuckPage page = new StuckPage(
                NOW, insight(List.of(known, runs, over, given(day, Optional.of(true)))), StuckFilter.NONE);

        assertThat(page.shownBulk()).containsExactly(known, runs, over);
    }

    private static ClusterInsight insight(List<BulkStatus> bulk) {
        return new ClusterInsight(
                List.of(),
                List.of(),
                new Rates(NOW.getEpochSecond(), List.of()),
                Waits.NONE,
                Waits.NONE,
                Optional.empty(),
                Optional.empty(),
                bulk,
                Map.of(),
                List.of());
    }
}
