package io.alphaomega.benchmark.report;

import io.alphaomega.benchmark.measure.Progress;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/** Progress on a terminal: three lines that are drawn again and again. */
final class LiveView implements Progress, AutoCloseable {
    private static final String ESCAPE = "\u001b[";
    private static final String HIDE_CURSOR = ESCAPE + "?25l";
    private static final String SHOW_CURSOR = ESCAPE + "?25h";

    /** A line that is too long is cut, not wrapped: a wrapped one could not be drawn over. */
    private static final String WRAP_OFF = ESCAPE + "?7l";

    private static final String WRAP_ON = ESCAPE + "?7h";
    private static final String CLEAR_TO_END_OF_LINE = ESCAPE + "K";
    private static final String CLEAR_BELOW = ESCAPE + "J";
    private static final int LINES = 3;
    private static final int WIDTH_MAX = 100;
    private static final int WIDTH_MIN = 30;

    /** Asking for the width starts a process; nobody drags a window more often than this. */
    private static final Duration WIDTH_HOLDS = Duration.ofSeconds(3);

    private static final int SPARKS = 60;
    private static final String BLOCKS = "▁▂▃▄▅▆▇█";
    private static final String ASCII = "_.-=+*#@";

    private final Terminal terminal;
    private final String title;
    private final Thread restore = new Thread(this::restore, "restore-terminal");
    private final Deque<Double> rates = new ArrayDeque<>();
    private boolean drawn;
    private boolean closed;
    private @Nullable Phase phase;
    private int width;
    private long widthAsked;

    LiveView(Terminal terminal, String title) {
        this.terminal = terminal;
        this.title = title;
        Runtime.getRuntime().addShutdownHook(restore); // Ctrl-C.
        terminal.out().print(HIDE_CURSOR + WRAP_OFF);
        terminal.out().flush();
    }

    @Override
    public synchronized void show(Snapshot now) {
        if (closed) return;
        if (now.phase() != phase) {
            phase = now.phase();
            rates.clear();
        }
        if (now.elapsed().isPositive()) rates.addLast(now.rate());
        while (rates.size() > SPARKS) rates.removeFirst();
        askWidth();
        StringBuilder text = new StringBuilder();
        if (drawn) text.append(ESCAPE).append(LINES).append('A');
        for (String line : new String[] {head(now), bar(now), figures(now)}) {
            text.append('\r').append(line).append(CLEAR_TO_END_OF_LINE).append('\n');
        }
        terminal.out().print(text);
        terminal.out().flush();
        drawn = true;
    }

    private void askWidth() {
        if (drawn && System.nanoTime() - widthAsked < WIDTH_HOLDS.toNanos()) return;
        widthAsked = System.nanoTime();
        width = Math.clamp(terminal.width().getAsInt() - 1, WIDTH_MIN, WIDTH_MAX);
    }

    private String head(Snapshot now) {
        String state = ProgressText.phase(now.phase()) + " " + FigureText.time(now.elapsed());
        int room = width - state.length() - 2;
        String name = title.length() <= room ? title : title.substring(0, Math.max(0, room));
        return coloured("1", name) + " ".repeat(Math.max(1, width - name.length() - state.length())) + state;
    }

    private String bar(Snapshot now) {
        Duration remaining = ProgressText.remaining(now);
        String end = (now.share() < 0 ? "" : " " + FigureText.percent(now.share()))
                + (remaining == null ? "" : ", " + FigureText.time(remaining) + " left");
        int room = Math.max(5, width - end.length());
        int full = (int) Math.round(room * Math.clamp(now.share(), 0.0, 1.0));
        String done = (terminal.blocks() ? "━" : "=").repeat(full);
        String open = (terminal.blocks() ? "─" : "-").repeat(room - full);
        return coloured("32", done) + coloured("2", open) + end;
    }

    private String figures(Snapshot now) {
        String rate = ProgressText.rate(now);
        String latency = ProgressText.latency(now);
        String errors = FigureText.whole(now.errors()) + " errors";
        String rest = (latency.isEmpty() ? "" : latency + "  ") + FigureText.whole(now.open()) + " open  ";
        int room = width - rate.length() - rest.length() - errors.length() - 4;
        return coloured("1", rate) + "  " + coloured("36", sparkline(room)) + "  " + rest
                + (now.errors() > 0 ? coloured("31", errors) : errors);
    }

    /** The last rates, as many as there is room for, the highest at full height. */
    private String sparkline(int room) {
        String heights = terminal.blocks() ? BLOCKS : ASCII;
        double most = rates.stream().mapToDouble(rate -> rate).max().orElse(0);
        StringBuilder line = new StringBuilder();
        int left = Math.min(rates.size(), Math.max(0, room));
        rates.stream().skip(rates.size() - left).forEach(rate -> {
            int height = most == 0 ? 0 : (int) Math.round(rate / most * (heights.length() - 1));
            line.append(heights.charAt(height));
        });
        return line.toString();
    }

    private String coloured(String code, String text) {
        return terminal.colours() ? ESCAPE + code + "m" + text + ESCAPE + "0m" : text;
    }

    private synchronized void restore() {
        terminal.out().print(WRAP_ON + SHOW_CURSOR);
        terminal.out().flush();
    }

    /** Takes the lines away: the summary comes in their place. */
    @Override
    public synchronized void close() {
        if (closed) return;
        closed = true;
        if (drawn) terminal.out().print(ESCAPE + LINES + "A\r" + CLEAR_BELOW);
        restore();
        try {
            Runtime.getRuntime().removeShutdownHook(restore);
        } catch (IllegalStateException e) {
            // The JVM is ending: it has run, or will.
        }
    }
}
