package io.alphaomega.omega.stream;

import static io.alphaomega.omega.stream.Omega.settings;
import static io.alphaomega.omega.stream.Omega.started;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** What is said of an alpha whose TLS does not fit; how it is said for each misuse, real alphas show. */
class TlsTroubleTest {
    private static final int SEVERAL = 4;

    /** As TLS says that it does not understand. */
    private static final byte[] ALERT = {21, 3, 3, 0, 2, 2, 80};

    private final Logger logger = (Logger) LoggerFactory.getLogger(AlphaClient.class);
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();

    @BeforeEach
    void listen() {
        log.start();
        logger.addAppender(log);
    }

    @AfterEach
    void listenNoMore() {
        logger.detachAppender(log);
    }

    /** Closes the first connection, and answers the others with an alert. */
    private static void answer(ServerSocket server, AtomicInteger attempts) {
        while (!server.isClosed()) {
            try (Socket socket = server.accept()) {
                if (attempts.incrementAndGet() == 1) continue;
                socket.getOutputStream().write(ALERT);
                while (socket.getInputStream().read() >= 0) {}
            } catch (IOException gone) {
                // The client, or the test has ended.
            }
        }
    }

    @Test
    void it_is_said_once_however_often_it_is_found_also_after_another_trouble() throws Exception {
        AtomicInteger attempts = new AtomicInteger();
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Thread answering = new Thread(() -> answer(server, attempts), "alert");
            answering.start();
            String address = "127.0.0.1:" + server.getLocalPort();
            try (AlphaClient client = started(settings(1, address), callback -> Omega.SUCCESS)) {
                await().until(() -> attempts.get() > SEVERAL);
                assertThat(client.status().get(0).lastError())
                        .startsWith("it answers with TLS, and this service connects without");
            }
        }
        List<String> said = List.copyOf(log.list).stream()
                .map(ILoggingEvent::getFormattedMessage)
                .filter(each -> each.startsWith("No connection to alpha"))
                .toList();
        assertThat(said).hasSize(2);
        assertThat(said.get(1)).endsWith("if Java trusts alpha's certificate; connecting again.");
    }
}
