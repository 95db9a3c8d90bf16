package io.alphaomega.server.console;

import io.alphaomega.server.insight.ClusterInsight;
import java.time.Instant;
import java.util.Set;
import java.util.TreeSet;

/** The services that take part. */
record ServicesPage(Instant now, ClusterInsight insight) {
    /** The missing callbacks that {@link ClusterInsight.Service#lacking} does not describe. */
    Set<String> missing(ClusterInsight.Service service) {
        Set<String> missing = new TreeSet<>(service.missing());
        service.lacking().forEach(lack -> missing.remove(lack.callback()));
        return missing;
    }

    /** The style of a service's dot: none while a node is silent to which it may be connected. */
    String dot(ClusterInsight.Service service) {
        if (service.isConnected()) return "good";
        return insight.silent().isEmpty() ? "bad" : "";
    }
}
