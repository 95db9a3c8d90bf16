package io.alphaomega.repository.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.FutureTask;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** In front of a real server that speaks a protocol simple enough to be spoken by hand. */
final class CuttingProxyTest {
    private static final int PORT = ServerProcess.freePort();
    private static final Path DIRECTORY = ServerProcess.newDirectory("redis");
    private static final ServerProcess REDIS = new ServerProcess(
            DIRECTORY,
            Command.of(Installed.redisServer(), "--port", PORT, "--dir", DIRECTORY),
            ServerProcess.listening(PORT));

    private final CuttingProxy proxy = CuttingProxy.to(PORT);

    @BeforeAll
    static void start() {
        REDIS.start();
    }

    @AfterAll
    static void stop() {
        REDIS.close();
    }

    @AfterEach
    void close() {
        proxy.close();
    }

    /** A connection, and what the server says to each line. */
    private record Client(Socket socket) implements AutoCloseable {
        static Client of(int port) throws IOException {
            return new Client(new Socket(InetAddress.getLoopbackAddress(), port));
        }

        String ask(String line) throws IOException {
            socket.getOutputStream().write((line + "\r\n").getBytes(StandardCharsets.US_ASCII));
            StringBuilder answer = new StringBuilder();
            for (int c = socket.getInputStream().read();
                    c != '\n';
                    c = socket.getInputStream().read()) {
                if (c < 0) throw new IOException("cut");
                answer.append((char) c);
            }
            return answer.toString().strip();
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }

    @Test
    void it_passes_and_counts() throws Exception {
        try (Client client = Client.of(proxy.port())) {
            assertThat(client.ask("SET passes yes")).isEqualTo("+OK");
            assertThat(client.ask("INCR passed")).isEqualTo(":1");
        }
        assertThat(proxy.opened()).isEqualTo(1);
        assertThat(proxy.roundTrips()).isEqualTo(2);
        assertThat(proxy.requestBytes()).isEqualTo(16 + 13);
        assertThat(proxy.answerBytes()).isEqualTo(5 + 4);
    }

    @Test
    void an_answer_that_is_lost_was_executed() throws Exception {
        try (Client client = Client.of(proxy.port());
                Client witness = Client.of(PORT)) {
            client.ask("PING");
            proxy.loseAnswers();
            assertThatExceptionOfType(IOException.class).isThrownBy(() -> client.ask("INCR lost"));
            assertThat(witness.ask("INCR lost")).isEqualTo(":2");
        }
        proxy.pass();
        try (Client again = Client.of(proxy.port())) {
            assertThat(again.ask("PING")).isEqualTo("+PONG");
        }
    }

    @Test
    void answers_are_lost_from_the_request_with_the_words_on() throws Exception {
        proxy.loseAnswersAfter("EXEC");
        try (Client client = Client.of(proxy.port());
                Client witness = Client.of(PORT)) {
            assertThat(client.ask("MULTI")).isEqualTo("+OK");
            assertThat(client.ask("INCR transacted")).isEqualTo("+QUEUED");
            assertThatExceptionOfType(IOException.class).isThrownBy(() -> client.ask("EXEC"));
            assertThat(witness.ask("INCR transacted")).isEqualTo(":2");
        }
    }

    @Test
    void slow_answers_arrive_in_order_and_at_once_when_it_is_over() throws Exception {
        try (Client client = Client.of(proxy.port())) {
            client.ask("PING");
            proxy.slowDown(Duration.ofMillis(200));
            long before = System.nanoTime();
            assertThat(client.ask("INCR slow")).isEqualTo(":1");
            assertThat(System.nanoTime() - before).isGreaterThanOrEqualTo(200_000_000L);

            proxy.slowDown(Duration.ofMinutes(1));
            FutureTask<String> held = new FutureTask<>(() -> client.ask("INCR slow"));
            Thread.ofVirtual().start(held);
            Awaitility.await().until(() -> proxy.roundTrips() == 3);
            assertThat(held.isDone()).isFalse();
            proxy.slowDown(Duration.ZERO);
            assertThat(held.get()).isEqualTo(":2");
        }
    }

    @Test
    void what_is_cut_may_connect_again_and_what_is_refused_may_not() throws Exception {
        try (Client client = Client.of(proxy.port())) {
            client.ask("PING");
            proxy.cut();
            assertThatThrownBy(() -> client.ask("PING")).isInstanceOf(IOException.class);
        }
        try (Client client = Client.of(proxy.port())) {
            client.ask("PING");
            proxy.refuse();
            assertThatThrownBy(() -> client.ask("PING")).isInstanceOf(IOException.class);
        }
        assertThatThrownBy(() -> Client.of(proxy.port())).isInstanceOf(ConnectException.class);
        proxy.pass();
        try (Client client = Client.of(proxy.port())) {
            assertThat(client.ask("PING")).isEqualTo("+PONG");
        }
    }

    @Test
    void the_network_may_go_and_come_as_often_as_it_likes() throws Exception {
        for (int i = 0; i < 200; i++) {
            try (Client client = Client.of(proxy.port())) {
                assertThat(client.ask("PING")).isEqualTo("+PONG");
                proxy.refuse();
                proxy.pass();
            }
        }
    }
}
