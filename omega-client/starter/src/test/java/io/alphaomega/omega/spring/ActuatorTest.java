package io.alphaomega.omega.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ActuatorTest {
    @TempDir
    Path directory;

    private final SmallAlpha alpha = new SmallAlpha();

    @AfterEach
    void stop() {
        alpha.close();
    }

    @Test
    void health_is_up_while_a_stream_to_alpha_is_up_and_says_what_is_wrong_otherwise() {
        Applications.shop(directory, alpha)
                .withPropertyValues("omega.health.disconnected-status=DEGRADED")
                .run(context -> {
                    await().until(() -> BootUnderTest.health(context).startsWith("UP "));
                    alpha.close();
                    await().until(() -> BootUnderTest.health(context).startsWith("DEGRADED "));
                    assertThat(BootUnderTest.health(context)).contains(alpha.address());
                });
    }

    @Test
    void health_can_be_switched_off() {
        Applications.shop(directory, alpha)
                .withPropertyValues("management.health.omega.enabled=false")
                .run(context -> assertThat(context).doesNotHaveBean("omegaHealthIndicator"));
    }

    @Test
    void sagas_branches_and_callbacks_are_counted_where_there_is_a_registry() {
        Applications.shop(directory, alpha).withBean(SimpleMeterRegistry.class).run(context -> {
            context.getBean(Shop.Counter.class).sell("book");
            alpha.callBack(callback -> {});
            MeterRegistry registry = context.getBean(MeterRegistry.class);
            assertThat(count(registry, "omega.sagas", "COMMITTED")).isEqualTo(1);
            assertThat(count(registry, "omega.branches", "ENDED")).isEqualTo(1);
            assertThat(count(registry, "omega.callbacks", "SUCCEEDED")).isEqualTo(1);
        });
    }

    private static double count(MeterRegistry registry, String meter, String outcome) {
        return registry.get(meter).tag("outcome", outcome).counter().count();
    }
}
