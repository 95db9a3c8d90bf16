package io.alphaomega.repository.elasticsearch;

import static org.assertj.core.api.Assertions.assertThat;

import io.alphaomega.repository.RepositoryUnavailableException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What becomes of requests that are under way, or wait for a connection, when their client is closed. */
final class ClosingTest {
    /** More than there are connections to a node. */
    private static final int REQUESTS = 40;

    @Test
    @Timeout(60)
    void a_request_that_the_closing_cuts_off_is_unanswered() throws Exception {
        Queue<Socket> accepted = new ConcurrentLinkedQueue<>();
        Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
        List<Thread> callers = new ArrayList<>();
        try (ServerSocket silent = new ServerSocket(0, REQUESTS, InetAddress.getLoopbackAddress())) {
            Thread.ofVirtual().start(() -> {
                while (true) {
                    try {
                        accepted.add(silent.accept());
                    } catch (Exception closed) {
                        return;
                    }
                }
            });
            URI uri = URI.create("http://127.0.0.1:" + silent.getLocalPort());
            ElasticsearchNodes nodes = ClientBuilding.to(
                    new ElasticsearchSettings(List.of(uri), Optional.empty(), Optional.empty(), "closing", 1, 0));
            for (int i = 0; i < REQUESTS; i++) {
                callers.add(Thread.ofPlatform().start(() -> {
                    try {
                        nodes.ask(ElasticsearchNodes.request("GET", "/"), Deadline.in(Duration.ofMinutes(1)));
                    } catch (Throwable e) {
                        failures.add(e);
                    }
                }));
            }
            Awaitility.await().until(() -> callers.stream().allMatch(ClosingTest::waits));

            nodes.close();
            for (Thread caller : callers) caller.join();
        } finally {
            for (Socket socket : accepted) socket.close();
        }

        assertThat(failures)
                .hasSize(REQUESTS)
                .allSatisfy(failure -> assertThat(failure).isInstanceOf(RepositoryUnavailableException.class));
    }

    private static boolean waits(Thread caller) {
        return caller.getState() == Thread.State.TIMED_WAITING;
    }
}
