package io.alphaomega.server.bulk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.jayway.jsonpath.JsonPath;
import io.alphaomega.repository.SagaRepository;
import io.alphaomega.repository.jdbc.embedded.EmbeddedRepository;
import io.alphaomega.repository.redis.RedisSagaRepository;
import io.alphaomega.repository.servers.RedisServer;
import io.alphaomega.repository.servers.ServerProcess;
import io.alphaomega.server.AlphaProcess;
import io.alphaomega.server.http.WrittenSaga;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One order for many sagas, as real alphas carry it out. */
class BulkOrdersTest {
    private static final String PATH = "/api/v1/bulk-orders";

    @TempDir
    private Path directory;

    private static Instant now() {
        return Clock.systemUTC().instant().truncatedTo(ChronoUnit.MILLIS);
    }

    private static void suspended(SagaRepository store, int count) {
        for (int i = 0; i < count; i++) new WrittenSaga(store, "s-" + i, now()).suspended("");
    }

    private static int retries(AlphaProcess alpha, int saga) {
        return said(alpha, "s-" + saga, "Retried by.*");
    }

    /** How often the history of a saga says that. */
    private static int said(AlphaProcess alpha, String saga, String pattern) {
        List<String> found = JsonPath.read(
                alpha.get("/api/v1/sagas/" + saga).body(), "$.history[?(@.text =~ /" + pattern + "/)].text");
        return found.size();
    }

    private static String text(HttpResponse<String> answer, String path) {
        return JsonPath.read(answer.body(), path).toString();
    }

    private static int number(HttpResponse<String> answer, String path) {
        return Integer.parseInt(text(answer, path));
    }

    @Test
    @Tag("long")
    void every_saga_that_is_meant_is_retried_once_and_the_others_are_left_alone() {
        try (SagaRepository store = EmbeddedRepository.in(directory.resolve("data"))) {
            suspended(store, 300);
            new WrittenSaga(store, "damaged", now()).compensating().damaged();
        }
        try (AlphaProcess alpha = AlphaProcess.start(directory).awaitReady()) {
            await().until(() -> alpha.get("/api/v1/stuck").body().contains("\"count\":301"));
            assertRefused(alpha, "{\"order\":\"RETRY\",\"stuck\":\"SUSPENDED\"}", "'reason'");
            assertRefused(alpha, "{\"order\":\"RETRY\",\"reason\":\"r\",\"stuck\":\"OVERDUE\"}", "'stuck'");
            assertRefused(
                    alpha,
                    "{\"order\":\"RETRY\",\"reason\":\"r\",\"stuck\":\"FAILING\",\"perSecond\":0}",
                    "'perSecond'");
            assertRefused(alpha, "{\"reason\":\"r\",\"stuck\":\"FAILING\"}", "'order'");
            HttpResponse<String> dry = alpha.post(
                    PATH, "ann", "{\"order\":\"RETRY\",\"stuck\":\"SUSPENDED\",\"service\":\"hotel\",\"dryRun\":true}");
            assertThat(number(dry, "$.count")).isEqualTo(300);
            assertThat(number(dry, "$.sample.length()")).isEqualTo(20);

            HttpResponse<String> ordered = alpha.post(
                    PATH,
                    "ann",
                    "{\"order\":\"RETRY\",\"reason\":\"deployed\",\"stuck\":\"SUSPENDED\",\"service\":\"hotel\",\"perSecond\":200}");
            assertThat(ordered.statusCode()).isEqualTo(202);
            String id = text(ordered, "$.id");
            await().untilAsserted(() -> {
                HttpResponse<String> status = alpha.get(PATH + "/" + id);
                assertThat(text(status, "$.state")).isEqualTo("DONE");
                assertThat(number(status, "$.done")).isEqualTo(300);
                assertThat(number(status, "$.left")).isZero();
            });

            for (int i = 0; i < 300; i += 50) assertThat(retries(alpha, i)).isEqualTo(1);
            assertThat(alpha.get("/api/v1/sagas/s-0").body()).contains("Retried by ann: deployed (bulk " + id + ")");
            await().until(() ->
                    alpha.get("/api/v1/stuck?reason=SUSPENDED").body().contains("JOURNAL_UNREADABLE"));
            assertThat(alpha.get(PATH + "/nothing").statusCode()).isEqualTo(404);
        }
    }

    /** Also if a node is silent at first, because the machine is busy. */
    private static HttpResponse<String> answered(AlphaProcess alpha, String order) {
        return await().until(() -> alpha.post(PATH, "ann", order), answer -> answer.statusCode() != 503);
    }

    private static String ordered(AlphaProcess alpha, String order) {
        HttpResponse<String> answer = answered(alpha, order);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(202);
        return text(answer, "$.id");
    }

    private static void awaitDone(AlphaProcess alpha, String id, int sagas) {
        await().untilAsserted(() -> {
            HttpResponse<String> status = alpha.get(PATH + "/" + id);
            assertThat(text(status, "$.state")).as(status.body()).isEqualTo("DONE");
            assertThat(number(status, "$.done")).as(status.body()).isEqualTo(sagas);
            assertThat(number(status, "$.left")).isZero();
        });
    }

    /** What a dry run adds to an order for that many sagas. */
    private static String before(AlphaProcess alpha, String order, int count) {
        HttpResponse<String> dry = answered(alpha, "{" + order + ",\"dryRun\":true}");
        assertThat(number(dry, "$.count")).as(dry.body()).isEqualTo(count);
        assertThat(Instant.parse(text(dry, "$.before")))
                .as("what is younger may not have been seen, 1 s by clocks that are a little apart")
                .isBefore(now().minusMillis(900));
        return ",\"before\":\"" + text(dry, "$.before") + "\"";
    }

    @Test
    void sagas_are_skipped_resolved_and_aborted_by_one_order_each_and_no_more_than_a_dry_run_has_said() {
        try (SagaRepository store = EmbeddedRepository.in(directory.resolve("data"))) {
            suspended(store, 20);
            for (int i = 0; i < 30; i++) new WrittenSaga(store, "u-" + i, now().minusSeconds(9)).endsUnknown("lounge");
            for (int i = 0; i < 40; i++)
                new WrittenSaga(store, "a-" + i, now()).begun("").began("spa", "spa", Duration.ofMinutes(5));
            for (int i = 0; i < 3; i++) new WrittenSaga(store, "b-" + i, now()).begun("");
        }
        try (AlphaProcess alpha = AlphaProcess.start(directory).awaitReady()) {
            await().until(() -> alpha.get("/api/v1/stuck").body().contains("\"count\":50"));
            String skip = "\"order\":\"SKIP\",\"detail\":\"BRANCH_END_UNKNOWN\",\"reason\":\"looked it up\"";
            assertRefused(alpha, "{" + skip + ",\"stuck\":\"FAILING\"}", "'stuck'");
            assertRefused(alpha, "{\"order\":\"SKIP\",\"reason\":\"r\",\"expect\":30}", "'detail'");
            assertRefused(alpha, "{" + skip + "}", "'expect'");
            assertRefused(alpha, "{" + skip + ",\"expect\":30}", "'before'");
            assertRefused(alpha, "{" + skip + ",\"expect\":30,\"olderThan\":\"1s\"}", "'before'");
            assertRefused(alpha, "{\"order\":\"ABORT\",\"reason\":\"r\",\"expect\":9}", "'operation'");
            assertRefused(alpha, "{\"order\":\"ABORT\",\"reason\":\"r\",\"stuck\":\"SUSPENDED\"}", "'stuck'");

            HttpResponse<String> unfit =
                    alpha.post(PATH, "ann", "{\"order\":\"RETRY\",\"stuck\":\"SUSPENDED\",\"dryRun\":true}");
            assertThat(number(unfit, "$.count")).isEqualTo(20);
            assertThat(number(unfit, "$.unfit")).as("have no callback").isEqualTo(30);

            String counted = before(alpha, skip, 30);
            HttpResponse<String> more = answered(alpha, "{" + skip + ",\"expect\":29" + counted + "}");
            assertThat(more.statusCode()).isEqualTo(409);
            assertThat(text(more, "$.reason")).isEqualTo("MORE_MEANT");
            assertThat(text(more, "$.detail")).startsWith("The order would be for 30 sagas, more than the 29");
            String again = "{" + skip + ",\"expect\":30,\"perSecond\":1000" + counted + "}";
            String id = ordered(alpha, again);
            String resolve = "\"order\":\"RESOLVE\",\"detail\":\"UNDECODABLE\",\"reason\":\"r\",\"outcome\":";
            HttpResponse<String> otherwise = answered(alpha, "{" + resolve + "\"COMMITTED\",\"dryRun\":true}");
            assertThat(number(otherwise, "$.count")).isZero();
            assertThat(number(otherwise, "$.unfit")).isEqualTo(20);
            String toResolve = resolve + "\"COMPENSATED\"";
            String resolved = ordered(
                    alpha, "{" + toResolve + ",\"expect\":20,\"perSecond\":1000" + before(alpha, toResolve, 20) + "}");

            String abort = "\"order\":\"ABORT\",\"service\":\"spa\",\"reason\":\"closed\"";
            String active = before(alpha, abort, 40);
            assertThat(number(
                            alpha.post(PATH, "ann", "{" + abort + ",\"olderThan\":\"1h\",\"dryRun\":true}"), "$.count"))
                    .isZero();
            String aborted = ordered(alpha, "{" + abort + ",\"expect\":40,\"perSecond\":1000" + active + "}");

            awaitDone(alpha, id, 30);
            awaitDone(alpha, ordered(alpha, again), 0);
            String by = "was taken as done by hand, by ann: looked it up .bulk " + id + ".";
            for (int i = 0; i < 30; i++) {
                assertThat(said(alpha, "u-" + i, ".*" + by)).as("u-%d", i).isEqualTo(1);
                assertThat(text(alpha.get("/api/v1/sagas/u-" + i), "$.suspension.branch"))
                        .as("waits for a person who has looked at the other branch")
                        .isEqualTo("two");
            }
            awaitDone(alpha, resolved, 20);
            awaitDone(alpha, aborted, 40);
            assertThat(alpha.get("/api/v1/sagas?state=ACTIVE").body())
                    .contains("b-0", "b-2")
                    .doesNotContain("a-");
            assertThat(said(alpha, "a-7", "Aborted .*ann: closed .bulk " + aborted + ".*"))
                    .isEqualTo(1);
            assertThat(said(alpha, "s-7", "Ended COMPENSATED by hand, by ann.*"))
                    .isEqualTo(1);
        }
    }

    private static void assertRefused(AlphaProcess alpha, String order, String field) {
        HttpResponse<String> answer = alpha.post(PATH, "ann", order);
        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(answer.body()).contains("The field " + field + " must be");
    }

    @Test
    @Tag("long")
    void when_the_node_that_carries_orders_out_is_killed_another_goes_on_and_nothing_is_ordered_twice() {
        try (RedisServer redis = RedisServer.start()) {
            String uri = "redis://127.0.0.1:" + redis.port();
            try (SagaRepository store =
                    new RedisSagaRepository(new RedisSagaRepository.Settings(uri, 0, true, Optional.empty()))) {
                suspended(store, 200);
                for (int i = 0; i < 100; i++)
                    new WrittenSaga(store, "u-" + i, now().minusSeconds(9)).endsUnknown("lounge");
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
                    await().until(() -> other.get("/api/v1/stuck").body().contains("\"count\":300"));
                    String id = text(
                            other.post(
                                    PATH,
                                    "ann",
                                    "{\"order\":\"RETRY\",\"reason\":\"r\",\"stuck\":\"SUSPENDED\",\"perSecond\":20}"),
                            "$.id");
                    String toSkip = "\"order\":\"SKIP\",\"reason\":\"r\",\"detail\":\"BRANCH_END_UNKNOWN\"";
                    String skip = ordered(
                            other,
                            "{" + toSkip + ",\"expect\":100,\"perSecond\":10" + before(other, toSkip, 100) + "}");
                    await().until(() -> number(other.get(PATH + "/" + id), "$.done") > 10
                            && number(other.get(PATH + "/" + skip), "$.done") > 5);
                    assertThat(third.get(PATH).body()).contains(id, skip);
                    oldest.kill();

                    await().untilAsserted(() -> {
                        assertThat(text(other.get(PATH + "/" + id), "$.state")).isEqualTo("DONE");
                        assertThat(text(other.get(PATH + "/" + skip), "$.state"))
                                .isEqualTo("DONE");
                    });
                    for (int i = 0; i < 200; i++)
                        assertThat(retries(other, i)).as("saga %d", i).isEqualTo(1);
                    for (int i = 0; i < 100; i++) {
                        assertThat(said(other, "u-" + i, ".*taken as done by hand.*"))
                                .as("saga %d, which has two such branches", i)
                                .isEqualTo(1);
                    }
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
