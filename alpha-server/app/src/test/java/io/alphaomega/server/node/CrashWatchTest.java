package io.alphaomega.server.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import akka.actor.Address;
import io.alphaomega.repository.servers.ServerProcess;
import io.alphaomega.server.properties.ClusterProperties.Resolver;
import io.alphaomega.server.saga.FaultyRepository;
import io.alphaomega.server.saga.TestNode;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.Test;

/** Nodes whose process is gone, and others that are only silent; the split brain resolver decides about neither. */
class CrashWatchTest {
    private static final String UNDECIDED = "akka.cluster.split-brain-resolver.stable-after = 10m\n";

    /** Some looks. */
    private static final Duration A_WHILE = CrashWatch.LOOK_EVERY.multipliedBy(8);

    private final FaultyRepository store = new FaultyRepository();

    private static ConditionFactory soon() {
        return await();
    }

    private ReportingNode watching(int port, int seed, String settings) {
        return watching(port, seed, settings, CrashWatch::isClosed);
    }

    private ReportingNode watching(int port, int seed, String settings, Predicate<Address> closed) {
        ReportingNode node = new ReportingNode(store, TestNode.at(port, seed), UNDECIDED + settings);
        CrashWatch.Settings watch = new CrashWatch.Settings(Resolver.KEEP_MAJORITY, closed);
        return node.watches(Map.of("crash-watch", CrashWatch.create(watch)));
    }

    private static long silent(ReportingNode node) {
        return node.nodes.all().stream().filter(each -> !each.reachable()).count();
    }

    private static void staysSilent(ReportingNode node) {
        soon().until(() -> silent(node) == 1);
        await().during(A_WHILE).until(() -> silent(node) == 1);
    }

    @Test
    void a_node_whose_process_is_gone_is_removed_at_once() {
        int first = ServerProcess.freePort();
        try (ReportingNode one = watching(first, first, "");
                ReportingNode two = watching(ServerProcess.freePort(), first, "");
                ReportingNode three = watching(ServerProcess.freePort(), first, "")) {
            soon().until(() -> one.inTouch() == 3 && two.inTouch() == 3 && three.inTouch() == 3);
            three.crash();
            soon().until(() -> one.inTouch() == 2 && one.nodes.all().size() == 2);
            soon().until(() -> two.inTouch() == 2 && two.nodes.all().size() == 2);
        }
    }

    @Test
    void a_node_that_is_only_silent_is_left_to_the_resolver() {
        int first = ServerProcess.freePort();
        try (ReportingNode one = watching(first, first, "");
                ReportingNode two = watching(ServerProcess.freePort(), first, "");
                ReportingNode three = watching(ServerProcess.freePort(), first, ReportingNode.CAN_BE_CUT_OFF)) {
            soon().until(() -> one.inTouch() == 3 && two.inTouch() == 3 && three.inTouch() == 3);
            three.loses(List.of(one, two));
            staysSilent(one);
            three.crash();
            soon().until(() -> one.nodes.all().size() == 2);
        }
    }

    /** The first of the others is silent already, the other still heard, and a firewall refuses connections to both. */
    @Test
    void a_node_that_is_being_cut_off_removes_nobody() {
        int first = ServerProcess.freePort();
        try (ReportingNode one = watching(first, first, ReportingNode.CAN_BE_CUT_OFF, refused -> true);
                ReportingNode two = watching(ServerProcess.freePort(), first, "");
                ReportingNode three = watching(ServerProcess.freePort(), first, "")) {
            soon().until(() -> one.inTouch() == 3 && two.inTouch() == 3 && three.inTouch() == 3);
            one.loses(List.of(two));
            staysSilent(one);
        }
    }

    @Test
    void a_port_is_closed_only_if_connections_are_refused() throws IOException {
        int closed = ServerProcess.freePort();
        assertThat(CrashWatch.isClosed(at(closed))).isTrue();
        try (ServerSocket full = new ServerSocket(0, 1)) {
            assertThat(CrashWatch.isClosed(at(full.getLocalPort()))).isFalse();
            List<Socket> waiting = new ArrayList<>();
            // Nobody accepts them, so soon the kernel does not answer any more.
            for (int i = 0; i < 3; i++) {
                Socket socket = new Socket();
                waiting.add(socket);
                try {
                    socket.connect(full.getLocalSocketAddress(), 100);
                } catch (SocketTimeoutException unanswered) {
                    break;
                }
            }
            assertThat(CrashWatch.isClosed(at(full.getLocalPort())))
                    .as("is not answered")
                    .isFalse();
            for (Socket socket : waiting) socket.close();
        }
        assertThat(CrashWatch.isClosed(new Address("akka", "alpha", "no-such-host.invalid", 1)))
                .isFalse();
    }

    private static Address at(int port) {
        return new Address("akka", "alpha", "127.0.0.1", port);
    }

    @Test
    void a_node_that_the_resolver_would_end_removes_nobody() {
        int lower = ServerProcess.freePort();
        int higher = ServerProcess.freePort();
        if (lower > higher) {
            int swap = lower;
            lower = higher;
            higher = swap;
        }
        try (ReportingNode one = watching(lower, lower, "");
                ReportingNode two = watching(higher, lower, "")) {
            soon().until(() -> one.inTouch() == 2 && two.inTouch() == 2);
            one.crash();
            staysSilent(two);
        }
    }
}
