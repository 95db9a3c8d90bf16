package io.alphaomega.server.console;

import io.alphaomega.server.queries.BranchDetail;
import io.alphaomega.server.queries.HistoryEntry;
import io.alphaomega.server.queries.SagaDetail;
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
        final TimeScale scale;
        final Words words;

        @Nullable
        Instant since;

        String what = "";
        int attempt;

        Doing(TimeScale scale, Words words) {
            this.scale = scale;
            this.words = words;
        }

        void begin(Instant at, String what) {
            this.since = at;
            this.what = what;
        }

        void pause(Instant at, String kind, String title) {
            end(at, kind, title);
            begin(at, "wait");
        }

        void end(Instant at, String kind, String title) {
            Instant from = since;
            if (from == null) return;
            Duration length = Duration.between(from, at);
            double place = scale.at(from);
            String told = length.isZero() ? title : words.say("waterfall.took", title, words.took(length));
            bars.add(new Bar(place, Math.max(0, scale.at(at) - place), kind, told));
            since = null;
            what = "";
        }
    }

    static Waterfall of(SagaDetail saga, Instant now, Words words) {
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
            Doing branch = doing.computeIfAbsent(entry.branch(), id -> new Doing(scale, words));
            note(entry, branch);
        }
        Map<String, Integer> depths = new HashMap<>();
        List<Row> rows = new ArrayList<>();
        for (BranchDetail branch : saga.branches()) {
            Doing of = doing.computeIfAbsent(branch.id(), id -> new Doing(scale, words));
            if (!branch.callback().state().equals("GAVE_UP"))
                finish(of, end, saga.row().endedAt() != null);
            int depth = branch.parent() == null ? 0 : depths.getOrDefault(branch.parent(), 0) + 1;
            depths.put(branch.id(), depth);
            rows.add(new Row(branch, depth, of.bars));
        }
        return new Waterfall(scale.ticks(words), rows, marks, scale.isToScale());
    }

    private static Instant time(HistoryEntry entry) {
        Instant at = entry.at();
        if (at == null) throw new IllegalArgumentException("event " + entry.sequence() + " has no time");
        return at;
    }

    private static String mark(String type) {
        return switch (type) {
            case "saga.committed.v1", "saga.prepared.v1" -> "good";
            case "saga.aborted.v1" -> "bad";
            case "saga.suspended.v1", "saga.held.v1" -> "stop";
            case "saga.resumed.v1" -> "go";
            default -> "";
        };
    }

    private static void note(HistoryEntry entry, Doing branch) {
        Instant at = time(entry);
        switch (entry.type()) {
            case "branch.began.v1", "branch.began-nested.v1" -> branch.begin(at, "forward");
            case "branch.ended.v1" -> {
                if (branch.what.equals("forward")) branch.end(at, "forward", entry.text());
            }
            case "branch.failed.v1" -> {
                if (branch.what.equals("forward")) branch.end(at, "forward failed", entry.text());
            }
            case "callback.requested.v1" -> {
                if (branch.what.equals("forward"))
                    branch.end(at, "forward lost", branch.words.say("waterfall.forward-lost"));
                else branch.end(at, "wait", branch.words.say("waterfall.waited"));
                branch.attempt++;
                branch.begin(at, "callback");
            }
            case "callback.succeeded.v1" -> branch.end(at, "callback done", entry.text());
            case "callback.failed.v1" -> branch.pause(at, "callback failed", entry.text());
            case "callback.lost.v1" -> branch.pause(at, "callback lost", entry.text());
            case "callback.deferred.v1", "callback.participant-missed.v1" ->
                branch.pause(at, "callback missed", entry.text());
            case "branch.skipped.v1" -> {
                branch.end(at, "wait", branch.words.say("waterfall.waited"));
                branch.begin(at, "skipped");
                branch.end(at, "callback skipped", entry.text());
            }
            default -> {} // What is said of the whole saga, although it names a branch.
        }
    }

    /** What had no end by then. */
    private static void finish(Doing branch, Instant end, boolean over) {
        if (over) {
            branch.end(
                    end, branch.what.equals("forward") ? "forward lost" : "wait", branch.words.say("waterfall.over"));
            return;
        }
        switch (branch.what) {
            case "forward" -> branch.end(end, "forward running", branch.words.say("waterfall.runs"));
            case "callback" -> branch.end(end, "callback asked", branch.words.say("waterfall.asked", branch.attempt));
            case "wait" -> branch.end(end, "wait", branch.words.say("waterfall.waits"));
            default -> {} // Nothing is under way.
        }
    }

    private static String percent(double value) {
        return String.format(Locale.ROOT, "%.2f%%", value);
    }
}
