package io.alphaomega.server.console;

import io.alphaomega.server.http.BranchDetail;
import io.alphaomega.server.http.HistoryEntry;
import io.alphaomega.server.http.SagaDetail;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One saga as bars over time: a row for each branch, in the order in which they began. What the services did forward is
 * solid, callbacks are hatched, waits are dotted.
 *
 * @param marks what was decided for the saga as a whole
 */
record Waterfall(List<TimeScale.Tick> ticks, List<Row> rows, List<Mark> marks, boolean toScale) {

    /** @param depth how many branches it was called in */
    record Row(BranchDetail branch, int depth, List<Bar> bars) {}

    /**
     * @param at 0 to 100, as is {@code width}
     * @param kind how it is drawn: the name of a class
     * @param title what it says
     */
    record Bar(double at, double width, String kind, String title) {
        /** For an attribute. */
        String x() {
            return percent(at);
        }

        String w() {
            return percent(width);
        }

        String end() {
            return percent(at + width);
        }
    }

    /** A moment of the whole saga. */
    record Mark(double at, String kind, String title) {
        String x() {
            return percent(at);
        }
    }

    /** What a branch is doing while its events are read in order. */
    private static final class Doing {
        final List<Bar> bars = new ArrayList<>();

        @Nullable
        Instant since;

        String what = "";
        int attempt;
    }

    static Waterfall of(SagaDetail saga, Instant now) {
        List<HistoryEntry> history =
                saga.history().stream().filter(entry -> entry.at() != null).toList();
        Instant end = saga.row().endedAt() == null ? now : saga.row().endedAt();
        List<Instant> times = new ArrayList<>();
        history.forEach(entry -> times.add(time(entry)));
        times.add(end);
        TimeScale scale = new TimeScale(times);
        Map<String, Doing> doing = new HashMap<>();
        List<Mark> marks = new ArrayList<>();
        for (HistoryEntry entry : history) {
            String mark = mark(entry.type());
            if (!mark.isEmpty()) marks.add(new Mark(scale.at(time(entry)), mark, entry.text()));
            if (entry.branch() == null) continue;
            Doing branch = doing.computeIfAbsent(entry.branch(), id -> new Doing());
            note(entry, branch, scale);
        }
        Map<String, Integer> depths = new HashMap<>();
        List<Row> rows = new ArrayList<>();
        for (BranchDetail branch : saga.branches()) {
            Doing of = doing.computeIfAbsent(branch.id(), id -> new Doing());
            if (!branch.callback().state().equals("GAVE_UP"))
                finish(of, end, saga.row().endedAt() != null, scale);
            int depth = branch.parent() == null ? 0 : depths.getOrDefault(branch.parent(), 0) + 1;
            depths.put(branch.id(), depth);
            rows.add(new Row(branch, depth, of.bars));
        }
        return new Waterfall(scale.ticks(), rows, marks, scale.isToScale());
    }

    private static Instant time(HistoryEntry entry) {
        Instant at = entry.at();
        if (at == null) throw new IllegalArgumentException("event " + entry.sequence() + " has no time");
        return at;
    }

    private static String mark(String type) {
        return switch (type) {
            case "saga.committed.v1" -> "good";
            case "saga.aborted.v1" -> "bad";
            case "saga.suspended.v1" -> "stop";
            case "saga.resumed.v1" -> "go";
            default -> "";
        };
    }

    private static void note(HistoryEntry entry, Doing branch, TimeScale scale) {
        Instant at = time(entry);
        switch (entry.type()) {
            case "branch.began.v1" -> begin(branch, at, "forward");
            case "branch.ended.v1" -> {
                if (branch.what.equals("forward")) end(branch, at, "forward", entry.text(), scale);
            }
            case "branch.failed.v1" -> {
                if (branch.what.equals("forward")) end(branch, at, "forward failed", entry.text(), scale);
            }
            case "callback.requested.v1" -> {
                if (branch.what.equals("forward")) end(branch, at, "forward lost", "Nobody told its end.", scale);
                else end(branch, at, "wait", "It waited.", scale);
                branch.attempt++;
                begin(branch, at, "callback");
            }
            case "callback.succeeded.v1" -> end(branch, at, "callback done", entry.text(), scale);
            case "callback.failed.v1" -> pause(branch, at, "callback failed", entry.text(), scale);
            case "callback.lost.v1" -> pause(branch, at, "callback lost", entry.text(), scale);
            case "callback.deferred.v1", "callback.participant-missed.v1" ->
                pause(branch, at, "callback missed", entry.text(), scale);
            case "branch.skipped.v1" -> {
                end(branch, at, "wait", "It waited.", scale);
                begin(branch, at, "skipped");
                end(branch, at, "callback skipped", entry.text(), scale);
            }
            default -> {} // What is said of the whole saga, although it names a branch.
        }
    }

    private static void begin(Doing branch, Instant at, String what) {
        branch.since = at;
        branch.what = what;
    }

    private static void pause(Doing branch, Instant at, String kind, String title, TimeScale scale) {
        end(branch, at, kind, title, scale);
        begin(branch, at, "wait");
    }

    private static void end(Doing branch, Instant at, String kind, String title, TimeScale scale) {
        Instant since = branch.since;
        if (since == null) return;
        double from = scale.at(since);
        Duration length = Duration.between(since, at);
        String took = length.isZero() ? "" : " Took " + Words.ENGLISH.took(length) + ".";
        branch.bars.add(new Bar(from, Math.max(0, scale.at(at) - from), kind, title + took));
        branch.since = null;
        branch.what = "";
    }

    /** What had no end by then. */
    private static void finish(Doing branch, Instant end, boolean over, TimeScale scale) {
        if (over) {
            end(branch, end, branch.what.equals("forward") ? "forward lost" : "wait", "The saga ended.", scale);
            return;
        }
        switch (branch.what) {
            case "forward" -> end(branch, end, "forward running", "It runs.", scale);
            case "callback" ->
                end(branch, end, "callback asked", "It is asked, attempt " + branch.attempt + ".", scale);
            case "wait" -> end(branch, end, "wait", "It waits to be asked again.", scale);
            default -> {} // Nothing is under way.
        }
    }

    private static String percent(double value) {
        return String.format(Locale.ROOT, "%.2f%%", value);
    }
}
