package io.alphaomega.benchmark.container;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Images as docker/Dockerfile and docker/compose.yaml describe them, run without an engine. */
@Tag("processes")
@Tag("long")
final class ImageTest {
    @Test
    void alpha_serves_as_its_user_with_its_cache_on_a_root_that_it_cannot_write_and_ends_with_0_when_it_is_stopped()
            throws Exception {
        Compose.Service service = Compose.read().service("alpha");
        try (Image image = new Image("alpha");
                Container alpha = new Container(image, service)) {
            awaitHealth(alpha, image.file().healthCheck());

            assertThat(alpha.said())
                    .contains("alpha ready: grpc 0.0.0.0:8071, http 0.0.0.0:8090, repository embedded in /data");
            checkThatItMayDoLittle(alpha, image);
            assertThat(alpha.mapped())
                    .as("the AOT cache is taken, and no native code from /tmp")
                    .anyMatch(file -> file.endsWith("/alpha-server.aot"))
                    .anyMatch(file -> file.endsWith("/alpha/native/libsqlitejdbc.so"))
                    .noneMatch(file -> file.matches(".*/tmp/.*\\.so"));
            assertThat(alpha.data()).isDirectoryContaining(file -> file.endsWith("alpha.db"));

            assertThat(stop(alpha, service)).as(alpha.said()).isZero();
        }
    }

    @Test
    void the_benchmark_says_what_it_can_by_its_own_command() throws Exception {
        Compose.Service service = Compose.read().service("benchmark");
        try (Image image = new Image("benchmark");
                Container benchmark = new Container(image, service)) {
            int code = benchmark.process().waitFor();

            assertThat(code).as(benchmark.said()).isZero();
            assertThat(benchmark.said()).startsWith("Usage: alpha-benchmark");
        }
    }

    @Test
    void the_services_of_the_booking_sample_are_well_by_their_own_checks_and_serve_the_customers() throws Exception {
        Compose compose = Compose.read();
        Compose.Service customersService = compose.service("customers");
        try (Image alphas = new Image("alpha");
                Image image = new Image("booking");
                Container alpha = new Container(alphas, compose.service("alpha"));
                Container car = new Container(image, compose.service("car"), alpha);
                Container hotel = new Container(image, compose.service("hotel"), alpha);
                Container booking = new Container(image, compose.service("booking"), alpha)) {
            awaitHealth(alpha, alphas.file().healthCheck());
            Map<String, Container> services = Map.of("car", car, "hotel", hotel, "booking", booking);
            for (Map.Entry<String, Container> each : services.entrySet()) {
                awaitHealth(each.getValue(), compose.service(each.getKey()).healthCheck());
                checkThatItMayDoLittle(each.getValue(), image);
            }

            try (Container customers = new Container(image, customersService, alpha)) {
                // The fifth trip is called off.
                for (String state : List.of("COMMITTED", "COMPENSATED")) {
                    String sagas = "http://alpha:8090/api/v1/sagas?state=" + state;
                    await().failFast(() -> assertRuns(customers))
                            .until(() -> alpha.run("curl", "-sS", sagas).contains("\"" + state + "\""));
                }
                checkThatItMayDoLittle(customers, image);
                assertThat(stop(customers, customersService)).isZero();
            }
            for (Map.Entry<String, Container> each : services.entrySet()) {
                stop(each.getValue(), compose.service(each.getKey()));
                assertThat(each.getValue().data()).isNotEmptyDirectory();
            }
        }
    }

    private static void awaitHealth(Container container, List<String> check) {
        await().failFast(() -> assertRuns(container)).until(() -> container.succeeds(check));
    }

    private static void assertRuns(Container container) throws IOException {
        assertThat(container.process().isAlive()).as(container.said()).isTrue();
    }

    private static void checkThatItMayDoLittle(Container container, Image image) throws IOException {
        String id = image.user().split(":", -1)[0];
        assertThat(container.status())
                .containsPattern("Uid:\\s+%1$s\\s+%1$s\\s+%1$s".formatted(id))
                .containsPattern("CapEff:\\s+0+\n")
                .containsPattern("NoNewPrivs:\\s+1\n");
        assertThat(container.succeeds(List.of("touch", "/here"))).isFalse();
    }

    /** Its code. */
    private static int stop(Container container, Compose.Service service) throws InterruptedException {
        container.process().destroy();
        assertThat(container.process().waitFor(seconds(service.text("stop_grace_period")), TimeUnit.SECONDS))
                .as("ends before an engine would kill it")
                .isTrue();
        return container.process().exitValue();
    }

    private static long seconds(String period) {
        assertThat(period).matches("\\d+s");
        return Long.parseLong(period.replace("s", ""));
    }
}
