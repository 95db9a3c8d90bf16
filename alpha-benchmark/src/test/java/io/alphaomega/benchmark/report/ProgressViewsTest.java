package io.alphaomega.benchmark.report;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.alphaomega.benchmark.measure.OutcomeCounts;
import io.alphaomega.benchmark.measure.Progress.Phase;
import io.alphaomega.benchmark.measure.Progress.Snapshot;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What is shown while a load runs: on a terminal, and elsewhere. Escape characters are written ␛ here. */
class ProgressViewsTest {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final PrintStream out = new PrintStream(bytes, true, UTF_8);
    private final AtomicInteger width = new AtomicInteger(73);

    private LiveView view(boolean colours, boolean blocks) {
        return new LiveView(new Terminal(out, true, colours, blocks, width::get), "redis everysec");
    }

    private static Snapshot snapshot(Phase phase, double seconds, double share, double rate, long errors) {
        return new Snapshot(
                phase,
                Duration.ofNanos(Math.round(seconds * 1e9)),
                share,
                100_000,
                new OutcomeCounts(60_000, 45_120, 0, 0, 0, 0),
                200,
                errors,
                rate,
                rate > 0 ? 2.61 : 0,
                rate > 0 ? 8.15 : 0);
    }

    private String written() {
        String text = bytes.toString(UTF_8).replace('\u001b', '␛').replace("\r", "");
        bytes.reset();
        return text;
    }

    @Test
    void a_terminal_is_drawn_in_place_and_left_as_it_was() {
        try (LiveView view = view(false, true)) {
            view.show(snapshot(Phase.MEASURING, 0, 0, 0, 0));
            assertThat(written()).isEqualTo("""
                            ␛[?25l␛[?7lredis everysec                                             measuring 0 s␛[K
                            ──────────────────────────────────────────────────────────────────── 0 %␛[K
                            0 sagas/s    200 open  0 errors␛[K
                            """);
            view.show(snapshot(Phase.MEASURING, 9.5, 0.25, 3_800, 0));
            view.show(snapshot(Phase.MEASURING, 10, 0.5, 7_512, 3));
            assertThat(written())
                    .endsWith("""
                            ␛[3Aredis everysec                                            measuring 10 s␛[K
                            ━━━━━━━━━━━━━━━━━━━━━━━━━━━━──────────────────────────── 50 %, 10 s left␛[K
                            7,512 sagas/s  ▅█  p50 2.61 ms, p99 8.15 ms  200 open  3 errors␛[K
                            """.replace("───────────────────────────────", "────────────────────────────"));
        }
        assertThat(written()).isEqualTo("␛[3A␛[J␛[?7h␛[?25h");
    }

    @Test
    void a_terminal_that_became_narrow_gets_short_lines() {
        width.set(41);
        try (LiveView view = view(false, true)) {
            view.show(snapshot(Phase.WARMING_UP, 3, -1, 7_512, 0));
            assertThat(written().lines().map(line -> line.replaceAll("␛\\[\\??[0-9]*[a-zA-Z]", "")))
                    .first()
                    .asString()
                    .hasSize(40)
                    .startsWith("redis everysec")
                    .endsWith("warming up 3 s");
        }
    }

    @Test
    void a_terminal_without_block_characters_gets_others_and_colours_are_left_out_where_NO_COLOR_is_set() {
        try (LiveView view = view(true, false)) {
            view.show(snapshot(Phase.MEASURING, 10, 0.5, 7_512, 0));
        }
        assertThat(written())
                .contains("␛[32m====", "␛[36m@␛[0m", "␛[1mredis everysec␛[0m")
                .doesNotContain("━");
        try (LiveView view = view(false, false)) {
            view.show(snapshot(Phase.MEASURING, 10, 0.5, 7_512, 0));
        }
        assertThat(written()).doesNotContain("m====");
    }

    @Test
    void elsewhere_there_is_a_line_a_second_and_after_a_minute_every_tenth() {
        PlainLines lines = new PlainLines(out);
        for (int i = 0; i < 4 * 90; i++) lines.show(snapshot(Phase.MEASURING, i / 4.0, i / 400.0, 7_512, 0));
        assertThat(written().lines())
                .hasSize(60 + 2)
                .first()
                .isEqualTo(
                        "measuring 1 s, 1 %: 7,512 sagas/s, p50 2.61 ms, p99 8.15 ms, 45,120 ended, 200 open, 0 errors");
    }

    @Test
    void the_time_that_is_left_is_not_foretold_from_the_first_moments() {
        assertThat(ProgressText.remaining(snapshot(Phase.MEASURING, 1, 0.01, 1, 0)))
                .isNull();
        assertThat(ProgressText.remaining(snapshot(Phase.MEASURING, 1, -1, 1, 0)))
                .isNull();
        assertThat(ProgressText.remaining(snapshot(Phase.MEASURING, 10, 0.25, 1, 0)))
                .isEqualTo(Duration.ofSeconds(30));
    }
}
