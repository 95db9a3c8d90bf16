package io.alphaomega.benchmark.container;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Images as docker/Dockerfile and docker/compose.yaml describe them, run without an engine. */
@Tag("processes")
final class ImageTest {
    @Test
    void alpha_serves_as_its_user_with_its_cache_on_a_root_that_it_cannot_write_and_ends_with_0_when_it_is_stopped()
            throws Exception {
        Dockerfile image = Dockerfile.read(Compose.DOCKER.resolve("Dockerfile"), "alpha");
        Compose.Service service = Compose.read().service("alpha");
        try (Container alpha = new Container("alpha", image, service)) {
            await().failFast(() -> assertThat(alpha.process().isAlive())
                            .as(alpha.said())
                            .isTrue())
                    .until(() -> alpha.succeeds(image.healthCheck()));

            assertThat(alpha.said())
                    .contains("alpha ready: grpc 0.0.0.0:8071, http 0.0.0.0:8090, repository embedded in /data");
            String id = alpha.user().split(":", -1)[0];
            assertThat(alpha.status())
                    .containsPattern("Uid:\\s+%1$s\\s+%1$s\\s+%1$s".formatted(id))
                    .containsPattern("CapEff:\\s+0+\n")
                    .containsPattern("NoNewPrivs:\\s+1\n");
            assertThat(alpha.mapped())
                    .as("the AOT cache is taken, and no native code from /tmp")
                    .anyMatch(file -> file.endsWith("/alpha-server.aot"))
                    .anyMatch(file -> file.endsWith("/alpha/native/libsqlitejdbc.so"))
                    .noneMatch(file -> file.matches(".*/tmp/.*\\.so"));
            assertThat(alpha.data()).isDirectoryContaining(file -> file.endsWith("alpha.db"));

            alpha.process().destroy();
            assertThat(alpha.process().waitFor(seconds(service.text("stop_grace_period")), TimeUnit.SECONDS))
                    .as("ends before an engine would kill it")
                    .isTrue();
            assertThat(alpha.process().exitValue()).as(alpha.said()).isZero();
        }
    }

    @Test
    void the_benchmark_says_what_it_can_by_its_own_command() throws Exception {
        Dockerfile image = Dockerfile.read(Compose.DOCKER.resolve("Dockerfile"), "benchmark");
        Compose.Service service = Compose.read().service("benchmark");
        try (Container benchmark = new Container("benchmark", image, service)) {
            int code = benchmark.process().waitFor();

            assertThat(code).as(benchmark.said()).isZero();
            assertThat(benchmark.said()).startsWith("Usage: alpha-benchmark");
        }
    }

    private static long seconds(String period) {
        assertThat(period).matches("\\d+s");
        return Long.parseLong(period.replace("s", ""));
    }
}
