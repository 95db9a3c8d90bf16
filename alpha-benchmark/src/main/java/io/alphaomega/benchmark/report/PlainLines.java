package io.alphaomega.benchmark.report;

import io.alphaomega.benchmark.measure.Progress;
import java.io.PrintStream;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Progress where no terminal is: a line a second, later every tenth, so that a long run does not fill a log. */
final class PlainLines implements Progress {
    private static final Duration OFTEN = Duration.ofSeconds(1);
    private static final Duration SELDOM = Duration.ofSeconds(10);
    private static final Duration SELDOM_AFTER = Duration.ofMinutes(1);

    private final PrintStream out;
    private @Nullable Phase phase;
    private Duration next = Duration.ZERO;

    PlainLines(PrintStream out) {
        this.out = out;
    }

    @Override
    public void show(Snapshot now) {
        if (now.phase() != phase) {
            phase = now.phase();
            next = OFTEN;
        }
        if (now.elapsed().compareTo(next) < 0) return;
        Duration pause = now.elapsed().compareTo(SELDOM_AFTER) < 0 ? OFTEN : SELDOM;
        while (next.compareTo(now.elapsed()) <= 0) next = next.plus(pause);
        out.println(line(now));
        out.flush();
    }

    private static String line(Snapshot now) {
        String line = ProgressText.phase(now.phase()) + " " + FigureText.time(now.elapsed());
        if (now.share() >= 0) line += ", " + FigureText.percent(now.share());
        line += ": " + ProgressText.rate(now);
        String latency = ProgressText.latency(now);
        if (!latency.isEmpty()) line += ", " + latency;
        return line + ", " + FigureText.whole(now.counts().ended()) + " ended, " + FigureText.whole(now.open())
                + " open, " + FigureText.whole(now.errors()) + " errors";
    }
}
