package io.alphaomega.server.queries;

import io.alphaomega.saga.Stuck;
import io.alphaomega.server.bulk.BulkOrder;
import io.alphaomega.server.insight.ClusterInsight;
import io.alphaomega.server.insight.Insights;
import io.alphaomega.server.insight.StuckFilter;
import io.alphaomega.server.insight.StuckView;
import io.alphaomega.server.problem.Problems;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.springframework.stereotype.Component;
import org.springframework.web.ErrorResponseException;

/** What the nodes know together; refused while this node is starting or stopping. */
@Component
public final class InsightReader {
    /** A node starts within seconds, and looks for stuck sagas at once. */
    private static final Duration STARTING = Duration.ofSeconds(2);

    private final Insights insights;

    InsightReader(Insights insights) {
        this.insights = insights;
    }

    public ClusterInsight read() {
        return read(StuckFilter.NONE);
    }

    public ClusterInsight read(StuckFilter filter) {
        return insights.gather(filter).orElseThrow(InsightReader::starting);
    }

    /** Empty while this node is starting or stopping. */
    public Optional<ClusterInsight> readIfServing() {
        return insights.gather(StuckFilter.NONE);
    }

    /** After every node that answers was told of the order. */
    public ClusterInsight spread(BulkOrder order) {
        return insights.spread(order).orElseThrow(InsightReader::starting);
    }

    /** By what a caller has given; what is empty does not matter. */
    public static StuckFilter filter(Optional<String> reason, Optional<String> service, int limit) {
        return new StuckFilter(
                reason.filter(name -> !name.isEmpty()).map(InsightReader::reason),
                service.filter(name -> !name.isEmpty()),
                Optional.empty(),
                limit);
    }

    /** The last answer, however old it is. */
    public static StuckView lookedAt(ClusterInsight insight) {
        return insight.stuck().orElseThrow(() -> unknown(insight));
    }

    /** The current answer; refused while no node could look. */
    public static StuckView stuck(ClusterInsight insight) {
        return insight.knownStuck().orElseThrow(() -> unknown(insight));
    }

    private static ErrorResponseException unknown(ClusterInsight insight) {
        return Problems.notServing(
                "Which sagas are stuck has been unknown since %s: no node that answers has looked, or the store is away; ask again."
                        .formatted(insight.stuckUnknown().orElseThrow().truncatedTo(ChronoUnit.SECONDS)),
                STARTING);
    }

    public static ErrorResponseException starting() {
        return Problems.notServing("This alpha node is starting or stopping; ask again.", STARTING);
    }

    private static Stuck.Reason reason(String name) {
        return Arrays.stream(Stuck.Reason.values())
                .filter(known -> known.name().equals(name))
                .findFirst()
                .orElseThrow(() -> Problems.badParameter("reason", "one of " + List.of(Stuck.Reason.values()), name));
    }
}
