package io.alphaomega.server.console;

import io.alphaomega.server.insight.ClusterInsight;
import java.time.Instant;

/** The services that take part. */
record ServicesPage(Instant now, ClusterInsight insight) {
    /** The style of a service's dot: none while a node is silent to which it may be connected. */
    String dot(ClusterInsight.Service service) {
        if (service.isConnected()) return "good";
        return insight.silent().isEmpty() ? "bad" : "";
    }
}
