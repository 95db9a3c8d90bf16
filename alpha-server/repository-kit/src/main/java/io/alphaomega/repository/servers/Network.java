package io.alphaomega.repository.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A network of nodes, each in a namespace of its own with an address of its own, and of this machine itself, joined by a
 * bridge. Any direction between any two can be cut. Needs root.
 */
public final class Network implements AutoCloseable {
    /** The machine itself, where stores, services and callers are. */
    public static final int HOST = 0;

    private static final int HOST_ADDRESS = 254;
    private static final String PREFIX = "campaign";
    private static final String BRIDGE = "cn";
    private static final long PROBE_SECONDS = 1;

    private final int nodes;
    private final long pid = ProcessHandle.current().pid();
    private final String bridge = BRIDGE + pid;
    private final String subnet = "10.%d.%d.".formatted(200 + pid % 50, pid / 50 % 250);
    private final Thread atExit = new Thread(this::remove);

    /** What is sent by one and never arrives at the other. */
    public record Link(int from, int to) {
        public Link reversed() {
            return new Link(to, from);
        }
    }

    /** @throws IllegalStateException if this user may not make one */
    public Network(int nodes) {
        this.nodes = nodes;
        if (!"root".equals(System.getProperty("user.name"))) {
            throw new IllegalStateException(
                    "Each node gets a network namespace of its own, which needs root; this is run by %s. Nothing was started."
                            .formatted(System.getProperty("user.name")));
        }
        sweep();
        Runtime.getRuntime().addShutdownHook(atExit);
        must("ip", "link", "add", bridge, "type", "bridge");
        must("ip", "address", "add", address(HOST) + "/24", "dev", bridge);
        must("ip", "link", "set", bridge, "up");
        IntStream.rangeClosed(1, nodes).forEach(this::add);
    }

    private void add(int node) {
        String namespace = namespace(node);
        String outside = bridge + "o" + node;
        String inside = bridge + "i" + node;
        must("ip", "netns", "add", namespace);
        must("ip", "link", "add", outside, "type", "veth", "peer", "name", inside, "netns", namespace);
        must("ip", "link", "set", outside, "master", bridge, "up");
        must("ip", "-n", namespace, "address", "add", address(node) + "/24", "dev", inside);
        must("ip", "-n", namespace, "link", "set", inside, "up");
        must("ip", "-n", namespace, "link", "set", "lo", "up");
    }

    public String address(int node) {
        return subnet + (node == HOST ? HOST_ADDRESS : node);
    }

    /** That port of each node, as in {@code 10.1.2.1:8071,10.1.2.2:8071}. */
    public String addresses(int port) {
        return IntStream.rangeClosed(1, nodes)
                .mapToObj(node -> address(node) + ":" + port)
                .collect(Collectors.joining(","));
    }

    /** What stands before a command that is to run on that node. */
    public List<String> on(int node) {
        return List.of("ip", "netns", "exec", namespace(node));
    }

    /** Drops everything on those links, until {@link #heal}. */
    public void cut(Collection<Link> links) {
        for (Link link : links) {
            // The machine's own tables are left alone: what it sends is dropped where it arrives, what it gets where it
            // leaves.
            boolean toHost = link.to() == HOST;
            int at = toHost ? link.from() : link.to();
            iptables(
                    at,
                    "-A",
                    toHost ? "OUTPUT" : "INPUT",
                    toHost ? "-d" : "-s",
                    address(toHost ? HOST : link.from()),
                    "-j",
                    "DROP");
        }
    }

    /** How many packets the cut links have swallowed so far. */
    public long dropped() {
        long packets = 0;
        for (int node = 1; node <= nodes; node++) {
            for (String line : iptables(node, "-L", "-v", "-n", "-x").lines().toList()) {
                String[] words = line.strip().split("\\s+", -1);
                if (words.length > 2 && words[2].equals("DROP")) packets += Long.parseLong(words[0]);
            }
        }
        return packets;
    }

    public void heal() {
        for (int node = 1; node <= nodes; node++) iptables(node, "-F");
    }

    /** Whether one can connect to a port of the other. */
    public boolean reaches(int from, int to, int port) {
        String connect = "exec 3<>/dev/tcp/%s/%d".formatted(address(to), port);
        List<String> words = new ArrayList<>(from == HOST ? List.of() : on(from));
        words.addAll(List.of("timeout", Long.toString(PROBE_SECONDS), "bash", "-c", connect));
        return succeeds(words.toArray(String[]::new));
    }

    private String iptables(int node, String... arguments) {
        List<String> words = new ArrayList<>(on(node));
        words.addAll(List.of("iptables", "-w"));
        words.addAll(List.of(arguments));
        return must(words.toArray(String[]::new));
    }

    private String namespace(int node) {
        return PREFIX + "-" + pid + "-" + node;
    }

    /** Takes away what a killed campaign has left. */
    private static void sweep() {
        for (String line : must("ip", "netns", "list").lines().toList()) {
            String[] words = line.split("[- ]", -1);
            boolean left = words.length > 2
                    && words[0].equals(PREFIX)
                    && words[1].matches("\\d+")
                    && !Files.exists(Path.of("/proc", words[1]));
            if (!left) continue;
            removeNamespace(line.split(" ", 2)[0]);
            removeBridge(BRIDGE + words[1]);
        }
    }

    private void remove() {
        for (int node = 1; node <= nodes; node++) removeNamespace(namespace(node));
        removeBridge(bridge);
    }

    private static void removeNamespace(String name) {
        boolean unusedMaybeGone = succeeds("ip", "netns", "delete", name);
    }

    private static void removeBridge(String name) {
        boolean unusedMaybeGone = succeeds("ip", "link", "delete", name);
    }

    private static String must(String... words) {
        try {
            return Command.run(words);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean succeeds(String... words) {
        try {
            String unused = Command.run(words);
            return true;
        } catch (IOException failed) {
            return false;
        }
    }

    @Override
    public void close() {
        Runtime.getRuntime().removeShutdownHook(atExit);
        remove();
    }
}
