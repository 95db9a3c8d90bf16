package io.alphaomega.omega.transport;

import java.util.List;
import java.util.function.ToDoubleFunction;

/** A table of what was measured without something and with it: medians, and in brackets the least and the most. */
final class Medians {
    private Medians() {}

    static void head(String of, String without, String with) {
        System.out.printf("| %s | %s | %s | more |%n| --- | --- | --- | --- |%n", of, without, with);
    }

    static <T> void row(String what, List<T> without, List<T> with, ToDoubleFunction<T> figure) {
        double[] a = sorted(without, figure);
        double[] b = sorted(with, figure);
        System.out.printf("| %s | %s | %s | **%,.0f** |%n", what, cell(a), cell(b), b[b.length / 2] - a[a.length / 2]);
    }

    private static <T> double[] sorted(List<T> measured, ToDoubleFunction<T> figure) {
        return measured.stream().mapToDouble(figure).sorted().toArray();
    }

    private static String cell(double[] sorted) {
        return "%,.0f (%,.0f–%,.0f)".formatted(sorted[sorted.length / 2], sorted[0], sorted[sorted.length - 1]);
    }
}
