package io.alphaomega.samples.booking.booking;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.alphaomega.samples.booking.RefusedException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.http.HttpStatusCode;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.RestClientException;
import tools.jackson.databind.json.JsonMapper;

class ExplanationsTest {
    private static final String DETAIL = "{\"detail\":\"No room is left.\"}";

    @Test
    void a_refusal_carries_the_services_sentence() {
        assertThatThrownBy(() -> call("409 Conflict", DETAIL.length()))
                .isInstanceOf(RefusedException.class)
                .hasMessage("No room is left.");
    }

    @Test
    void a_service_that_dies_while_it_refuses_has_refused_all_the_same() {
        assertThatThrownBy(() -> call("409 Conflict", DETAIL.length() + 1))
                .isInstanceOf(RefusedException.class)
                .hasMessage("Its explanation broke off.")
                .hasNoCause();
    }

    @ParameterizedTest
    @ValueSource(strings = {"500 Internal Server Error", "404 Not Found"})
    void a_service_that_dies_while_it_fails_has_failed(String status) {
        assertThatThrownBy(() -> call(status, DETAIL.length() + 1))
                .isInstanceOf(RestClientException.class)
                .hasMessageContaining(status.substring(0, 3))
                .hasMessageEndingWith("Its explanation broke off.")
                .hasNoCause();
    }

    /** Calls a service that sends {@link #DETAIL} and hangs up, having promised that many bytes. */
    private static void call(String status, int promised) {
        try (ServerSocket service = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Thread.ofVirtual().start(() -> answerOnce(service, status, promised));
            RestClient.builder()
                    .defaultStatusHandler(HttpStatusCode::isError, new Explanations(JsonMapper.shared()))
                    .build()
                    .get()
                    .uri("http://127.0.0.1:" + service.getLocalPort())
                    .retrieve()
                    .toBodilessEntity();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void answerOnce(ServerSocket service, String status, int promised) {
        String answer = "HTTP/1.1 %s\r\nContent-Length: %d\r\n\r\n%s".formatted(status, promised, DETAIL);
        try (Socket caller = service.accept()) {
            while (caller.getInputStream().read() != '\n') {} // Its request has come, or hanging up would be a reset.
            caller.getOutputStream().write(answer.getBytes(StandardCharsets.US_ASCII));
            caller.shutdownOutput();
            caller.getInputStream().transferTo(java.io.OutputStream.nullOutputStream());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
