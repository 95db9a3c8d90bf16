package io.alphaomega.server.console;

import io.alphaomega.server.node.Nodes;
import java.time.Instant;
import java.util.List;

/** The nodes of the cluster. */
record NodesPage(Instant now, List<Nodes.Node> nodes) {
    /** How far ahead the node's clock is, and how sure that is. */
    static String clock(Nodes.Node node) {
        return node.clock()
                .map(offset -> "%+d ms ± %d"
                        .formatted(offset.ahead().toMillis(), offset.error().toMillis()))
                .orElse("");
    }
}
