package io.alphaomega.server.http;

import io.alphaomega.repository.SagaSummary.State;
import io.alphaomega.saga.BranchId;
import io.alphaomega.saga.Outcome;
import io.alphaomega.saga.Stuck;
import io.alphaomega.server.insight.ClusterInsight;
import io.alphaomega.server.insight.StuckFilter;
import io.alphaomega.server.insight.StuckView;
import io.alphaomega.server.insight.Trouble;
import io.alphaomega.server.problem.Problems;
import io.alphaomega.server.queries.InsightReader;
import io.alphaomega.server.stream.CallbackNeeds;
import io.alphaomega.server.sweep.StuckSaga;
import io.alphaomega.server.sweep.StuckSagas;
import io.alphaomega.server.text.Texts;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Looking at what the nodes know together: which sagas are stuck, and which services there are. */
@RestController
@RequestMapping("/api/v1")
class InsightController {
    private final InsightReader insights;

    InsightController(InsightReader insights) {
        this.insights = insights;
    }

    /**
     * The sagas that are stuck, as JSON.
     *
     * @param unknownSince since when nobody could look, because the store is away or the node that looks does not answer; null
     *     while somebody can. Otherwise all that is told is as it was at {@code asOf}
     * @param asOf when they were looked at
     * @param more whether there are others that were not looked at
     * @param open how many sagas are in each state that is not the end; null while nobody knows
     * @param count how many sagas are stuck; null while nobody knows
     * @param waiting how many sagas wait for a service of which no instance is connected, for less than a minute, by service;
     *     they are not stuck yet
     * @param unread how many others were changing when they were looked at, and are read at the next look
     * @param groups those that are stuck for the same reason; the one that has been for longest first
     * @param sagas those that were asked for, the one that has been stuck for longest first
     */
    record StuckList(
            @Nullable Instant unknownSince,
            Instant asOf,
            boolean more,
            @Nullable Map<State, Long> open,
            @Nullable Long count,
            List<Waiting> waiting,
            int unread,
            List<StuckGroupRow> groups,
            List<StuckRow> sagas) {
        static StuckList of(ClusterInsight insight) {
            StuckView view = InsightReader.lookedAt(insight);
            boolean known = insight.stuckUnknown().isEmpty();
            Map<State, Long> open = new TreeMap<>(view.open().byState());
            open.keySet().retainAll(StuckSagas.OPEN);
            return new StuckList(
                    insight.stuckUnknown().orElse(null),
                    view.asOf(),
                    view.more(),
                    known ? open : null,
                    known ? view.count() : null,
                    view.waiting().stream().map(Waiting::of).toList(),
                    view.unread(),
                    view.groups().stream().map(StuckGroupRow::of).toList(),
                    view.sagas().stream().map(StuckRow::of).toList());
        }
    }

    /**
     * Sagas that wait for a service of which no instance is connected, as JSON.
     *
     * @param service that they wait for
     * @param count how many sagas
     * @param since when the first of them began to wait
     */
    record Waiting(String service, int count, Instant since) {
        static Waiting of(StuckSagas.Group group) {
            return new Waiting(group.kind().service(), group.count(), group.oldest());
        }
    }

    /**
     * Sagas that are stuck for the same reason, as JSON.
     *
     * @param reason why: SUSPENDED waits for a person, NO_PARTICIPANT for a service, FAILING is tried again, OVERDUE
     *     for alpha
     * @param detail of a suspended saga why alpha gave up; otherwise empty
     * @param service whose people must act
     * @param callback that is missing or fails, if it is one
     * @param count how many sagas
     * @param oldest since when the first of them has been stuck
     */
    record StuckGroupRow(
            Stuck.Reason reason,
            String detail,
            String service,
            @Nullable String callback,
            int count,
            Instant oldest) {
        static StuckGroupRow of(StuckSagas.Group group) {
            StuckSagas.Kind kind = group.kind();
            return new StuckGroupRow(
                    kind.reason(),
                    kind.detail(),
                    kind.service(),
                    kind.callback().orElse(null),
                    group.count(),
                    group.oldest());
        }
    }

    /**
     * A saga that is stuck, as JSON.
     *
     * @param id the saga's
     * @param state as in the list of sagas
     * @param initiator the service that began it
     * @param operation that it began with
     * @param businessKey what it is about; may be empty
     * @param reason as in its group
     * @param detail as in its group
     * @param service whose people must act
     * @param branch that holds it up, if one does
     * @param callback that is missing or fails, if it is one
     * @param since when the trouble began
     * @param decided how it will end: COMMITTED or COMPENSATED; null if that is open
     */
    record StuckRow(
            String id,
            State state,
            String initiator,
            String operation,
            String businessKey,
            Stuck.Reason reason,
            String detail,
            String service,
            @Nullable String branch,
            @Nullable String callback,
            Instant since,
            @Nullable String decided) {
        static StuckRow of(StuckSaga saga) {
            Stuck stuck = saga.stuck();
            return new StuckRow(
                    saga.id().value(),
                    saga.state(),
                    saga.initiator(),
                    saga.operation(),
                    saga.businessKey(),
                    stuck.reason(),
                    stuck.detail(),
                    stuck.service(),
                    stuck.branch().map(BranchId::value).orElse(null),
                    stuck.callback().orElse(null),
                    stuck.since(),
                    saga.decided().map(Outcome::name).orElse(null));
        }
    }

    /**
     * What is amiss, as JSON.
     *
     * @param troubles the one that explains most first; none if alpha sees all there is
     */
    record TroubleList(List<TroubleRow> troubles) {}

    /**
     * Something that keeps alpha from working or from seeing all there is, as JSON.
     *
     * @param kind what it is
     * @param node that is concerned, as host:port; null where it is the whole cluster
     * @param count how many shards have no home, or changes the search index lacks; 0 of anything else
     * @param since when it began, or when the node that is asked noticed it
     * @param text a sentence that says all of it
     */
    record TroubleRow(
            Trouble.Kind kind,
            @Nullable String node,
            long count,
            @Nullable Instant since,
            String text) {
        static TroubleRow of(Trouble trouble) {
            return new TroubleRow(
                    trouble.kind(),
                    trouble.subject().isEmpty() ? null : trouble.subject(),
                    trouble.count(),
                    trouble.since().orElse(null),
                    Texts.ENGLISH.say(
                            trouble.key(),
                            trouble.since()
                                    .map(since -> since.truncatedTo(ChronoUnit.SECONDS))
                                    .map(Instant::toString)
                                    .orElse(""),
                            trouble.about()));
        }
    }

    /**
     * The services, as JSON.
     *
     * @param silent addresses of nodes that did not answer in time: what only they know is missing
     * @param services by name
     */
    record ServiceList(List<String> silent, List<ServiceRow> services) {}

    /**
     * A service that is connected, was within the last hour, or that stuck sagas wait for, as JSON.
     *
     * @param name as the services say it
     * @param connected whether any instance is
     * @param callbacks that its connected instances can run
     * @param missing callbacks that open sagas need or may need and no connected instance can run
     * @param lacking those of them that were missed when a build connected or left
     * @param builds of it that are connected side by side: by build, how many of the instances in the list
     * @param instances those that are connected first, then those seen last
     * @param further how many instances are not in the list
     * @param stuck how many sagas are stuck because of it
     */
    record ServiceRow(
            String name,
            boolean connected,
            Set<String> callbacks,
            Set<String> missing,
            List<CallbackNeeds.Lack> lacking,
            Map<String, Integer> builds,
            List<ClusterInsight.Instance> instances,
            int further,
            int stuck) {
        static ServiceRow of(ClusterInsight.Service service) {
            return new ServiceRow(
                    service.name(),
                    service.isConnected(),
                    service.callbacks(),
                    service.missing(),
                    service.lacking(),
                    service.builds(),
                    service.instances(),
                    service.further(),
                    service.stuck());
        }
    }

    /** Shows the sagas that do not come to their end by themselves, in groups and one by one; older than ten seconds only if a look takes long, or if it says that nobody could look since. */
    @GetMapping("/stuck")
    StuckList stuck(
            @RequestParam Optional<String> reason,
            @RequestParam Optional<String> service,
            @RequestParam(defaultValue = "50") String limit) {
        return StuckList.of(insights.read(InsightReader.filter(reason, service, limit(limit))));
    }

    /**
     * Lists what keeps alpha from working or from seeing all there is: a store that is away, nodes that are missing or do not
     * answer, shards of the sagas without a home. While there is any, other answers may be old or lack something.
     */
    @GetMapping("/troubles")
    TroubleList troubles() {
        return new TroubleList(
                insights.read().troubles().stream().map(TroubleRow::of).toList());
    }

    /** Lists the services that are connected, were within the last hour, or that stuck sagas wait for. */
    @GetMapping("/services")
    ServiceList services() {
        ClusterInsight insight = insights.read();
        return new ServiceList(
                insight.silent(),
                insight.services().stream().map(ServiceRow::of).toList());
    }

    private static int limit(String value) {
        try {
            int limit = Integer.parseInt(value);
            if (limit >= 0 && limit <= StuckFilter.LIMIT_MAX) return limit;
        } catch (NumberFormatException e) {
            // Refused below, like a number out of range.
        }
        throw Problems.badParameter("limit", "0 to " + StuckFilter.LIMIT_MAX, value);
    }
}
