package io.alphaomega.server.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.alphaomega.repository.SagaRepository;
import io.alphaomega.repository.redis.RedisSagaRepository;
import io.alphaomega.repository.servers.RedisServer;
import io.alphaomega.repository.servers.ServerProcess;
import io.alphaomega.server.AlphaProcess;
import io.alphaomega.server.console.Browser.Width;
import io.alphaomega.server.http.WrittenSaga;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** No page says that all is well where nobody could look: real alphas, killed; a real store, stopped; a real browser. */
class TroubleBrowserTest {
    private static final List<String> PAGES = List.of(
            "/overview",
            "/stuck",
            "/sagas",
            "/orders",
            "/services",
            "/nodes",
            "/docs/operating",
            "/docs/operating/runbook",
            "/sagas/runs");

    /** The colours of the dots that are drawn as good are. */
    private static final String DOTS = """
        return [...document.querySelectorAll('#live .dot.good')].map((dot) => getComputedStyle(dot).backgroundColor)
        """;

    /** Keeps whatever the banner says from now on: the others take a node that does not answer for dead at last. */
    private static final String REMEMBERS = """
        window.said = [];
        new MutationObserver(() => window.said.push(document.querySelector('#banner').textContent))
            .observe(document.querySelector('#main'), {childList: true, subtree: true, characterData: true});
        """;

    @TempDir
    private Path directory;

    private final RedisServer redis = RedisServer.start();
    private final int[] ports = {ServerProcess.freePort(), ServerProcess.freePort(), ServerProcess.freePort()};
    private final int http = ServerProcess.freePort();
    private final List<AutoCloseable> opened = new ArrayList<>();

    @AfterEach
    void stop() throws Exception {
        for (AutoCloseable each : opened.reversed()) each.close();
        redis.close();
    }

    private String uri() {
        return "redis://127.0.0.1:" + redis.port();
    }

    private AlphaProcess start(String... arguments) {
        Stream<String> store = Stream.of("--alpha.repository.type=redis", "--alpha.repository.redis.uri=" + uri());
        AlphaProcess alpha = AlphaProcess.start(
                directory, Stream.concat(store, Stream.of(arguments)).toArray(String[]::new));
        opened.add(alpha);
        return alpha;
    }

    private AlphaProcess node(int node) {
        return start(
                "--alpha.cluster.port=" + ports[node],
                "--alpha.cluster.seed-nodes=127.0.0.1:" + ports[0] + ",127.0.0.1:" + ports[1]);
    }

    private Browser browser(AlphaProcess alpha) {
        Browser browser = new Browser(alpha.httpAddress());
        opened.add(browser);
        return browser.width(Width.WIDE);
    }

    private static String count(AlphaProcess alpha) {
        return alpha.get("/api/v1/stuck").body();
    }

    private static List<String> metrics(AlphaProcess alpha, String beginning) {
        return alpha.get("/actuator/prometheus")
                .body()
                .lines()
                .filter(line -> line.startsWith(beginning))
                .toList();
    }

    @Test
    void while_the_store_is_away_every_page_says_so_and_what_is_stuck_is_unknown() {
        try (SagaRepository store = new RedisSagaRepository(RedisSagaRepository.Settings.of(uri()))) {
            new WrittenSaga(store, "runs", Clock.systemUTC().instant().truncatedTo(ChronoUnit.MILLIS)).begun("trip 1");
        }
        AlphaProcess alpha = start().awaitReady();
        Browser browser = browser(alpha).open("/stuck");
        await().until(() -> browser.text("main"), text -> text.contains("Nothing is stuck."));
        assertThat(browser.text("#banner")).isEmpty();

        redis.process().kill();
        await().untilAsserted(() -> {
            assertThat(browser.text("#banner")).contains("The store has been away since");
            assertThat(browser.text("#unknown")).contains("it is unknown which are stuck", "None was stuck then.");
        });
        assertThat(browser.text("main")).doesNotContain("Nothing is stuck", "continues by itself");
        assertThat(browser.text("#tab-stuck")).contains("?");
        browser.keep("trouble-store-stuck-wide");
        for (String page : PAGES) {
            browser.width(Width.NARROW).open(page);
            assertThat(browser.text("#banner")).as(page).contains("The store has been away since");
            assertThat(browser.overflows()).as(page).isFalse();
        }
        browser.width(Width.WIDE).open("/overview");
        assertThat(browser.text("#tile-stuck .value")).isEqualTo("–");
        assertThat(browser.text("#tile-stuck")).contains("unknown for").doesNotContain("nothing waits");
        assertThat(browser.text("#tile-open .value")).isEqualTo("–");
        assertThat(browser.barriers()).isEmpty();
        browser.keep("trouble-store-overview-wide");
        assertThat(count(alpha)).contains("\"count\":null", "\"open\":null").doesNotContain("\"unknownSince\":null");
        assertThat(metrics(alpha, "alpha_sagas_stuck{")).isNotEmpty().allMatch(line -> line.endsWith(" NaN"));
        assertThat(alpha.post("/api/v1/bulk-orders", "ann", """
                        {"order": "RETRY", "reason": "?", "stuck": "SUSPENDED", "dryRun": true}""").statusCode())
                .as("nobody counts what nobody sees")
                .isEqualTo(503);

        redis.process().start();
        browser.open("/stuck");
        await().untilAsserted(() -> {
            assertThat(browser.text("#banner")).isEmpty();
            assertThat(browser.text("main")).contains("Nothing is stuck.");
        });
        assertThat(metrics(alpha, "alpha_sagas_stuck{")).isNotEmpty().allMatch(line -> line.endsWith(" 0.0"));
    }

    @Test
    void when_alpha_is_gone_the_page_says_since_when_and_no_dot_is_green_until_it_is_back() {
        AlphaProcess alpha = start("--server.port=" + http).awaitReady();
        Browser browser = browser(alpha).open("/nodes");
        Browser unlive = browser(alpha).open("/sagas");
        Object green = browser.run(DOTS);
        assertThat(green)
                .asInstanceOf(org.assertj.core.api.InstanceOfAssertFactories.LIST)
                .isNotEmpty();
        assertThat(browser.find("#unheard").isDisplayed()).isFalse();

        alpha.kill();
        await().untilAsserted(() -> assertThat(browser.text("#unheard"))
                .containsPattern("Alpha has not answered since \\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d\\."));
        await("also on a page that is not live")
                .untilAsserted(() -> assertThat(unlive.text("#unheard")).contains("Alpha has not answered since"));
        assertThat(browser.run(DOTS)).isNotEqualTo(green).asString().doesNotContain(String.valueOf(green));
        assertThat(browser.barriers()).isEmpty();
        browser.theme("dark").keep("trouble-unheard-wide");
        assertThat(browser.width(Width.NARROW).overflows()).isFalse();
        browser.keep("trouble-unheard-narrow");

        start("--server.port=" + http).awaitReady();
        await().untilAsserted(() -> {
            assertThat(browser.find("#unheard").isDisplayed()).isFalse();
            assertThat(browser.run(DOTS)).isEqualTo(green);
        });
        await().until(() -> !unlive.find("#unheard").isDisplayed());
    }

    @Tag("long")
    @Test
    void a_node_that_was_killed_is_missed_and_so_are_its_shards_until_they_have_a_home() {
        List<AlphaProcess> nodes = List.of(node(0), node(1), node(2));
        nodes.forEach(AlphaProcess::awaitReady);
        Browser browser = browser(nodes.get(0)).open("/sagas");
        await().until(() -> browser.text("#banner").isEmpty());

        nodes.get(1).kill();
        String killed = "127.0.0.1:" + ports[1];
        await("the others go on without it")
                .untilAsserted(() -> assertThat(browser.text("#banner"))
                        .contains("Node " + killed + " has been missing since")
                        .doesNotContain("has not answered"));
        await("its shards find homes although nobody asks for their sagas")
                .untilAsserted(() -> assertThat(browser.text("#banner")).doesNotContain("shards"));
        assertThat(shards(nodes.get(0))).isEqualTo(100);
        browser.open("/nodes");
        assertThat(browser.text("main")).contains(killed, "missing");
        browser.keep("trouble-node-missing-wide");
        assertThat(nodes.get(2).get("/api/v1/troubles").body()).contains("NODE_MISSING", killed);

        node(1).awaitReady();
        await().until(() -> browser.text("#banner").isEmpty());
    }

    @Tag("long")
    @Test
    void a_node_that_does_not_answer_is_named_with_the_shards_that_nobody_has_meanwhile() throws IOException {
        List<AlphaProcess> nodes = List.of(node(0), node(1), node(2));
        nodes.forEach(AlphaProcess::awaitReady);
        Browser browser = browser(nodes.get(0)).open("/overview");
        await().until(() -> browser.text("#banner").isEmpty());
        browser.run(REMEMBERS);

        signal(nodes.get(2), "STOP");
        await().untilAsserted(() -> assertThat(browser.run("return window.said.join('; ')"))
                .asString()
                .containsPattern("Node 127\\.0\\.0\\.1:\\d+ has not answered since")
                .containsPattern("[1-9]\\d* of 100 shards of the sagas have had no home since"));
        signal(nodes.get(2), "CONT");
    }

    private static void signal(AlphaProcess alpha, String signal) throws IOException {
        Process kill = new ProcessBuilder("kill", "-" + signal, Long.toString(alpha.pid())).start();
        await().until(() -> !kill.isAlive());
    }

    /** On all nodes that answer. */
    private static int shards(AlphaProcess alpha) {
        return Pattern.compile("\"shards\":(\\d+)")
                .matcher(alpha.get("/api/v1/nodes").body())
                .results()
                .mapToInt(found -> Integer.parseInt(found.group(1)))
                .sum();
    }

    @Test
    void sagas_that_wait_for_a_service_are_told_before_their_minute_is_over() {
        Instant now = Clock.systemUTC().instant().truncatedTo(ChronoUnit.MILLIS);
        try (SagaRepository store = new RedisSagaRepository(RedisSagaRepository.Settings.of(uri()))) {
            for (int i = 0; i < 30; i++) {
                new WrittenSaga(store, "suspended-" + i, now.minusSeconds(90)).suspended("", "ferry");
            }
        }
        AlphaProcess alpha = start().awaitReady();
        Browser browser = browser(alpha).open("/stuck?reason=SUSPENDED&service=ferry");
        await().until(() -> browser.has("#bulk-form"));
        assertThat(browser.text("#absent")).contains("No instance of ferry is connected.");
        browser.open("/sagas/suspended-0");
        assertThat(browser.text("#absent")).contains("No instance of ferry is connected.");
        assertThat(alpha.post("/api/v1/bulk-orders", "ann", """
                        {"order": "RETRY", "reason": "it is back", "stuck": "SUSPENDED", "perSecond": 1000}""").statusCode()).isEqualTo(202);

        browser.open("/stuck");
        await().untilAsserted(() -> assertThat(browser.text("main"))
                .contains("30 sagas wait for ferry, of which no instance is connected.", "Nothing is stuck yet.")
                .doesNotContain("Every open saga continues by itself"));
        await("what became of them")
                .untilAsserted(() -> assertThat(browser.text(".bulk"))
                        .containsPattern("30 done.*\\n?.*what became of them: 30 (waiting|stuck).*because of ferry"));
        assertThat(alpha.get("/api/v1/bulk-orders").body()).contains("\"services\":[\"ferry\"]");
        browser.keep("trouble-waiting-wide");
        browser.width(Width.WIDE).open("/overview");
        assertThat(browser.text("#tile-stuck"))
                .contains("30 wait for a service")
                .doesNotContain("nothing waits");
        assertThat(count(alpha)).contains("\"waiting\":[{\"service\":\"ferry\",\"count\":30,");
        assertThat(metrics(alpha, "alpha_sagas_waiting{"))
                .anyMatch(line -> line.contains("\"ferry\"") && line.endsWith(" 30.0"));
    }
}
