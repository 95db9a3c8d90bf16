package io.alphaomega.server.properties;

import static io.alphaomega.server.properties.Refusals.refused;
import static io.alphaomega.server.properties.Refusals.requireHost;
import static io.alphaomega.server.properties.Refusals.requirePort;
import static io.alphaomega.server.properties.Refusals.requirePositive;
import static io.alphaomega.server.properties.Refusals.requireText;
import static io.alphaomega.server.properties.Refusals.text;

import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Where the other alpha nodes are.
 *
 * @param name the name of the cluster; nodes of different names do not join
 * @param host the address under which other nodes reach this one
 * @param port the port for other nodes; 0 for any free one
 * @param seedNodes nodes to join, as host:port; empty for a cluster of one
 * @param discovery how to find nodes to join whose addresses nobody knows beforehand
 * @param heartbeatPause a node that has been silent for so long, and a second more, is suspected to be dead
 * @param stableAfter how long nothing must have changed before a suspected node is given up; the same on every node
 * @param resolver which part continues when the nodes are cut in two; the same on every node
 */
public record ClusterProperties(
        @DefaultValue("alpha") String name,
        @DefaultValue("127.0.0.1") String host,
        @DefaultValue("8070") int port,
        @DefaultValue List<String> seedNodes,
        @DefaultValue Discovery discovery,
        @DefaultValue("1500ms") Duration heartbeatPause,
        @DefaultValue("1s") Duration stableAfter,
        @DefaultValue("keep-majority") Resolver resolver) {
    private static final Pattern NAME = Pattern.compile("[a-zA-Z0-9][a-zA-Z0-9_-]*");

    private static final Pattern HOST_AND_PORT = Pattern.compile("[^:/@\\s]+:[1-9][0-9]{0,4}");

    /** Shorter than this, an ordinary pause of a JVM would look like its end. */
    private static final Duration PAUSE_MIN = Duration.ofMillis(500);

    public ClusterProperties {
        seedNodes = List.copyOf(seedNodes);
        if (!NAME.matcher(name).matches()) {
            throw refused("alpha.cluster.name", "letters, digits, - and _, beginning with a letter or digit", name);
        }
        requireHost("alpha.cluster.host", host);
        requirePort("alpha.cluster.port", port);
        requireNodes("alpha.cluster.seed-nodes", seedNodes);
        requirePause("alpha.cluster.heartbeat-pause", heartbeatPause);
        requirePause("alpha.cluster.stable-after", stableAfter);
        if (discovery.isOn() && !seedNodes.isEmpty()) {
            throw refused(
                    "alpha.cluster.seed-nodes",
                    "empty with alpha.cluster.discovery.method=" + text(discovery.method()),
                    String.join(",", seedNodes));
        }
    }

    private static void requireNodes(String property, List<String> nodes) {
        for (String node : nodes) {
            if (!HOST_AND_PORT.matcher(node).matches()) throw refused(property, "a list of host:port", node);
            requireHost(property, node.substring(0, node.indexOf(':')));
        }
    }

    private static void requirePause(String property, Duration pause) {
        requirePositive(property, pause);
        if (pause.compareTo(PAUSE_MIN) < 0) throw refused(property, "at least " + text(PAUSE_MIN), text(pause));
    }

    /** Which part continues when the nodes are cut in two, so that they cannot reach each other. */
    public enum Resolver {
        /** The larger part; of two equal ones that with the lowest address. */
        KEEP_MAJORITY,
        /** The part with the oldest node. */
        KEEP_OLDEST,
        /** Nobody: all end, and are started again by whoever runs them. */
        DOWN_ALL
    }

    /**
     * How to find nodes to join whose addresses nobody knows beforehand.
     *
     * @param method none; dns asks for the addresses of a name; kubernetes-api asks Kubernetes for pods; config has
     *     them in nodes
     * @param service for dns the name to ask for; for kubernetes-api the value of the pods' label app
     * @param nodes for config, where nodes answer, as host:port with their alpha.cluster.discovery.port
     * @param port where this node answers others that look for a cluster
     * @param requiredNodes how many must have been found before they form a new cluster
     */
    public record Discovery(
            @DefaultValue("none") Method method,
            @DefaultValue("alpha") String service,
            @DefaultValue List<String> nodes,
            @DefaultValue("8558") int port,
            @DefaultValue("2") int requiredNodes) {
        public Discovery {
            nodes = List.copyOf(nodes);
            requireText("alpha.cluster.discovery.service", service);
            requireNodes("alpha.cluster.discovery.nodes", nodes);
            requirePort("alpha.cluster.discovery.port", port);
            if (requiredNodes < 1) {
                throw refused("alpha.cluster.discovery.required-nodes", "at least 1", requiredNodes);
            }
            if (method == Method.CONFIG && nodes.isEmpty()) {
                throw refused(
                        "alpha.cluster.discovery.nodes",
                        "a list of host:port with alpha.cluster.discovery.method=config",
                        "");
            }
        }

        public boolean isOn() {
            return method != Method.NONE;
        }

        /** Whom to ask. */
        public enum Method {
            /** Nobody: alpha.cluster.seed-nodes says it. */
            NONE,
            /** DNS, for the addresses of a name, such as that of a headless service. */
            DNS,
            /** Kubernetes, for pods by their label. */
            KUBERNETES_API,
            /** Nobody: alpha.cluster.discovery.nodes says it. */
            CONFIG
        }
    }
}
