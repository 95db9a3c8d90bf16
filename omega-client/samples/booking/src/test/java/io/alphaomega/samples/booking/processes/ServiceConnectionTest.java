package io.alphaomega.samples.booking.processes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.alphaomega.omega.SagaSettings;
import io.alphaomega.omega.SagaTemplate;
import io.alphaomega.samples.booking.car.CarApplication;
import io.alphaomega.samples.booking.car.CarBooking;
import io.alphaomega.samples.booking.car.CarDesk;
import io.alphaomega.samples.booking.car.CarOrder;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.testcontainers.service.connection.ServiceConnection;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;
import org.testcontainers.containers.GenericContainer;

/**
 * A service that is tested with a real alpha finds it by {@code @ServiceConnection}. What stands for the container here is
 * an alpha in a process: there is no Docker where these tests run.
 */
@Tag("processes")
@Tag("long")
@ExtendWith(StageExtension.class)
@SpringBootTest(
        classes = CarApplication.class,
        properties = {"spring.config.name=car", "spring.application.name=contained-car", "omega.begin-timeout=30s"})
class ServiceConnectionTest {
    private static final SagaSettings TRIP = SagaSettings.named("trip");

    @TempDir
    static Path data;

    @ServiceConnection("alpha")
    static final RunningAlpha alpha = new RunningAlpha();

    private final Stage stage;

    @Autowired
    private SagaTemplate sagas;

    @Autowired
    private CarDesk desk;

    /** A container that runs already. */
    static final class RunningAlpha extends GenericContainer<RunningAlpha> {
        private @Nullable String address;

        RunningAlpha() {
            super("alpha");
        }

        @Override
        public String getDockerImageName() {
            return "alpha";
        }

        @Override
        public boolean isRunning() {
            return true;
        }

        @Override
        public String getHost() {
            return String.valueOf(address).split(":", 2)[0];
        }

        @Override
        public Integer getMappedPort(int port) {
            assertThat(port).isEqualTo(8071);
            return Integer.valueOf(String.valueOf(address).split(":", 2)[1]);
        }
    }

    ServiceConnectionTest(Stage stage) {
        this.stage = stage;
        alpha.address = stage.grpc;
    }

    @DynamicPropertySource
    static void database(DynamicPropertyRegistry registry) {
        registry.add("sample.data", data::toString);
    }

    private String state(String trip) {
        return desk.bookings().stream()
                .filter(each -> each.trip().equals(trip))
                .map(CarBooking::state)
                .findFirst()
                .orElse("none");
    }

    @Test
    void its_sagas_are_those_of_the_alpha_in_the_container() {
        String kept = sagas.execute(TRIP, saga -> {
            desk.book(new CarOrder("kept", "ann", 1));
            return saga.id().orElseThrow();
        });
        assertThat(stage.api.awaitEnd(kept)).isEqualTo("COMMITTED");
        assertThat(state("kept")).isEqualTo("BOOKED");

        String[] calledOff = new String[1];
        assertThatThrownBy(() -> sagas.executeWithoutResult(TRIP, saga -> {
                    calledOff[0] = saga.id().orElseThrow();
                    desk.book(new CarOrder("called off", "bob", 1));
                    throw new IllegalStateException("no room");
                }))
                .hasMessage("no room");
        assertThat(stage.api.awaitEnd(calledOff[0])).isEqualTo("COMPENSATED");
        assertThat(state("called off")).isEqualTo("CANCELLED");
    }
}
