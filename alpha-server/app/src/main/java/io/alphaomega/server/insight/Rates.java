package io.alphaomega.server.insight;

import io.alphaomega.server.saga.SagaMetrics.Totals;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;

/**
 * How many sagas something happened to, second by second.
 *
 * @param lastSecond since 1970, of the last of {@code seconds}
 * @param seconds at most {@value #SECONDS_MAX}
 */
public record Rates(long lastSecond, List<Totals> seconds) {
    public static final int SECONDS_MAX = 300;

    static final Totals NOTHING = new Totals(0, 0, 0, 0);

    /** What happened in that second, which may be out of range. */
    Totals in(long second) {
        long index = seconds.size() - 1 - (lastSecond - second);
        return index < 0 || index >= seconds.size() ? NOTHING : seconds.get((int) index);
    }

    /** What the last seconds had, per second. */
    public double perSecond(int last, ToLongFunction<Totals> what) {
        List<Totals> recent = seconds.subList(Math.max(0, seconds.size() - last), seconds.size());
        return recent.isEmpty() ? 0 : (double) recent.stream().mapToLong(what).sum() / recent.size();
    }

    /** What all of them have seen together, up to the second that all have seen. */
    static Rates sum(List<Rates> all) {
        List<Rates> known =
                all.stream().filter(rates -> !rates.seconds().isEmpty()).toList();
        long last = known.stream().mapToLong(Rates::lastSecond).min().orElse(0);
        int longest =
                known.stream().mapToInt(rates -> rates.seconds().size()).max().orElse(0);
        List<Totals> sums = new ArrayList<>(longest);
        for (long second = last - longest + 1; second <= last; second++) {
            Totals sum = NOTHING;
            for (Rates rates : known) sum = plus(sum, rates.in(second));
            sums.add(sum);
        }
        return new Rates(last, sums);
    }

    private static Totals plus(Totals one, Totals other) {
        return new Totals(
                one.begun() + other.begun(),
                one.committed() + other.committed(),
                one.compensated() + other.compensated(),
                one.suspended() + other.suspended());
    }

    static Totals minus(Totals later, Totals earlier) {
        return new Totals(
                later.begun() - earlier.begun(),
                later.committed() - earlier.committed(),
                later.compensated() - earlier.compensated(),
                later.suspended() - earlier.suspended());
    }
}
