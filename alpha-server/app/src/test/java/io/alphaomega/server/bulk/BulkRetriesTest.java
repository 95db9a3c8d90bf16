package io.alphaomega.server.bulk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.jayway.jsonpath.JsonPath;
import io.alphaomega.repository.SagaRepository;
import io.alphaomega.repository.jdbc.JdbcSagaRepository;
import io.alphaomega.repository.redis.RedisSagaRepository;
import io.alphaomega.repository.servers.RedisServer;
import io.alphaomega.repository.servers.ServerProcess;
import io.alphaomega.server.AlphaProcess;
import io.alphaomega.server.http.WrittenSaga;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One order for many sagas, as real alphas carry it out. */
class BulkRetriesTest {
    private static final String PATH = "/api/v1/bulk-retries";

    @TempDir
    private Path directory;

    private static Instant now() {
        return Clock.systemUTC().instant().truncatedTo(ChronoUnit.MILLIS);
    }

    private static void suspended(SagaRepository store, int count) {
        for (int i = 0; i < count; i++) new WrittenSaga(store, "s-" + i, now()).suspended("");
    }

    private static int retries(AlphaProcess alpha, int saga) {
        List<String> found = JsonPath.read(
                alpha.get("/api/v1/sagas/s-" + saga).body(), "$.history[?(@.text =~ /Retried by.*/)].text");
        return found.size();
    }

    private static String text(HttpResponse<String> answer, String path) {
        return JsonPath.read(answer.body(), path).toString();
    }

    private static int number(HttpResponse<String> answer, String path) {
        return Integer.parseInt(text(answer, path));
    }

    @Test
    void every_saga_that_is_meant_is_retried_once_and_the_others_are_left_alone() {
        try (SagaRepository store = JdbcSagaRepository.embedded(directory.resolve("data"))) {
            suspended(store, 300);
            new WrittenSaga(store, "damaged", now()).compensating().damaged();
        }
        try (AlphaProcess alpha = AlphaProcess.start(directory).awaitReady()) {
            await().until(() -> alpha.get("/api/v1/stuck").body().contains("\"count\":301"));
            assertRefused(alpha, "{\"stuck\":\"SUSPENDED\"}", "'reason'");
            assertRefused(alpha, "{\"reason\":\"r\",\"stuck\":\"OVERDUE\"}", "'stuck'");
            assertRefused(alpha, "{\"reason\":\"r\",\"stuck\":\"FAILING\",\"perSecond\":0}", "'perSecond'");
            HttpResponse<String> dry =
                    alpha.post(PATH, "ann", "{\"stuck\":\"SUSPENDED\",\"service\":\"hotel\",\"dryRun\":true}");
            assertThat(number(dry, "$.count")).isEqualTo(300);
            assertThat(number(dry, "$.sample.length()")).isEqualTo(20);

            HttpResponse<String> ordered = alpha.post(
                    PATH,
                    "ann",
                    "{\"reason\":\"deployed\",\"stuck\":\"SUSPENDED\",\"service\":\"hotel\",\"perSecond\":200}");
            assertThat(ordered.statusCode()).isEqualTo(202);
            String id = text(ordered, "$.id");
            await().untilAsserted(() -> {
                HttpResponse<String> status = alpha.get(PATH + "/" + id);
                assertThat(text(status, "$.state")).isEqualTo("DONE");
                assertThat(number(status, "$.retried")).isEqualTo(300);
                assertThat(number(status, "$.left")).isZero();
            });

            for (int i = 0; i < 300; i += 50) assertThat(retries(alpha, i)).isEqualTo(1);
            assertThat(alpha.get("/api/v1/sagas/s-0").body()).contains("Retried by ann: deployed (bulk " + id + ")");
            await().until(() ->
                    alpha.get("/api/v1/stuck?reason=SUSPENDED").body().contains("JOURNAL_UNREADABLE"));
            assertThat(alpha.get(PATH + "/nothing").statusCode()).isEqualTo(404);
        }
    }

    private static void assertRefused(AlphaProcess alpha, String order, String field) {
        HttpResponse<String> answer = alpha.post(PATH, "ann", order);
        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(answer.body()).contains("The field " + field + " must be");
    }

    @Test
    void one_that_is_cancelled_goes_no_further() {
        try (SagaRepository store = JdbcSagaRepository.embedded(directory.resolve("data"))) {
            suspended(store, 200);
        }
        try (AlphaProcess alpha = AlphaProcess.start(directory).awaitReady()) {
            await().until(() -> alpha.get("/api/v1/stuck").body().contains("\"count\":200"));
            String id =
                    text(alpha.post(PATH, "ann", "{\"reason\":\"r\",\"stuck\":\"SUSPENDED\",\"perSecond\":2}"), "$.id");
            await().until(() -> number(alpha.get(PATH + "/" + id), "$.retried") > 0);

            assertThat(text(alpha.post(PATH + "/" + id + "/cancel", "ann", ""), "$.state"))
                    .isEqualTo("CANCELLED");
            await().until(() -> alpha.get("/api/v1/stuck").body().contains("SUSPENDED"));
            int retried = number(alpha.get(PATH + "/" + id), "$.retried");
            assertThat(retried).isLessThan(200);
        }
    }

    @Test
    void when_the_node_that_carries_it_out_is_killed_another_goes_on_and_no_saga_is_retried_twice() {
        try (RedisServer redis = RedisServer.start()) {
            String uri = "redis://127.0.0.1:" + redis.port();
            try (SagaRepository store =
                    new RedisSagaRepository(new RedisSagaRepository.Settings(uri, 0, true, Optional.empty()))) {
                suspended(store, 200);
            }
            int port = ServerProcess.freePort();
            String[] common = {
                "--alpha.repository.type=redis",
                "--alpha.repository.redis.uri=" + uri,
                "--alpha.cluster.seed-nodes=127.0.0.1:" + port
            };
            try (AlphaProcess oldest = AlphaProcess.start(directory, with(common, "--alpha.cluster.port=" + port))
                    .awaitReady()) {
                AlphaProcess other = AlphaProcess.start(directory, common).awaitReady();
                // Of two, one could not know that it is the larger part.
                try (other;
                        AlphaProcess third =
                                AlphaProcess.start(directory, common).awaitReady()) {
                    await().until(() -> other.get("/api/v1/stuck").body().contains("\"count\":200"));
                    String id = text(
                            other.post(PATH, "ann", "{\"reason\":\"r\",\"stuck\":\"SUSPENDED\",\"perSecond\":20}"),
                            "$.id");
                    await().until(() -> number(other.get(PATH + "/" + id), "$.retried") > 10);
                    assertThat(third.get(PATH).body()).contains(id);
                    oldest.kill();

                    await().untilAsserted(() -> {
                        assertThat(text(other.get(PATH + "/" + id), "$.state")).isEqualTo("DONE");
                        assertThat(other.get("/api/v1/stuck?reason=SUSPENDED").body())
                                .contains("\"sagas\":[]");
                    });
                    for (int i = 0; i < 200; i++)
                        assertThat(retries(other, i)).as("saga %d", i).isEqualTo(1);
                }
            }
        }
    }

    private static String[] with(String[] arguments, String more) {
        String[] all = Arrays.copyOf(arguments, arguments.length + 1);
        all[arguments.length] = more;
        return all;
    }
}
