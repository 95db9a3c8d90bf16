package io.alphaomega.server.epoch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.jayway.jsonpath.JsonPath;
import io.alphaomega.protocol.v1.Ack;
import io.alphaomega.protocol.v1.Callback;
import io.alphaomega.protocol.v1.FenceFinding.Finding;
import io.alphaomega.protocol.v1.StoreMark;
import io.alphaomega.repository.servers.Patience;
import io.alphaomega.server.AlphaProcess;
import io.alphaomega.server.stream.TestOmega;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A store is copied while alpha works on it, alpha goes on, and the copy is put back: what was open then is held, and
 * nobody is called back until a person has said what became of it.
 */
class RestoredStoreTest {
    /** Open in the copy. Three of them have ended by the time that it is put back. */
    private static final List<String> OPEN = List.of("paid", "undone", "aborting", "open");

    /** What the service's fence has of their branches by then. */
    private static final Map<String, Finding> FENCE =
            Map.of("paid", Finding.RAN, "undone", Finding.UNDONE, "aborting", Finding.UNDONE);

    @TempDir
    private Path directory;

    @Test
    void nothing_that_the_embedded_store_had_open_is_undone() {
        isHeld(BackedStore.embedded(directory));
    }

    @Test
    void nothing_that_redis_had_open_is_undone() {
        isHeld(BackedStore.redis());
    }

    @Test
    @Tag("long")
    void nothing_that_a_redis_cluster_had_open_is_undone() {
        isHeld(BackedStore.redisCluster());
    }

    @Test
    @Tag("long")
    void nothing_that_mariadb_had_open_is_undone() {
        isHeld(BackedStore.mariaDb());
    }

    @Test
    @Tag("long")
    void nothing_that_mysql_had_open_is_undone() {
        isHeld(BackedStore.mySql());
    }

    @Test
    @Tag("long")
    void nothing_that_postgresql_had_open_is_undone() {
        isHeld(BackedStore.postgreSql());
    }

    @Test
    @Tag("long")
    void nothing_that_elasticsearch_had_open_is_undone() {
        isHeld(BackedStore.elasticsearch());
    }

    private AlphaProcess start(BackedStore store) {
        List<String> arguments = new ArrayList<>(store.arguments());
        arguments.add("--alpha.saga.timeout=30s");
        arguments.add("--alpha.saga.start-grace=100ms");
        arguments.add("--alpha.saga.callback-timeout=30s");
        return AlphaProcess.start(directory, arguments.toArray(String[]::new)).awaitReady();
    }

    private static int port(AlphaProcess alpha) {
        return URI.create("grpc://" + alpha.grpcAddress()).getPort();
    }

    private void isHeld(BackedStore backed) {
        try (BackedStore store = backed) {
            Collection<StoreMark> seen = beforeTheRestore(store);
            store.restore();
            afterTheRestore(store, seen);
        }
    }

    /** Returns what the service was told of the store. */
    private Collection<StoreMark> beforeTheRestore(BackedStore store) {
        try (AlphaProcess alpha = start(store);
                TestOmega stock = TestOmega.welcomed(port(alpha), "stock", "stock-1")) {
            for (String saga : OPEN) {
                assertThat(stock.ask(TestOmega.begin(1, saga)).hasAccepted()).isTrue();
                stock.run(saga, "reserve");
            }
            assertThat(stock.ask(TestOmega.abort(3, "aborting")).hasAborted()).isTrue();
            Callback aborting = stock.callback();
            assertThat(aborting.getSaga()).isEqualTo("aborting");
            store.backup();
            long copied = number(stock);

            stock.succeed(aborting);
            assertThat(awaited(stock, TestOmega.end(4, "paid", true)).hasCommitted())
                    .isTrue();
            assertThat(awaited(stock, TestOmega.abort(5, "undone")).hasAborted())
                    .isTrue();
            stock.succeed(stock.callback());
            assertThat(awaited(stock, TestOmega.begin(6, "later")).hasAccepted())
                    .isTrue();
            for (String saga : List.of("aborting", "undone")) awaitState(alpha, saga, "COMPENSATED");
            await().atMost(Patience.LIMIT).until(() -> number(stock) > copied + 1);
            return List.copyOf(stock.marks.values());
        }
    }

    /** Over an outage of the store, which a copy is to some. */
    private static Ack awaited(TestOmega omega, io.alphaomega.protocol.v1.Input input) {
        Ack ack = omega.ask(input);
        while (ack.hasUnavailable()) ack = omega.ask(input);
        return ack;
    }

    private static long number(TestOmega omega) {
        return omega.marks.values().stream()
                .mapToLong(StoreMark::getNumber)
                .max()
                .orElse(0);
    }

    private void afterTheRestore(BackedStore store, Collection<StoreMark> seen) {
        try (AlphaProcess alpha = start(store)) {
            // Of the service nobody is there yet: the deadline passes, and alpha decides what it should not have.
            awaitState(alpha, "paid", "COMPENSATING");
            try (TestOmega stock = TestOmega.welcomedAgain(port(alpha), "stock", "stock-1", seen, FENCE)) {
                for (String saga : OPEN) awaitState(alpha, saga, "SUSPENDED");
                fencesAreAsked(alpha);
                isTold(alpha);
                isAskedLater(stock);
                newSagasRun(stock);
                assertThat(stock.callbackAtHand()).isEmpty();
            }
        }
        try (AlphaProcess again = start(store)) {
            for (String saga : OPEN) awaitState(again, saga, "SUSPENDED");
            try (TestOmega stock = TestOmega.welcomed(port(again), "stock", "stock-2")) {
                aPersonDecides(again, stock);
            }
        }
    }

    /** Before a person looks at a saga, it has what the fence of its branch has, wherever it is shown. */
    private static void fencesAreAsked(AlphaProcess alpha) {
        Map<String, String> sentences = Map.of(
                "paid", "the fence has it as committed",
                "undone", "by the fence it was undone",
                "aborting", "by the fence it was undone",
                "open", "the fence has nothing of it");
        for (String saga : OPEN) {
            String sentence = sentences.get(saga);
            await().atMost(Patience.LIMIT)
                    .untilAsserted(() -> assertThat(JsonPath.<List<String>>read(
                                    alpha.get("/api/v1/sagas/" + saga).body(),
                                    "$.history[?(@.type == 'fence.answered.v1')].text"))
                            .as(saga)
                            .singleElement()
                            .asString()
                            .contains(sentence));
            Finding finding = FENCE.getOrDefault(saga, Finding.NO_ROW);
            assertThat(JsonPath.<String>read(alpha.get("/api/v1/sagas/" + saga).body(), "$.branches[0].fence.finding"))
                    .isEqualTo(finding.name());
            assertThat(alpha.get("/sagas/" + saga, "text/html").body())
                    .as("the page of %s", saga)
                    .contains(sentence, "fence: ");
        }
    }

    private static void isTold(AlphaProcess alpha) {
        for (String saga : OPEN) {
            String detail = alpha.get("/api/v1/sagas/" + saga).body();
            assertThat(JsonPath.<String>read(detail, "$.suspension.reason")).isEqualTo("RESTORED");
            assertThat(JsonPath.<String>read(detail, "$.suspension.lastError"))
                    .startsWith("The store was set back to an earlier time")
                    .endsWith("as service stock has seen.");
        }
        assertThat(alpha.get("/api/v1/sagas/later").statusCode())
                .as("what the copy has not is not known")
                .isEqualTo(404);
        await().atMost(Patience.LIMIT)
                .untilAsserted(() -> assertThat(JsonPath.<List<String>>read(
                                alpha.get("/api/v1/stuck").body(), "$.sagas[?(@.detail == 'RESTORED')].id"))
                        .containsExactlyInAnyOrderElementsOf(OPEN));
        await().atMost(Patience.LIMIT)
                .untilAsserted(() -> assertThat(
                                alpha.get("/actuator/prometheus").body().lines())
                        .contains("alpha_saga_held 4.0"));
        for (String page : List.of("/overview", "/stuck", "/sagas", "/orders", "/services", "/nodes", "/sagas/paid")) {
            assertThat(alpha.get(page, "text/html").body())
                    .as(page)
                    .contains("id=\"held\"", "4 sagas that it had open then are held");
        }
        HttpResponse<String> readiness = alpha.get("/actuator/health/readiness");
        assertThat(readiness.statusCode()).as("new sagas run").isEqualTo(200);
        assertThat(readiness.body()).contains("The store was set back to an earlier time", "\"held\":4");
    }

    private static void isAskedLater(TestOmega stock) {
        Ack ack = stock.ask(TestOmega.end(1, "paid", true));
        assertThat(ack.hasUnavailable()).as("%s", ack).isTrue();
        assertThat(ack.getUnavailable().getText()).contains("held until a person has looked at it");
    }

    private static void newSagasRun(TestOmega stock) {
        assertThat(stock.ask(TestOmega.begin(1, "new")).hasAccepted()).isTrue();
        stock.run("new", "reserve");
        assertThat(stock.ask(TestOmega.end(3, "new", true)).hasCommitted()).isTrue();
    }

    private static void aPersonDecides(AlphaProcess alpha, TestOmega stock) {
        order(alpha, "paid", "resolve", "\"outcome\":\"COMMITTED\",");
        order(alpha, "undone", "resolve", "\"outcome\":\"COMPENSATED\",");
        order(alpha, "open", "retry", "");
        Callback callback = stock.callback();
        assertThat(callback.getSaga()).isEqualTo("open");
        stock.succeed(callback);
        order(alpha, "aborting", "retry", "");
        callback = stock.callback();
        assertThat(callback.getSaga()).isEqualTo("aborting");
        stock.succeed(callback);
        Map<String, String> ends =
                Map.of("paid", "COMMITTED", "undone", "COMPENSATED", "open", "COMPENSATED", "aborting", "COMPENSATED");
        ends.forEach((saga, state) -> awaitState(alpha, saga, state));
        assertThat(stock.callbackAtHand()).isEmpty();
        await().atMost(Patience.LIMIT)
                .untilAsserted(
                        () -> assertThat(alpha.get("/actuator/health/readiness").body())
                                .doesNotContain("set back"));
    }

    private static void order(AlphaProcess alpha, String saga, String order, String more) {
        Number sequence = JsonPath.read(alpha.get("/api/v1/sagas/" + saga).body(), "$.sequence");
        HttpResponse<String> answer = alpha.post(
                "/api/v1/sagas/%s/%s".formatted(saga, order),
                "ann",
                "{%s\"reason\":\"the books say so\",\"sequence\":%s}".formatted(more, sequence));
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    }

    private static void awaitState(AlphaProcess alpha, String saga, String state) {
        await().atMost(Patience.LIMIT).until(() -> state(alpha, saga), Optional.of(state)::equals);
    }

    private static Optional<String> state(AlphaProcess alpha, String saga) {
        HttpResponse<String> found = alpha.get("/api/v1/sagas/" + saga);
        return found.statusCode() == 200 ? Optional.of(JsonPath.read(found.body(), "$.state")) : Optional.empty();
    }
}
