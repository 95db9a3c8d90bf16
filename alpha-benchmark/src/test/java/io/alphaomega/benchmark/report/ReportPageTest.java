package io.alphaomega.benchmark.report;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.alphaomega.repository.servers.Installed;
import io.alphaomega.repository.servers.Patience;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page, in the browser. It is kept in target, for those who want to see it. */
class ReportPageTest {
    private static final Pattern ADDRESS = Pattern.compile("(?:src|href|url)\\s*[=(]\\s*[\"']?(?!data:)[^\"')\\s>]*//");

    @TempDir
    Path directory;

    @Test
    void the_browser_draws_every_chart_of_a_closed_loop() throws Exception {
        String page = shown("closed", Samples.closedLoop("redis everysec, c=200"));
        assertThat(page)
                .contains("<title>redis everysec, c=200: 1,000 sagas/s</title>", "data-drawn=\"4\"")
                .contains("✓ verified", "The generator was not the bottleneck", "appendfsync=everysec", "AMD EPYC")
                .doesNotContain("NaN", "undefined", "[object", "uncorrected");
    }

    @Test
    void the_browser_shows_agents_corrected_latency_and_what_did_not_agree_of_an_open_loop() throws Exception {
        var measured = Samples.measured(20, true);
        Findings found = Samples.found(
                measured,
                Samples.DIFFERS,
                List.of(Report.Agent.of("10.0.0.1:7070", measured), Report.Agent.of("10.0.0.2:7070", measured)));
        String page = shown(
                "open",
                Samples.report(
                        null, Samples.OPEN_PLAN, found, List.of(Threshold.parse("cpu.coordinatorMillisPerSaga<0.14"))));
        assertThat(page)
                .contains("✗ not verified", "saga, uncorrected", "10.0.0.2:7070", "Threshold missed")
                .contains("less than &lt;/script&gt; the generator")
                .doesNotContain("NaN", "undefined", "[object");
    }

    @Test
    void the_browser_shows_what_each_of_several_alphas_took() throws Exception {
        Report.Setup setup = new Report.Setup(
                Samples.BEGIN,
                Samples.COMMAND,
                Samples.PLAN,
                Samples.MACHINE,
                List.of(Samples.ALPHA, Samples.alpha("127.0.0.1:8190")));
        Findings found = Samples.found(Samples.measured(20, false), Samples.AGREES, List.of());
        String page = shown("nodes", Report.of("two alphas", setup, found, List.of()));
        // Of 0.85 cores one has two thirds, the other one third; each ended 1,000 sagas per second with them.
        assertThat(page)
                .containsPattern("127.0.0.1:8090</t.>\\s*<td[^>]*>0\\.56")
                .containsPattern("127.0.0.1:8190</t.>\\s*<td[^>]*>0\\.28")
                .doesNotContain("NaN", "undefined", "[object");
    }

    @Test
    void a_run_in_which_nothing_ended_is_a_page_as_well() throws Exception {
        Findings none = new Findings(
                io.alphaomega.benchmark.measure.Measurements.NONE,
                Samples.DIFFERS,
                List.of(),
                new CpuUse(List.of()),
                java.util.Map.of());
        assertThat(shown("nothing", Samples.report("nothing", Samples.PLAN, none, List.of())))
                .contains("data-drawn=")
                .doesNotContain("NaN", "undefined");
    }

    private String shown(String name, Report report) throws IOException, InterruptedException {
        String page = ReportPage.of(report);
        assertThat(ADDRESS.matcher(page).find())
                .as("It asks the network for nothing.")
                .isFalse();
        Path file = Path.of("target", "page-" + name + ".html").toAbsolutePath();
        Files.writeString(file, page);
        Path dom = directory.resolve("dom.html");
        Process chromium = new ProcessBuilder(
                        Installed.browser().toString(),
                        "--headless",
                        "--no-sandbox",
                        "--disable-gpu",
                        "--no-first-run",
                        "--window-size=1280,1000",
                        "--user-data-dir=" + directory.resolve("profile"),
                        "--virtual-time-budget=1000",
                        "--dump-dom",
                        file.toUri().toString())
                .redirectOutput(dom.toFile())
                .redirectError(Redirect.DISCARD)
                .start();
        if (!chromium.waitFor(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS)) {
            chromium.destroyForcibly();
            fail("The browser did not show %s within %s.", file, Patience.LIMIT);
        }
        // Without the data, which is in the page as well.
        return Files.readString(dom, UTF_8)
                .replaceAll("(?s)<script.*?</script>", "")
                .replaceAll("(?s)<style.*?</style>", "");
    }
}
