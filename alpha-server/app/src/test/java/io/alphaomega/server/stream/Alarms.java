package io.alphaomega.server.stream;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.alphaomega.server.AlphaProcess;
import io.alphaomega.server.Prometheus;
import io.alphaomega.server.Prometheus.Alert;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.TestInfo;

/** A real Prometheus beside the alphas of one test: what it says of them, and that it leads to where help is. */
final class Alarms implements AutoCloseable {
    private static final Path CHECKOUT = Path.of("../..");

    private final Fires expected;
    private final Set<String> seen = new TreeSet<>();
    private final Prometheus prometheus;
    private final long quiet;

    /** Returns when it has seen each of them and nothing is wrong with any. */
    Alarms(TestInfo test, Path directory, AlphaProcess... alphas) throws IOException {
        this(test, directory, List.of(), alphas);
    }

    Alarms(TestInfo test, Path directory, Balancer balancer, AlphaProcess... alphas) throws IOException {
        this(test, directory, List.of(balancer.pageAddress()), alphas);
    }

    private Alarms(TestInfo test, Path directory, List<String> balancers, AlphaProcess... alphas) throws IOException {
        expected = test.getTestMethod().orElseThrow().getAnnotation(Fires.class);
        prometheus = new Prometheus(
                directory, Stream.of(alphas).map(AlphaProcess::httpAddress).toList(), balancers);
        try {
            await().until(() -> allAreWell(alphas.length));
        } catch (RuntimeException e) {
            prometheus.close();
            throw e;
        }
        quiet = System.nanoTime();
    }

    /** But for a fault that is there from the start: a clock that is behind. */
    private boolean allAreWell(int alphas) throws IOException {
        if (prometheus.series("up{job=\"alpha\"} == 1") < alphas) return false;
        if (prometheus.series("alpha_sagas_open") == 0) return false;
        List<String> from = List.of(expected.value());
        return prometheus.alerts().stream().allMatch(alert -> from.contains(alert.name()));
    }

    /** Waits until an alert with these labels fires, each as {@code name=value}, and looks where it leads to. */
    Alert fires(String alert, String... labels) {
        seen.add(alert);
        Alert fired = await().until(() -> firing(alert, labels), found -> !found.isEmpty())
                .getFirst();
        Map<String, String> links = fired.annotations();
        assertThat(fired.labels().get("severity")).isIn("page", "ticket");
        assertThat(links.getOrDefault("summary", "")).isNotBlank().doesNotContain("error", "no value");
        opens(links.getOrDefault("runbook_url", ""));
        String console = links.get("console");
        if (console != null) assertThat(read(console)).contains("<html");
        return fired;
    }

    /** Those that fire now. */
    List<Alert> firing(String alert, String... labels) throws IOException {
        List<Alert> found = new ArrayList<>();
        for (Alert each : prometheus.alerts()) {
            boolean meant = each.fires() && each.name().equals(alert);
            for (String label : labels) {
                String[] pair = label.split("=", 2);
                meant &= pair[1].equals(each.labels().get(pair[0]));
            }
            if (meant) found.add(each);
        }
        return found;
    }

    void resolves(String... alerts) {
        for (String alert : alerts) await().until(() -> firing(alert).isEmpty());
    }

    /** The runbook of a node that answers, or the file if there is none, has the paragraph. */
    private static void opens(String runbook) {
        String[] link = runbook.split("#", 2);
        assertThat(link).as(runbook).hasSize(2);
        if (link[0].startsWith("http")) {
            assertThat(read(link[0])).contains("id=\"" + link[1] + "\"");
        } else {
            assertThat(CHECKOUT.resolve(link[0]))
                    .content(UTF_8)
                    .satisfies(text -> assertThat(text.lines())
                            .filteredOn(line -> line.startsWith("#"))
                            .map(line -> line.replaceAll("^#+ ", "")
                                    .toLowerCase(Locale.ROOT)
                                    .replace(' ', '-'))
                            .contains(link[1]));
        }
    }

    private static String read(String url) {
        try {
            HttpURLConnection page = (HttpURLConnection) URI.create(url).toURL().openConnection();
            assertThat(page.getResponseCode()).as(url).isEqualTo(200);
            return new String(page.getInputStream().readAllBytes(), UTF_8);
        } catch (IOException e) {
            throw new AssertionError(url, e);
        }
    }

    /** What has fired is what the test says that it fires, and nothing else. */
    void wereAll() throws IOException {
        Set<String> may = new TreeSet<>(List.of(expected.value()));
        assertThat(seen).containsAll(may);
        may.addAll(List.of(expected.also()));
        Duration since = Duration.ofNanos(System.nanoTime() - quiet);
        assertThat(prometheus.fired(since)).isSubsetOf(may);
    }

    /** How many series the query comes to now. */
    int series(String query) throws IOException {
        return prometheus.series(query);
    }

    @Override
    public void close() {
        prometheus.close();
    }
}
