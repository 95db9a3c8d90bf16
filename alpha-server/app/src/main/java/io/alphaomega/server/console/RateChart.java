package io.alphaomega.server.console;

import io.alphaomega.server.insight.Rates;
import io.alphaomega.server.saga.SagaMetrics.Totals;
import java.util.List;
import java.util.function.ToLongFunction;

/**
 * The last five minutes as areas on top of each other: what committed, what was compensated, what was suspended. Each
 * step is two seconds.
 *
 * @param max of the scale, in sagas per second
 */
record RateChart(String committed, String compensated, String suspended, String begun, long max) {
    static final int WIDTH = 900;
    static final int HEIGHT = 160;

    private static final int STEP = 2;
    private static final int STEPS = Rates.SECONDS_MAX / STEP;

    static RateChart of(Rates rates) {
        double[] committed = steps(rates, Totals::committed);
        double[] compensated = plus(committed, steps(rates, Totals::compensated));
        double[] suspended = plus(compensated, steps(rates, Totals::suspended));
        double[] begun = steps(rates, Totals::begun);
        double most = 1;
        for (int i = 0; i < STEPS; i++) most = Math.max(most, Math.max(suspended[i], begun[i]));
        long max = nice(most);
        double[] ground = new double[STEPS];
        return new RateChart(
                area(ground, committed, max),
                area(committed, compensated, max),
                area(compensated, suspended, max),
                "M" + line(begun, max, false),
                max);
    }

    private static double[] steps(Rates rates, ToLongFunction<Totals> what) {
        double[] steps = new double[STEPS];
        List<Totals> seconds = rates.seconds();
        for (int i = 0; i < seconds.size(); i++) {
            int fromEnd = (seconds.size() - 1 - i) / STEP;
            if (fromEnd < STEPS) steps[STEPS - 1 - fromEnd] += (double) what.applyAsLong(seconds.get(i)) / STEP;
        }
        return steps;
    }

    private static double[] plus(double[] below, double[] more) {
        double[] sum = below.clone();
        for (int i = 0; i < sum.length; i++) sum[i] += more[i];
        return sum;
    }

    /** The next of 1, 2, 3, 5, 10, 20, 30, 50 and so on. */
    private static long nice(double most) {
        long power = 1;
        while (true) {
            for (long factor : new long[] {1, 2, 3, 5}) if (factor * power >= most) return factor * power;
            power *= 10;
        }
    }

    private static String area(double[] below, double[] above, long max) {
        return "M" + line(above, max, false) + " L" + line(below, max, true) + " Z";
    }

    private static String line(double[] values, long max, boolean backwards) {
        StringBuilder points = new StringBuilder(12 * values.length);
        for (int i = 0; i < values.length; i++) {
            int at = backwards ? values.length - 1 - i : i;
            double x = (double) WIDTH * at / (values.length - 1);
            double y = HEIGHT - HEIGHT * values[at] / max;
            if (i > 0) points.append(" L");
            points.append(tenths(x)).append(' ').append(tenths(y));
        }
        return points.toString();
    }

    private static double tenths(double value) {
        return Math.round(10 * value) / 10.0;
    }
}
