package io.alphaomega.samples.booking.processes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.alphaomega.repository.servers.Patience;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Services that Spring has processed ahead of time, on the JVM with {@code spring.aot.enabled}. */
@Tag("processes")
@Tag("long")
class AotTest {
    /** Not the shared one: the hotel gets bookings of trips that only the booking service here knows. */
    private final Stage stage = new Stage("aot");

    private final HttpClient http = HttpClient.newHttpClient();

    @AfterEach
    void close() {
        stage.close();
    }

    @Test
    void they_find_alpha_begin_sagas_run_branches_behind_the_fence_and_take_them_back() throws Exception {
        stage.alpha.launch();
        stage.hotel.launch();
        try (AotService car = car();
                AotService booking = booking(car.port)) {
            car.process();
            booking.process();
            stage.alpha.awaitReady();
            stage.hotel.awaitReady();
            car.launch();
            booking.launch();
            car.awaitReady();
            booking.awaitReady();
            assertThat(car.log()).as("the log of a service").contains("Starting AOT-processed CarApplication");

            // Until one is booked: a process is slow at first, and a branch may be overdue by that alone.
            HttpResponse<String> booked = await("a trip is booked")
                    .until(() -> book(booking.uri("/trips"), 1), answer -> answer.statusCode() == 200);
            assertThat(stage.api.awaitEnd(saga(booked))).isEqualTo("COMMITTED");

            HttpResponse<String> refused = book(booking.uri("/trips"), Stage.tooManyRooms());
            assertThat(refused.statusCode()).as(refused.body()).isEqualTo(409);
            assertThat(stage.api.awaitEnd(saga(refused))).isEqualTo("COMPENSATED");

            JsonNode bookings =
                    JsonMapper.shared().readTree(get(car.uri("/bookings")).body());
            assertThat(bookings.valueStream().map(each -> each.path("state").asString()))
                    .startsWith("CANCELLED", "BOOKED");

            JsonNode shown =
                    JsonMapper.shared().readTree(get(car.uri("/actuator/omega")).body());
            assertThat(shown.path("alphas").path(0).path("state").asString())
                    .as(shown.toString())
                    .isEqualTo("CONNECTED");
            assertThat(shown.path("alphas").path(0).path("address").asString()).startsWith("service alpha");
            assertThat(shown.path("callbacks").path(0).path("name").asString()).isEqualTo("CarDesk.cancel");
        }
    }

    /** It finds alpha in a registry, which nobody has told it of before it runs: the simple one, of its own properties. */
    private AotService car() {
        String instance = "--spring.cloud.discovery.client.simple.instances.alpha[0].";
        return new AotService(
                stage,
                "car",
                List.of(
                        "--car.fleet=100",
                        "--omega.alpha.addresses=",
                        "--omega.alpha.service-id=alpha",
                        instance + "host=127.0.0.1",
                        instance + "port=" + stage.grpc.substring(stage.grpc.lastIndexOf(':') + 1)),
                http);
    }

    private AotService booking(int carPort) {
        return new AotService(
                stage,
                "booking",
                List.of(
                        "--omega.alpha.addresses=" + stage.grpc,
                        "--booking.car=http://127.0.0.1:" + carPort,
                        "--booking.hotel=http://127.0.0.1:" + stage.hotelPort),
                http);
    }

    private HttpResponse<String> book(URI trips, int rooms) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(trips)
                .timeout(Patience.LIMIT)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString("""
                        {"name": "ahead", "cars": 1, "rooms": %d}""".formatted(rooms)))
                .build();
        return http.send(request, HttpResponse.BodyHandlers.ofString());
    }

    private HttpResponse<String> get(URI uri) throws IOException, InterruptedException {
        HttpRequest request =
                HttpRequest.newBuilder(uri).timeout(Patience.LIMIT).build();
        return http.send(request, HttpResponse.BodyHandlers.ofString());
    }

    private static String saga(HttpResponse<String> answer) {
        return JsonMapper.shared().readTree(answer.body()).path("saga").asString("");
    }
}
