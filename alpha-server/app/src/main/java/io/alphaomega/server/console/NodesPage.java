package io.alphaomega.server.console;

import io.alphaomega.server.insight.Trouble;
import io.alphaomega.server.node.Nodes;
import java.time.Instant;
import java.util.List;

/**
 * The nodes of the cluster.
 *
 * @param troubles of which some are nodes that are missing
 */
record NodesPage(Instant now, List<Nodes.Node> nodes, List<Trouble> troubles) {
    List<Trouble> missing() {
        return troubles.stream()
                .filter(trouble -> trouble.kind() == Trouble.Kind.NODE_MISSING)
                .toList();
    }

    /** How far ahead the node's clock is, and how sure that is. */
    static String clock(Nodes.Node node) {
        return node.clock()
                .map(offset -> "%+d ms ± %d"
                        .formatted(offset.ahead().toMillis(), offset.error().toMillis()))
                .orElse("");
    }
}
