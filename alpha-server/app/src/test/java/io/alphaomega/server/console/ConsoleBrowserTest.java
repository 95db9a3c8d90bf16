package io.alphaomega.server.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.alphaomega.protocol.v1.Callback;
import io.alphaomega.protocol.v1.CallbackFailure;
import io.alphaomega.repository.SagaRepository;
import io.alphaomega.repository.jdbc.embedded.EmbeddedRepository;
import io.alphaomega.server.AlphaProcess;
import io.alphaomega.server.console.Browser.Width;
import io.alphaomega.server.http.WrittenSaga;
import io.alphaomega.server.stream.TestOmega;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.net.URI;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.openqa.selenium.Keys;
import tools.jackson.databind.json.JsonMapper;

/** The pages in a real browser: what is live, what keys do, and orders. */
class ConsoleBrowserTest {
    /** Each has two branches of which nobody knows whether they took effect. */
    private static final int LOUNGES = 12;

    /** Texts that try to be something else: scripts, templates, queries, commands, letters that move or hide others. */
    private static final List<String> HOSTILE = hostile();

    /** Where what should stay in its place is. */
    private static final String PLACES = """
        return [...document.querySelectorAll('.top a, h1, h2, .tile, .tile .value, .chart, .chart svg')].map((each) => {
          const {left, top, height} = each.getBoundingClientRect();
          return `${each.tagName} ${each.id} ${left} ${top} ${height}`;
        }).join('\\n')
        """;

    @TempDir
    private static Path directory;

    private static AlphaProcess alpha;
    private static Browser browser;

    private static List<String> hostile() {
        try (InputStream texts = ConsoleBrowserTest.class.getResourceAsStream("/hostile.json")) {
            return List.of(JsonMapper.shared().readValue(Objects.requireNonNull(texts), String[].class));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @BeforeAll
    static void start() {
        Instant now = Clock.systemUTC().instant().truncatedTo(ChronoUnit.MILLIS).minusSeconds(90);
        try (SagaRepository store = EmbeddedRepository.in(directory.resolve("data"))) {
            for (int i = 0; i < 12; i++) {
                new WrittenSaga(store, "0193b5a1-77aa-7c1e-9f00-00000000000" + Integer.toHexString(i), now)
                        .begun("trip " + (4711 + i))
                        .later(Duration.ofMillis(4))
                        .began("hotel", "hotel")
                        .later(Duration.ofMillis(40 + 3L * i))
                        .ended("hotel")
                        .later(Duration.ofMillis(5))
                        .began("car", "car")
                        .later(Duration.ofMillis(25))
                        .ended("car")
                        .committed();
            }
            for (String id : new String[] {"to-retry", "to-resolve", "stays", "ends"}) {
                new WrittenSaga(store, id, now)
                        .begun("trip of " + id)
                        .later(Duration.ofMillis(3))
                        .began("hotel", "hotel")
                        .later(Duration.ofMillis(31))
                        .ended("hotel")
                        .later(Duration.ofMillis(4))
                        .began("car", "car")
                        .later(Duration.ofMillis(52))
                        .failed("car", "none left")
                        .later(Duration.ofMillis(18))
                        .compensationUndecodable("hotel");
            }
            for (int i = 0; i < LOUNGES; i++) new WrittenSaga(store, "lounge-" + i, now).endsUnknown("lounge");
            for (int i = 0; i < HOSTILE.size(); i++) {
                new WrittenSaga(store, "hostile-" + i, now.minus(Duration.ofDays(1)))
                        .begun(HOSTILE.get(i))
                        .began("car", "car")
                        .failed("car", HOSTILE.get(i));
            }
            new WrittenSaga(store, "undone", now).compensating().compensated("hotel");
            new WrittenSaga(store, "waits", now)
                    .compensating()
                    .later(Duration.ofMillis(2))
                    .missed("hotel");
        }
        alpha = AlphaProcess.start(directory).awaitReady();
        await().until(() -> alpha.get("/api/v1/stuck").body().contains("\"count\":" + (5 + LOUNGES)));
        browser = new Browser(alpha.httpAddress());
    }

    @AfterAll
    static void stop() {
        if (browser != null) browser.close();
        if (alpha != null) alpha.close();
    }

    @EachPage
    void every_page_fits_its_window_and_nothing_is_blocked(String name, String path) {
        fits(name, path, Width.WIDE, "light");
        fits(name, path, Width.NARROW, "dark");
    }

    @Tag("long")
    @EachPage
    void every_page_fits_its_window_in_the_other_theme_too(String name, String path) {
        fits(name, path, Width.WIDE, "dark");
        fits(name, path, Width.NARROW, "light");
    }

    private static void fits(String name, String path, Width width, String theme) {
        browser.width(width).open(path).theme(theme).open(path);
        assertThat(browser.overflows()).as("%s is wider than %s", path, width).isFalse();
        assertThat(browser.barriers()).as("%s in %s", path, theme).isEmpty();
        browser.keep(name + "-" + width.name().toLowerCase(Locale.ROOT) + "-" + theme);
        browser.isContent();
    }

    /** An alpha to which nothing has happened yet. */
    @Test
    void who_comes_first_is_told_what_to_do_next_and_nothing_jumps_when_more_and_more_happens(@TempDir Path empty) {
        try (AlphaProcess fresh = AlphaProcess.start(empty).awaitReady();
                Browser first = new Browser(fresh.httpAddress())) {
            first.open("/");
            assertThat(first.path()).isEqualTo("/overview");
            assertThat(first.text("main")).contains("No saga has begun yet", "scripts/demo", "omega.alpha.addresses");
            assertThat(first.width(Width.NARROW).overflows()).isFalse();
            first.keep("empty-narrow");
            assertThat(first.barriers()).isEmpty();

            int port = URI.create("grpc://" + fresh.grpcAddress()).getPort();
            try (TestOmega hotel = TestOmega.welcomed(port, "hotel", "hotel-1")) {
                hotel.ask(TestOmega.begin(1, "one"));
                first.width(Width.WIDE).open("/overview");
                await().until(() -> first.text("#tile-open .value").equals("1")
                        && first.text("[aria-labelledby=services]").contains("hotel"));
                Object places = first.run(PLACES);
                for (int i = 0; i < 120; i++) {
                    hotel.ask(TestOmega.begin(10L + i, "more-" + i));
                    hotel.ask(TestOmega.beginBranch(1_000L + i, "more-" + i, "room"));
                    hotel.ask(TestOmega.endBranch(2_000L + i, "more-" + i, "room"));
                    if (i % 3 > 0) hotel.ask(TestOmega.abort(3_000L + i, "more-" + i));
                }
                // Those that nobody cancels wait for it; the first ones are told that they cannot be.
                for (int i = 0; i < 12; i++) hotel.fail(hotel.callback(), CallbackFailure.Code.UNDECODABLE);
                await().untilAsserted(() -> {
                    assertThat(first.text("#tab-stuck")).containsPattern("[1-9]");
                    assertThat(first.text("#tile-open")).contains("oldest", "41 active", "compensating");
                });
                assertThat(first.run(PLACES)).isEqualTo(places);
                first.keep("jumps-wide");
            }
            first.isContent();
        }
    }

    @Tag("long")
    @EachPage
    void every_page_fits_its_window_in_Chinese_too(String name, String path) {
        browser.width(Width.NARROW)
                .open(path)
                .theme("light")
                .choose("alpha.language", "zh")
                .open(path);
        try {
            assertThat(browser.find("html").getDomAttribute("lang")).isEqualTo("zh-CN");
            assertThat(browser.overflows()).as(path).isFalse();
            browser.keep(name + "-zh-narrow");
            browser.width(Width.WIDE).open(path);
            assertThat(browser.overflows()).as(path).isFalse();
            assertThat(browser.barriers()).as(path).isEmpty();
            browser.keep(name + "-zh-wide");
        } finally {
            browser.choose("alpha.language", "en");
        }
        browser.isContent();
    }

    @Test
    void the_language_is_changed_by_a_link_and_kept_and_the_script_speaks_it_too() {
        browser.width(Width.WIDE).open("/stuck?reason=SUSPENDED&service=hotel");
        browser.run("localStorage.setItem('alpha.clock', 'ago')");
        browser.find("#language").click();
        await().until(() -> browser.path().equals("/stuck?reason=SUSPENDED&service=hotel&lang=zh"));
        browser.open("/sagas/stays");
        assertThat(browser.find("html").getDomAttribute("lang")).isEqualTo("zh-CN");
        assertThat(browser.text("h2#history")).isEqualTo("历史");
        assertThat(browser.text(".history time")).matches("\\d+ (秒|分|小时|天)前");
        assertThat(browser.text("#clock")).isEqualTo("距今");
        browser.keys("p");
        assertThat(browser.text("#following")).isEqualTo("已暂停");
        browser.find("#language").click();
        await().until(() -> browser.path().equals("/sagas/stays?lang=en"));
        assertThat(browser.text("h2#history")).isEqualTo("History");
        assertThat(browser.text(".history time")).endsWith("ago");
        browser.run("localStorage.removeItem('alpha.clock')");
        browser.isContent();
    }

    @Test
    void times_are_shown_in_three_ways_and_the_choice_is_kept() {
        browser.width(Width.WIDE).open("/sagas/stays");
        browser.run("localStorage.removeItem('alpha.clock')");
        browser.open("/sagas/stays");
        String utc = browser.text(".history time");
        assertThat(utc).matches("\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d\\.\\d{3}");
        browser.keys("t", "t");
        assertThat(browser.text(".history time")).endsWith("ago");
        browser.open("/sagas/stays");
        assertThat(browser.text(".history time")).endsWith("ago");
        browser.keys("t");
        assertThat(browser.text(".history time")).isEqualTo(utc);
    }

    @Test
    void keys_lead_from_the_alert_to_the_saga_and_to_the_search() {
        browser.width(Width.WIDE).open("/stuck").keys("j", "j", "k");
        assertThat(browser.run("return document.activeElement.matches('a.row')"))
                .isEqualTo(true);
        browser.keys("g", "a");
        await().until(() -> browser.path().equals("/sagas"));
        browser.keys("/");
        browser.keys("trip 4713", Keys.ENTER);
        await().until(() -> browser.path().contains("text=trip+4713"));
        assertThat(browser.text("tbody")).contains("trip 4713").doesNotContain("trip 4712");
        browser.keys("j", Keys.ENTER);
        await().until(() -> browser.path().equals("/sagas/0193b5a1-77aa-7c1e-9f00-000000000002"));
        browser.keys("?");
        assertThat(browser.find("#help").isDisplayed()).isTrue();
        browser.isContent();
    }

    @Test
    void a_retry_is_ordered_on_the_page_and_the_page_follows_what_becomes_of_it() {
        browser.width(Width.WIDE).open("/sagas/to-retry");
        assertThat(browser.text(".situation")).contains("the people of hotel");
        browser.write("form[data-order=retry] input[name=who]", "ann");
        browser.write("form[data-order=retry] input[name=reason]", "the new version reads it", Keys.ENTER);

        await().untilAsserted(() -> {
            assertThat(browser.text(".title .chip")).isEqualTo("compensating");
            assertThat(browser.text(".situation")).contains("No instance of hotel is connected");
            assertThat(browser.text(".history")).contains("Retried by ann: the new version reads it");
        });
        assertThat(browser.has("form[data-order=skip]")).isFalse();
        assertThat(browser.has("form[data-order=retry]"))
                .as("it waits for a service")
                .isTrue();
        browser.isContent();
    }

    @Test
    void an_order_that_cannot_be_taken_back_wants_the_id_typed() {
        String form = "form[data-order=resolve] ";
        browser.width(Width.WIDE).open("/sagas/to-resolve");
        browser.write(form + "input[name=who]", "ann");
        browser.write(form + "input[name=reason]", "undone by hand");
        browser.write(form + "input[name=confirm]", "to-retry", Keys.ENTER);
        assertThat(browser.text(form + ".answer")).isEqualTo("This is not the id of this saga.");
        browser.write(form + "input[name=confirm]", "to-resolve", Keys.ENTER);
        await().untilAsserted(() -> assertThat(browser.text(".title .chip")).isEqualTo("compensated"));
        assertThat(browser.text(".history")).contains("by hand, by ann: undone by hand");
        browser.isContent();
    }

    @Test
    void many_branches_are_skipped_by_one_order_once_their_number_is_typed() {
        browser.width(Width.WIDE).open("/stuck?reason=SUSPENDED&service=lounge");
        String form = "#bulk-SKIP ";
        browser.find("#of-bulk-SKIP summary").click();
        browser.write(form + "input[name=who]", "ann");
        browser.write(form + "input[name=reason]", "looked it up", Keys.ENTER);
        await().untilAsserted(() -> assertThat(browser.text(form + ".answer")).startsWith("12 sagas are meant."));
        assertThat(browser.text("body")).doesNotContain("skips the branches");
        browser.write(form + "input[name=typed]", "11", Keys.ENTER);
        assertThat(browser.text(form + ".answer")).isEqualTo("This is not the number of sagas: 12.");
        browser.keep("stuck-bulk-skip-wide");
        browser.width(Width.NARROW).keep("stuck-bulk-skip-narrow");
        browser.width(Width.WIDE).write(form + "input[name=typed]", "12", Keys.ENTER);

        await().untilAsserted(() -> assertThat(browser.text("main"))
                .contains("ann skips the branches of SUSPENDED, BRANCH_END_UNKNOWN, lounge: looked it up")
                .contains("12 done · 0 left"));
        assertThat(alpha.get("/api/v1/sagas/lounge-7").body())
                .contains("was taken as done by hand, by ann: looked it up (bulk ", "\"branch\":\"two\"");
        browser.isContent();
    }

    @Test
    void a_saga_that_ends_while_it_is_watched_is_shown_as_it_ended() {
        browser.width(Width.WIDE).open("/sagas/ends");
        assertThat(browser.has("#live[hx-get]")).isTrue();
        String sequence = browser.find("form[data-order=resolve]").getDomAttribute("data-sequence");
        assertThat(alpha.post(
                                "/api/v1/sagas/ends/resolve",
                                "bob",
                                "{\"reason\":\"by hand\",\"outcome\":\"COMPENSATED\",\"sequence\":%s}"
                                        .formatted(sequence))
                        .statusCode())
                .isEqualTo(200);

        await().untilAsserted(() -> assertThat(browser.text(".title .chip")).isEqualTo("compensated"));
        assertThat(browser.text(".history")).contains("by hand, by bob");
        assertThat(browser.has("#live[hx-get]")).isFalse();
        assertThat(browser.find("#pause").isDisplayed()).isFalse();
        browser.isContent();
    }

    @Test
    void the_bars_of_a_saga_grow_while_it_runs() {
        try (TestOmega hotel =
                TestOmega.welcomed(URI.create("grpc://" + alpha.grpcAddress()).getPort(), "inn", "inn-1")) {
            hotel.ask(TestOmega.begin(1, "runs"));
            hotel.ask(TestOmega.beginBranch(2, "runs", "room"));
            browser.width(Width.WIDE).open("/sagas/runs");
            assertThat(browser.has(".bars rect.forward.running")).isTrue();

            hotel.ask(TestOmega.endBranch(3, "runs", "room"));
            await().until(() -> browser.has(".bars rect.forward") && !browser.has(".bars rect.running"));
            hotel.ask(TestOmega.abort(4, "runs"));
            Callback cancel = hotel.callback();
            await().until(() -> browser.has(".bars rect.callback.asked") && browser.has(".bars rect.hatch"));
            browser.keep("saga-running-wide");
            hotel.succeed(cancel);
            await().untilAsserted(() -> assertThat(browser.text(".title .chip")).isEqualTo("compensated"));
            assertThat(browser.has(".bars rect.callback.done")).isTrue();
        }
        browser.isContent();
    }

    private static Map<?, ?> map(@Nullable Object found) {
        assertThat(found).isInstanceOf(Map.class);
        return (Map<?, ?>) Objects.requireNonNull(found);
    }

    @Test
    void texts_that_try_to_be_something_else_are_shown_as_text() {
        assertThat(HOSTILE).hasSizeGreaterThanOrEqualTo(200);
        browser.width(Width.WIDE).open("/sagas?limit=1000&text=hostile-");
        Map<?, ?> keys = map(browser.run("""
                return Object.fromEntries([...document.querySelectorAll('a.row')]
                    .map((row) => [row.id, row.closest('tr').cells[3].textContent]))
                """));
        Map<?, ?> histories = map(browser.runAsync("""
                Promise.all([...document.querySelectorAll('a.row')].map(async (row) => {
                  const page = new DOMParser().parseFromString(await (await fetch(row.href)).text(), 'text/html');
                  return [row.id, page.querySelector('.history').textContent];
                })).then((pages) => done(Object.fromEntries(pages)));
                """));
        for (int i = 0; i < HOSTILE.size(); i++) {
            // As every parser of HTML reads the ends of lines; what is no letter at all it leaves out.
            String text =
                    HOSTILE.get(i).replace("\r\n", "\n").replace('\r', '\n').replace("\0", "");
            assertThat(keys.get("s-hostile-" + i)).as("key %d", i).isEqualTo(text);
            assertThat(String.valueOf(histories.get("s-hostile-" + i)))
                    .as("history %d", i)
                    .contains("failed: " + text);
        }
        assertThat(browser.run("return window.hostile")).isNull();
        assertThat(browser.overflows()).isFalse();
        browser.isContent();
    }

    @Test
    void what_is_supposed_is_shown_and_asked_for_again_and_nothing_is_ordered() {
        browser.width(Width.WIDE).open("/sagas/stays");
        browser.write("form.suppose input[name=after]", "2h", Keys.ENTER);

        await().untilAsserted(() -> assertThat(browser.text("#supposed")).contains("hotel for rooms.cancel, attempt"));
        assertThat(browser.path()).contains("if=RETRY", "after=2h");
        browser.run("document.getElementById('live').dataset.old = 'yes'");
        await().until(() -> !browser.has("#live[data-old]"));
        assertThat(browser.text("#supposed")).contains("hotel for rooms.cancel, attempt");
        assertThat(browser.text(".title .chip")).isEqualTo("suspended");
        browser.isContent();
    }

    @Test
    void what_is_written_is_not_taken_away() {
        browser.width(Width.WIDE).open("/stuck?reason=SUSPENDED&service=hotel");
        browser.write("#bulk-form input[name=reason]", "half a sen");
        browser.run("document.activeElement.blur()");
        browser.run("document.getElementById('live').dataset.old = 'yes'");
        await().during(Duration.ofSeconds(5)).until(() -> browser.has("#live[data-old]"));
        assertThat(browser.text("#following")).isEqualTo("paused while you write");
    }

    @Test
    void what_is_live_is_asked_for_again_unless_it_is_paused_or_somebody_writes() {
        browser.width(Width.WIDE).open("/overview");
        browser.run("document.getElementById('live').dataset.old = 'yes'");
        await().until(() -> !browser.has("#live[data-old]"));

        browser.keys("p");
        assertThat(browser.has("#pause[aria-pressed=true]")).isTrue();
        assertThat(browser.text("#following")).isEqualTo("paused");
        browser.run("document.getElementById('live').dataset.old = 'yes'");
        await().during(Duration.ofSeconds(5)).until(() -> browser.has("#live[data-old]"));
        browser.isContent();
    }

    /** Each page: what its picture is called, and its path. */
    @ParameterizedTest
    @CsvSource({
        "overview, /overview",
        "stuck, /stuck",
        "stuck-group, /stuck?reason=SUSPENDED&service=hotel",
        "sagas, /sagas",
        "orders, /orders",
        "saga-committed, /sagas/0193b5a1-77aa-7c1e-9f00-000000000003",
        "saga-suspended, /sagas/stays",
        "saga-what-if, /sagas/stays?if=RETRY&branch=&after=5m",
        "services, /services",
        "nodes, /nodes",
        "coverage, /coverage",
        "operating, /docs/operating",
        "runbook, /docs/operating/runbook"
    })
    @Retention(RetentionPolicy.RUNTIME)
    @Target(ElementType.METHOD)
    private @interface EachPage {}
}
