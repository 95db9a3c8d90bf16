package io.alphaomega.server.http;

import io.alphaomega.server.node.ClockOffset;
import io.alphaomega.server.node.NodeReport;
import io.alphaomega.server.node.Nodes;
import io.alphaomega.server.queries.InsightReader;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** Looking at the nodes of the cluster. */
@RestController
@RequestMapping("/api/v1/nodes")
class NodesController {
    private final Nodes nodes;

    NodesController(Nodes nodes) {
        this.nodes = nodes;
    }

    /**
     * The nodes of the cluster, as JSON; the longest there is the first.
     *
     * @param nodes the one that has been there for longest is the first
     */
    record NodeList(List<NodeRow> nodes) {}

    /**
     * A node, as JSON.
     *
     * @param address host and port for other nodes
     * @param status UP, or on its way to it or from it
     * @param roles none today
     * @param reachable whether it answers the others
     * @param self whether it is the one that was asked
     * @param oldest whether it does what one node does for all
     * @param report null if the node did not answer in time
     * @param clock null if it did not, or is too old to say
     */
    record NodeRow(
            String address,
            Nodes.Status status,
            List<String> roles,
            boolean reachable,
            boolean self,
            boolean oldest,
            @Nullable Report report,
            @Nullable ClockRow clock) {
        static NodeRow of(Nodes.Node node) {
            return new NodeRow(
                    node.address(),
                    node.status(),
                    node.roles(),
                    node.reachable(),
                    node.self(),
                    node.oldest(),
                    node.report().map(Report::of).orElse(null),
                    node.clock().map(ClockRow::of).orElse(null));
        }
    }

    /**
     * How far a node's clock is ahead of that of the node asked, and by how much that may be wrong, as JSON.
     *
     * @param aheadMillis of the clock of the node that was asked; negative if behind
     * @param errorMillis by how much that may be wrong
     */
    record ClockRow(long aheadMillis, long errorMillis) {
        static ClockRow of(ClockOffset offset) {
            return new ClockRow(offset.ahead().toMillis(), offset.error().toMillis());
        }
    }

    /**
     * What a node says of itself, as JSON.
     *
     * @param version of alpha
     * @param uptimeSeconds since its start
     * @param sagas in its memory
     * @param shards of the sagas that it has, of a hundred
     * @param streams of services that it has
     */
    record Report(String version, long uptimeSeconds, int sagas, int shards, int streams) {
        static Report of(NodeReport report) {
            return new Report(
                    report.version(), report.uptime().toSeconds(), report.sagas(), report.shards(), report.streams());
        }
    }

    /** Lists the nodes of the cluster, as the node that is asked sees them. */
    @GetMapping
    NodeList list() {
        List<Nodes.Node> all = nodes.all();
        if (all.isEmpty()) {
            throw InsightReader.starting();
        }
        return new NodeList(all.stream().map(NodeRow::of).toList());
    }
}
