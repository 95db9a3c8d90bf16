package io.alphaomega.server.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.alphaomega.repository.SagaRepository;
import io.alphaomega.repository.jdbc.embedded.EmbeddedRepository;
import io.alphaomega.saga.SagaId;
import io.alphaomega.server.AlphaProcess;
import io.alphaomega.server.http.WrittenSaga;
import io.alphaomega.server.stream.TestOmega;
import io.alphaomega.server.text.Texts;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The pages as they come from alpha, before any script. */
class ConsoleTest {
    private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
    private static final String HOSTILE = "<script>alert('x')</script>\"'><img src=x onerror=alert(1)>";

    /** Where it leads to: a page, empty for the same, and a paragraph in it. */
    private static final Pattern LINK = Pattern.compile("href=\"([^\"#]*)(?:#([^\"]+))?\"");

    @TempDir
    private static Path directory;

    private static AlphaProcess alpha;

    @BeforeAll
    static void start() {
        Instant now = Clock.systemUTC().instant().truncatedTo(ChronoUnit.MILLIS).minusSeconds(20);
        try (SagaRepository store = EmbeddedRepository.in(directory.resolve("data"))) {
            new WrittenSaga(store, "suspended", now).suspended(HOSTILE);
            new WrittenSaga(store, "committed", now)
                    .begun("trip 17")
                    .traced("hotel", "hotel", "00-" + TRACE + "-00f067aa0ba902b7-01")
                    .later(Duration.ofMillis(30))
                    .ended("hotel")
                    .committed();
            new WrittenSaga(store, "waits", now)
                    .compensating()
                    .later(Duration.ofMillis(7))
                    .missed("hotel");
            new WrittenSaga(store, "ordered", now).begun("trip 19").aborted("<b>ann", "wrong <script>");
            new WrittenSaga(store, "runs", now).begun("trip 18").began("hotel", "hotel", Duration.ofMinutes(4));
            new WrittenSaga(store, "outer", now)
                    .begun("trip 20")
                    .began("ride", new SagaId("inner"))
                    .ended("ride");
        }
        alpha = AlphaProcess.start(
                        directory,
                        "--alpha.console.trace-url=https://traces.example.com/trace/{traceId}?a=1&b='2'",
                        "--alpha.console.log-url=https://logs.example.com/search?q=sagaId%3A%22{sagaId}%22",
                        "--logging.file.name=" + directory.resolve("log.json"),
                        "--logging.structured.format.file=ecs")
                .awaitReady();
        await().until(() -> alpha.get("/api/v1/stuck").body().contains("\"reason\":\"SUSPENDED\""));
    }

    @AfterAll
    static void stop() {
        if (alpha != null) alpha.close();
    }

    private static String page(String path) {
        HttpResponse<String> answer = alpha.get(path);
        assertThat(answer.statusCode()).as(path).isEqualTo(200);
        return answer.body();
    }

    static List<String> paths() {
        return List.of(
                "/overview",
                "/stuck",
                "/stuck?reason=SUSPENDED&service=hotel",
                "/sagas",
                "/sagas?text=trip&state=ACTIVE",
                "/sagas?businessKey=trip&longerThan=1m&olderThan=PT1M",
                "/sagas?attribute=tenant%3Dacme",
                "/orders",
                "/orders?since=1h&who=nobody",
                "/sagas/suspended",
                "/sagas/suspended?if=RETRY&branch=&after=5m",
                "/sagas/committed",
                "/sagas/runs",
                "/sagas/runs?if=%3Cscript%3E",
                "/services",
                "/nodes",
                "/coverage",
                "/docs/operating",
                "/docs/operating/runbook",
                "/docs/operating/stores");
    }

    @ParameterizedTest
    @MethodSource("paths")
    void every_page_is_whole_and_asks_nobody_else_for_anything(String path) {
        HttpResponse<String> answer = alpha.get(path);

        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.headers().firstValue("Content-Type")).contains("text/html;charset=UTF-8");
        assertThat(answer.headers().firstValue("Content-Security-Policy").orElseThrow())
                .startsWith("default-src 'none';")
                .doesNotContain("unsafe");
        assertThat(answer.body().strip())
                .startsWith("<!doctype html>")
                .endsWith("</html>")
                .doesNotContain("<script>", " style=", " onclick=", "<style", "src=\"http", ">null<")
                // But for links, which people follow.
                .doesNotContainPattern("<(?!a )[a-z]+ [^>]*(?:href|src|action)=\"(?:https?:)?//");
    }

    /** Not what the script may say, nor the document that is English. */
    private static String shown(String page) {
        return page.replaceAll("data-texts=\"[^\"]*\"", "")
                .replaceAll("(?s)<article class=\"card prose\" lang=\"en\">.*</article>", "")
                .replace("&#39;", "'");
    }

    @ParameterizedTest
    @MethodSource("paths")
    void every_page_is_Chinese_for_whom_asks_for_it(String path) {
        HttpResponse<String> answer = alpha.getWith(path, "Accept-Language", "zh-CN,zh;q=0.9,en;q=0.8");
        String page = shown(answer.body());

        assertThat(answer.headers().firstValue("Content-Language")).contains("zh-CN");
        assertThat(answer.headers().allValues("Vary").toString()).contains("Accept-Language", "Cookie");
        assertThat(page).contains("<html lang=\"zh-CN\">", "lang=en\" hreflang=\"en\" lang=\"en\">English</a>");
        String kinds = Texts.ENGLISH.sentences().keySet().stream()
                .map(key -> key.substring(0, key.indexOf('.')))
                .distinct()
                .collect(Collectors.joining("|"));
        assertThat(page).doesNotContainPattern(">\\s*(?:" + kinds + ")\\.[\\w.-]+\\s*<");
        for (String sentence : Texts.ENGLISH.sentences().values()) {
            for (String part : sentence.split("\\{\\d}", -1)) {
                if (part.length() > 9 && part.strip().contains(" "))
                    assertThat(page).doesNotContain(part);
            }
        }
    }

    @Test
    void the_language_is_chosen_by_the_address_and_kept_or_else_the_browsers() {
        HttpResponse<String> chosen = alpha.get("/sagas?text=trip&lang=zh");
        String cookie = chosen.headers().firstValue("Set-Cookie").orElseThrow();
        assertThat(cookie).startsWith("alpha.language=zh;").contains("Path=/", "HttpOnly", "SameSite=Lax");
        assertThat(chosen.body())
                .contains("<html lang=\"zh-CN\">", "href=\"?text=trip&amp;lang=en\"", "name=\"text\" value=\"trip\"");
        assertThat(alpha.getWith("/stuck", "Cookie", "alpha.language=zh").body())
                .contains("<html lang=\"zh-CN\">", "hx-get=\"/stuck\"");
        assertThat(alpha.get("/stuck?lang=zh").body()).contains("hx-get=\"/stuck\"");
        assertThat(alpha.get("/sagas/nobody?lang=zh").body()).contains("<h1>无法显示</h1>");

        assertThat(page("/stuck")).contains("<html lang=\"en\">", "href=\"?lang=zh\"");
        for (String odd : new String[] {"fr", "%3Cscript%3E", "zh%0d%0aX-Odd:1", "_", ""}) {
            assertThat(page("/stuck?lang=" + odd)).as(odd).contains("<html lang=\"en\">");
            assertThat(alpha.getWith("/stuck", "Cookie", "alpha.language=" + odd)
                            .body())
                    .as(odd)
                    .contains("<html lang=\"en\">");
        }
        assertThat(alpha.getWith("/stuck", "Accept-Language", "fr, de;q=0.5").body())
                .contains("<html lang=\"en\">");
    }

    @Test
    void a_saga_is_told_in_Chinese_on_its_page_and_in_English_by_the_API() {
        assertThat(page("/sagas/suspended?lang=zh"))
                .contains("UNDECODABLE：alpha 已于 ", "no such field: room", "不会自行继续，需要人工操作。")
                .contains("<b>hotel 的负责人</b>", " title=\"SUSPENDED\">已挂起</span>", "须由 hotel 的负责人处理：")
                .contains("data-order=\"retry\"", "&lt;script&gt;")
                .doesNotContain("<script>alert", "<img src=x");
        assertThat(page("/sagas/runs?lang=zh&if=TIME_PASSES&branch=&after=5m"))
                .contains("已中止（", "请求 hotel Rooms.reserve 执行补偿，第 1 次尝试");
        assertThat(alpha.getWith("/api/v1/sagas/suspended?lang=zh", "Accept-Language", "zh")
                        .body())
                .contains("a person of hotel must act", "Begun by ")
                .doesNotContainPattern("\\p{IsHan}");
        assertThat(alpha.getWith("/api/v1/sagas/nobody", "Accept-Language", "zh")
                        .body())
                .contains("There is no saga")
                .doesNotContainPattern("\\p{IsHan}");
    }

    @Test
    void the_overview_tells_how_long_things_take_and_how_old_the_oldest_open_saga_is() {
        int grpc = URI.create("grpc://" + alpha.grpcAddress()).getPort();
        try (TestOmega omega = TestOmega.welcomed(grpc, "timed", "timed-1")) {
            AtomicInteger sagas = new AtomicInteger();
            await().until(() -> {
                int next = sagas.incrementAndGet();
                omega.ask(TestOmega.begin(2L * next, "timed-" + next));
                omega.ask(TestOmega.abort(2L * next + 1, "timed-" + next));
                return page("/overview").matches("(?s).*Acknowledged in</div><div class=\"value\">[0-9,.]+<.*");
            });
        }
        String overview = page("/overview");
        assertThat(overview).containsPattern("p99 [0-9,.]+ ms, of the store [0-9,.]+ ms");
        assertThat(overview).containsPattern("oldest [0-9]");
        assertThat(page("/overview?lang=zh")).contains("应答用时").containsPattern("最早 [0-9]");
    }

    /** At addresses that another content has not: browsers keep what they have. */
    @Test
    void what_the_pages_need_is_there_and_its_address_tells_its_content() {
        List<String> addresses = Pattern.compile("(?:href|src)=\"(/(?:console|webjars)/[^\"]+)\"")
                .matcher(page("/overview"))
                .results()
                .map(match -> match.group(1))
                .distinct()
                .toList();
        assertThat(addresses)
                .hasSize(5)
                .allMatch(
                        address -> address.matches(
                                "/console/(alpha.svg|console.css|console.js|theme.js)\\?[0-9a-f]{12}|/webjars/htmx.org/[0-9.]+/dist/htmx.min.js"))
                .allSatisfy(address -> assertThat(page(address)).isNotEmpty());
    }

    @Test
    void what_services_say_is_shown_as_text_whatever_it_is() {
        for (String path : new String[] {"/stuck", "/sagas", "/sagas/suspended", "/sagas?text=" + "%3Cscript%3E"}) {
            assertThat(page(path)).contains("&lt;script&gt;").doesNotContain("<script>alert", "<img src=x");
        }
    }

    @Test
    void whoever_opens_the_address_in_a_browser_sees_what_is_stuck_and_a_program_sees_the_index() {
        assertThat(alpha.get("/", "text/html,application/xhtml+xml,*/*;q=0.8")
                        .headers()
                        .firstValue("Location"))
                .contains("/stuck");
        assertThat(alpha.get("/").body()).contains("\"stuck\":\"/api/v1/stuck\"");
    }

    @Test
    void a_suspended_saga_says_why_it_is_there_what_is_next_and_who_must_act_and_takes_orders() {
        assertThat(page("/sagas/suspended"))
                .contains("UNDECODABLE: alpha gave up", "no such field: room", "Nothing, until an operator orders it.")
                .contains("<b>the people of hotel</b>", "href=\"/docs/operating/runbook#undecodable\"")
                .contains("data-order=\"retry\"", "data-order=\"skip\"", "data-order=\"resolve\"")
                .doesNotContain("data-order=\"abort\"", "a secret");
        assertThat(page("/sagas/runs"))
                .contains("data-order=\"abort\"", "hx-trigger")
                .doesNotContain("data-order=\"skip");
        assertThat(page("/sagas/committed")).doesNotContain("data-order", "hx-trigger");
    }

    @Test
    void a_saga_leads_to_its_trace_and_its_logs() {
        assertThat(page("/sagas/committed"))
                .contains("href=\"https://traces.example.com/trace/%s?a=1&amp;b=&#39;2&#39;\"".formatted(TRACE))
                .contains("href=\"https://logs.example.com/search?q=sagaId%3A%22committed%22\"");
        assertThat(page("/sagas/runs")).doesNotContain("traces.example.com");
        assertThat(alpha.get("/api/v1/sagas/committed").body())
                .contains("\"traceId\":\"" + TRACE + "\"")
                .contains("\"traceUrl\":\"https://traces.example.com/trace/%s?a=1&b='2'\"".formatted(TRACE))
                .contains("\"logUrl\":\"https://logs.example.com/search?q=sagaId%3A%22committed%22\"");
    }

    @Test
    void what_if_is_shown_beside_the_history_and_orders_nothing() {
        assertThat(page("/sagas/suspended?if=SKIP&branch=&after="))
                .contains(
                        "hotel Rooms.reserve was taken as done by hand", ">compensated</span>", "Nothing: it is over.")
                .contains("<option value=\"SKIP\" selected>");
        // Between two attempts nobody would be asked; that passes.
        await().untilAsserted(() -> assertThat(page("/sagas/runs?if=TIME_PASSES&branch=&after=5m"))
                .contains("Aborted (", "hotel for <code>rooms.cancel</code>, attempt "));
        assertThat(page("/sagas/outer?if=ABORT&branch=&after="))
                .contains("href=\"/sagas/inner\"", ", which is nested here, to undo everything, attempt 1");
        assertThat(page("/sagas/outer?if=COMMIT&branch=&after="))
                .contains(", which is nested here, to commit, attempt 1");
        assertThat(page("/sagas/suspended?if=HOPE")).contains("must be one of [RETRY, SKIP,");
        assertThat(alpha.get("/api/v1/sagas/suspended").body()).contains("\"state\":\"SUSPENDED\"");
    }

    @Test
    void what_a_saga_did_when_is_drawn_as_its_history_says() {
        assertThat(page("/sagas/committed")).contains("rect class=\"forward\"").doesNotContain("rect class=\"callback");
        assertThat(page("/sagas/runs")).contains("rect class=\"forward running\"");
        assertThat(page("/sagas/suspended"))
                .contains("rect class=\"forward failed\"", "rect class=\"callback failed\"")
                .doesNotContain("line class=\"wait\"");
        // Each time that alpha asks again, for a moment nobody knows that nobody is there.
        await().untilAsserted(() -> assertThat(page("/sagas/waits"))
                .contains("rect class=\"callback missed\"", "line class=\"wait\"", "It waits for the next attempt.")
                .contains("No instance of hotel is connected", "data-order=\"retry\"")
                .doesNotContain("rect class=\"forward lost\"", "data-order=\"skip\""));
    }

    @Test
    void the_log_as_JSON_has_the_saga_as_a_field_and_its_levels_can_be_changed_while_alpha_runs() {
        // An order brings the saga into memory, which is told; it is refused, so that the saga stays as it is.
        alpha.post("/api/v1/sagas/suspended/retry", "ann", "{\"reason\":\"x\",\"sequence\":1}");
        await().untilAsserted(() -> assertThat(Files.readString(directory.resolve("log.json")))
                .containsPattern("\"message\":\"Saga suspended is suspended and waits.*\"sagaId\":\"suspended\"")
                .contains("\"branchId\":\"hotel\""));
        String loggers = "/actuator/loggers/io.alphaomega.server.saga";
        assertThat(alpha.post(loggers, "ann", "{\"configuredLevel\":\"DEBUG\"}").statusCode())
                .isEqualTo(204);
        assertThat(alpha.get(loggers).body()).contains("\"effectiveLevel\":\"DEBUG\"");
    }

    @Test
    void the_search_asks_for_more_only_where_somebody_does() {
        assertThat(page("/sagas?operation=&businessKey=trip"))
                .contains("name=\"businessKey\" value=\"trip\"")
                .contains("<details class=\"wide\" id=\"further\"><summary>");
        assertThat(page("/sagas?longerThan=1ms&id=suspended"))
                .contains("<details class=\"wide\" id=\"further\" open><summary>")
                .contains("name=\"longerThan\" value=\"1ms\"", "href=\"/sagas/suspended\"");
        assertThat(page("/sagas?longerThan=1ms&id=suspend")).contains("No matching sagas.");
        assertThat(page("/sagas?olderThan=soon")).contains("a duration such as 15m or PT15M");
    }

    @Test
    void who_ordered_what_is_listed_with_the_way_to_the_saga() {
        assertThat(page("/orders?since=1h"))
                .contains("&lt;b&gt;ann", "wrong &lt;script&gt;", "href=\"/sagas/ordered\"", ">compensated</span>")
                .contains("href=\"/orders\" aria-current=\"page\"", "value=\"1h\"")
                .doesNotContain("wrong <script>");
        assertThat(page("/orders?who=nobody")).contains("No matching orders.");
        assertThat(page("/orders?since=soon")).contains("an instant such as");
        assertThat(page("/orders?lang=zh")).contains("人工操作", "中止");
        assertThat(page("/orders?lang=en")).contains(">abort");
    }

    @Test
    void attributes_lead_to_the_sagas_that_have_them() {
        assertThat(page("/sagas/suspended")).contains("href=\"/sagas?attribute=tenant%3Dacme\"");
        assertThat(page("/sagas?attribute=tenant%3Dacme&id=suspended"))
                .contains("name=\"attribute\" value=\"tenant=acme\"", "href=\"/sagas/suspended\"");
        assertThat(page("/sagas?attribute=tenant%3Dnobody")).contains("No matching sagas.");
    }

    @Test
    void the_runbook_opens_where_the_link_of_a_reason_leads() {
        assertThat(page("/docs/operating/runbook")).contains("<a id=\"undecodable\"></a>", "<h1 id=\"runbook\">");
    }

    @Test
    void each_page_of_the_runbook_leads_to_the_others_and_to_nothing_that_is_not_here() throws IOException {
        Map<String, String> seen = new HashMap<>();
        Deque<String> ahead = new ArrayDeque<>(List.of("/docs/operating"));
        List<MatchResult> links = new ArrayList<>();
        while (!ahead.isEmpty()) {
            String path = ahead.remove();
            if (seen.containsKey(path)) continue;
            String html = page(path);
            seen.put(path, html);
            String prose = html.substring(html.indexOf("<article"), html.indexOf("</article>"));
            for (MatchResult link : LINK.matcher(prose).results().toList()) {
                if (link.group(1).isEmpty()) {
                    assertThat(html).contains("id=\"" + link.group(2) + "\"");
                } else {
                    assertThat(link.group(1)).startsWith("/docs/operating");
                    ahead.add(link.group(1));
                    links.add(link);
                }
            }
        }
        assertThat(links).isNotEmpty().allSatisfy(link -> {
            if (link.group(2) != null) assertThat(seen.get(link.group(1))).contains("id=\"" + link.group(2) + "\"");
        });
        try (Stream<Path> files = Files.list(Path.of("../../docs/operating"))) {
            assertThat(seen.keySet())
                    .containsAll(files.map(file -> "/docs/operating/"
                                    + file.getFileName().toString().replace(".md", ""))
                            .toList());
        }
    }

    @Test
    void a_page_of_the_runbook_that_is_not_there_is_said_to_be_missing() {
        assertThat(alpha.get("/docs/operating/nothing").statusCode()).isEqualTo(404);
        assertThat(alpha.get("/docs/operating/nothing").body()).contains("There is no page");
    }

    @Test
    void what_cannot_be_shown_is_a_page_with_a_sentence() {
        assertThat(alpha.get("/sagas/nobody").statusCode()).isEqualTo(404);
        assertThat(alpha.get("/sagas/nobody").body()).contains("There is no saga 'nobody'.");
        assertThat(alpha.get("/stuck?reason=BORED").statusCode()).isEqualTo(400);
        assertThat(page("/sagas?from=yesterday")).contains("an instant such as 2026-11-20T09:30:00Z");
        assertThat(page("/sagas?colour=red")).contains("colour");
    }

    @Test
    @SuppressWarnings("try") // The instances do nothing but be connected.
    void builds_of_a_service_side_by_side_are_shown_with_how_many_instances_each_has() {
        int port = URI.create("grpc://" + alpha.grpcAddress()).getPort();
        try (TestOmega one = TestOmega.welcomed(port, "tram", "tram-1", "1.0-<b>");
                TestOmega two = TestOmega.welcomed(port, "tram", "tram-2", "1.0-<b>")) {
            await().untilAsserted(() ->
                    assertThat(alpha.get("/api/v1/services").body()).contains("\"builds\":{\"1.0-<b>\":2}"));
            assertThat(page("/services")).contains("<code>1.0-&lt;b&gt;</code>").doesNotContain("builds-tram");

            try (TestOmega three = TestOmega.welcomed(port, "tram", "tram-3", "1.1-c")) {
                await().untilAsserted(
                                () -> assertThat(alpha.get("/api/v1/services").body())
                                        .contains("\"builds\":{\"1.0-<b>\":2,\"1.1-c\":1}"));
                assertThat(page("/services"))
                        .contains("id=\"builds-tram\">Several builds are connected side by side:"
                                + " <code>1.0-&lt;b&gt;</code> (2), <code>1.1-c</code> (1).");
            }
            await().until(() -> !page("/services").contains("builds-tram"));
        }
    }

    @Test
    @SuppressWarnings("try") // One of the instances does nothing but be connected.
    void a_callback_that_open_sagas_need_and_no_connected_instance_offers_is_shown_before_anybody_needs_it() {
        int port = URI.create("grpc://" + alpha.grpcAddress()).getPort();
        String saga = UUID.randomUUID().toString();
        try (TestOmega old = TestOmega.welcomed(port, "ferry", "ferry-1", "1.0")) {
            assertThat(old.ask(TestOmega.begin(1, saga)).hasAccepted()).isTrue();
            old.run(saga, "b");
            await().untilAsserted(() ->
                    assertThat(alpha.get("/api/v1/services").body()).contains("\"name\":\"ferry\""));
            assertThat(page("/services")).doesNotContain("<code>cancel</code> is needed");
            try (TestOmega next = TestOmega.offering(port, "ferry", "ferry-2", "1.1", "undo")) {
                old.vanish();

                await().untilAsserted(() -> assertThat(page("/services"))
                        .contains("<code>cancel</code> is needed, now or if they are decided so, by open sagas (1 of"));
                assertThat(alpha.get("/api/v1/services").body())
                        .contains(
                                "\"missing\":[\"cancel\"]",
                                "\"lacking\":[{\"callback\":\"cancel\",\"sagas\":1,\"more\":false}]");
                try (TestOmega mended = TestOmega.welcomed(port, "ferry", "ferry-3", "1.2")) {
                    await().until(() -> !page("/services").contains("<code>cancel</code> is needed"));
                    assertThat(mended.ask(TestOmega.abort(1, saga)).hasAborted())
                            .isTrue();
                    mended.succeed(mended.callback());
                }
                await().until(() -> alpha.get("/api/v1/sagas/" + saga).body().contains("\"state\":\"COMPENSATED\""));
            }
        }
    }

    @Test
    void the_API_says_what_the_pages_say() {
        assertThat(alpha.get("/api/v1/stuck?reason=SUSPENDED&service=hotel").body())
                .contains("\"detail\":\"UNDECODABLE\"", "\"id\":\"suspended\"", "\"callback\":\"rooms.cancel\"");
        assertThat(alpha.get("/api/v1/stuck?service=car").body()).contains("\"sagas\":[]");
        assertThat(alpha.get("/api/v1/services").body())
                .contains("\"name\":\"hotel\",\"connected\":false", "\"missing\":[\"rooms.cancel\"]")
                .containsPattern("\"stuck\":[12]"); // The second once it has waited for a minute.
        assertThat(alpha.get("/api/v1/stuck?limit=101").statusCode()).isEqualTo(400);
        // A look may have met a saga of another test; the next one does not.
        await().untilAsserted(() -> assertThat(alpha.get("/actuator/prometheus").body())
                .contains("alpha_sagas_open{state=\"SUSPENDED\"} 1.0", "alpha_sagas_open{state=\"ACTIVE\"} 2.0")
                .contains("alpha_sagas_stuck{reason=\"SUSPENDED\",service=\"hotel\"} 1.0")
                .contains("alpha_sagas_stuck{reason=\"FAILING\",service=\"\"} 0.0")
                .containsPattern("alpha_sagas_stuck_oldest_seconds [1-9]"));
    }
}
