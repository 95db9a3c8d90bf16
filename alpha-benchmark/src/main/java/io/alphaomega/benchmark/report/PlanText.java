package io.alphaomega.benchmark.report;

import io.alphaomega.benchmark.plan.LoadPlan;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A plan in words. */
final class PlanText {
    private PlanText() {}

    /** Such as: 3 branches, 200 at a time. */
    static String brief(LoadPlan plan) {
        return branches(plan) + ", " + pace(plan.pace());
    }

    /** Such as: 100,000 sagas of 3 branches, 200 at a time, 5 % aborted, after 10 s of warm-up. */
    static String sentence(LoadPlan plan, long measuredSagas) {
        LoadPlan.Amount amount = plan.amount();
        LoadPlan.Shape shape = plan.shape();
        List<String> parts = new ArrayList<>();
        parts.add("%s sagas of %s".formatted(FigureText.whole(measuredSagas), branches(plan)));
        parts.add(pace(plan.pace()));
        if (shape.payloadBytes() > 0) parts.add(FigureText.whole(shape.payloadBytes()) + " bytes of payload each");
        if (shape.tcc()) parts.add("each branch confirmed");
        if (shape.abortRatio() > 0) parts.add(percent(shape.abortRatio()) + " aborted");
        if (shape.failingCompensationRatio() > 0)
            parts.add(percent(shape.failingCompensationRatio()) + " of these not compensable");
        if (shape.asyncBranches() > 0) parts.add(shape.asyncBranches() + " of the branches asynchronous");
        if (shape.carried()) parts.add("reports carried");
        if (!shape.thinkTime().isZero()) parts.add(FigureText.chosen(shape.thinkTime()) + " of work per branch");
        if (amount.keptOpen() > 0) parts.add("beside " + FigureText.whole(amount.keptOpen()) + " open ones");
        parts.add("%s over %s"
                .formatted(
                        count(plan.wiring().services(), "service"),
                        count((long) plan.wiring().services() * plan.wiring().connections(), "stream")));
        if (!amount.warmup().isZero()) parts.add("after " + FigureText.chosen(amount.warmup()) + " of warm-up");
        return String.join(", ", parts);
    }

    private static String branches(LoadPlan plan) {
        int branches = plan.shape().branches();
        return branches == 1 ? "1 branch" : branches + " branches";
    }

    private static String pace(LoadPlan.Pace pace) {
        if (!pace.isOpenLoop()) {
            String most = FigureText.whole(pace.concurrency()) + " at a time";
            return pace.climbs() ? FigureText.whole(pace.concurrencyFrom()) + " to " + most : most;
        }
        String most = FigureText.whole(pace.rate()) + " per second";
        return pace.climbs() ? FigureText.whole(pace.rateFrom()) + " to " + most : most;
    }

    private static String count(long count, String what) {
        return FigureText.whole(count) + " " + what + (count == 1 ? "" : "s");
    }

    private static String percent(double share) {
        return String.format(Locale.ROOT, "%s %%", FigureText.rounded(share * 100, 2))
                .replace(".0 ", " ");
    }
}
