package io.alphaomega.server.console;

import io.alphaomega.saga.Branch.Progress;
import io.alphaomega.saga.SagaEvent;
import io.alphaomega.server.queries.BranchDetail;
import io.alphaomega.server.queries.BranchView;
import io.alphaomega.server.queries.SagaView;
import io.alphaomega.server.queries.SagaView.Happened;
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
    record Row(BranchView branch, int depth, List<Bar> bars) {}

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

    static Waterfall of(SagaView view, Instant now, Words words) {
        Instant endedAt = view.detail().row().endedAt();
        Instant end = endedAt == null ? now : endedAt;
        List<Instant> times = new ArrayList<>();
        view.happened().forEach(each -> times.add(each.event().at()));
        times.add(end);
        TimeScale scale = new TimeScale(times);
        Map<String, Doing> doing = new HashMap<>();
        List<Mark> marks = new ArrayList<>();
        for (Happened each : view.happened()) {
            String mark = mark(each.event());
            if (!mark.isEmpty())
                marks.add(
                        new Mark(scale.at(each.event().at()), mark, each.entry().text()));
            String branch = each.entry().branch();
            if (branch != null) note(each, doing.computeIfAbsent(branch, id -> new Doing(scale, words)));
        }
        Map<String, Integer> depths = new HashMap<>();
        List<Row> rows = new ArrayList<>();
        for (BranchView branch : view.branches()) {
            BranchDetail detail = branch.detail();
            Doing of = doing.computeIfAbsent(detail.id(), id -> new Doing(scale, words));
            if (!(branch.progress() instanceof Progress.GaveUp)) finish(of, end, endedAt != null);
            int depth = detail.parent() == null ? 0 : depths.getOrDefault(detail.parent(), 0) + 1;
            depths.put(detail.id(), depth);
            rows.add(new Row(branch, depth, of.bars));
        }
        return new Waterfall(scale.ticks(words), rows, marks, scale.isToScale());
    }

    private static String mark(SagaEvent event) {
        return switch (event) {
            case SagaEvent.Committed committed -> "good";
            case SagaEvent.Prepared prepared -> "good";
            case SagaEvent.Aborted aborted -> "bad";
            case SagaEvent.Suspended suspended -> "stop";
            case SagaEvent.Held held -> "stop";
            case SagaEvent.Resumed resumed -> "go";
            default -> ""; // What happens to a branch, or is seen by what follows.
        };
    }

    private static void note(Happened happened, Doing branch) {
        Instant at = happened.event().at();
        String text = happened.entry().text();
        switch (happened.event()) {
            case SagaEvent.BranchBegan began -> branch.begin(at, "forward");
            case SagaEvent.BranchEnded ended -> {
                if (branch.what.equals("forward")) branch.end(at, "forward", text);
            }
            case SagaEvent.BranchFailed failed -> {
                if (branch.what.equals("forward")) branch.end(at, "forward failed", text);
            }
            case SagaEvent.CallbackRequested requested -> {
                if (branch.what.equals("forward"))
                    branch.end(at, "forward lost", branch.words.say("waterfall.forward-lost"));
                else branch.end(at, "wait", branch.words.say("waterfall.waited"));
                branch.attempt++;
                branch.begin(at, "callback");
            }
            case SagaEvent.CallbackSucceeded succeeded -> branch.end(at, "callback done", text);
            case SagaEvent.CallbackFailed failed -> branch.pause(at, "callback failed", text);
            case SagaEvent.CallbackLost lost -> branch.pause(at, "callback lost", text);
            case SagaEvent.CallbackDeferred deferred -> branch.pause(at, "callback missed", text);
            case SagaEvent.ParticipantMissed missed -> branch.pause(at, "callback missed", text);
            case SagaEvent.BranchSkipped skipped -> {
                branch.end(at, "wait", branch.words.say("waterfall.waited"));
                branch.begin(at, "skipped");
                branch.end(at, "callback skipped", text);
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
