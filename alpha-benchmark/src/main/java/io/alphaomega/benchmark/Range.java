package io.alphaomega.benchmark;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** A number, or a climb from one to another: {@code 100} or {@code 10..500}. */
record Range(double from, double to) {
    static final Range NONE = new Range(Double.NaN, Double.NaN);

    static Range of(double one) {
        return new Range(one, one);
    }

    boolean isGiven() {
        return !Double.isNaN(to);
    }

    /** Where it begins, if it says so. */
    double fromOr(double other) {
        return from == to ? other : from;
    }

    /** Reads what was typed. */
    static final class Converter implements ITypeConverter<Range> {
        @Override
        public Range convert(String text) {
            int dots = text.indexOf("..");
            try {
                if (dots < 0) return of(Double.parseDouble(text));
                return new Range(
                        Double.parseDouble(text.substring(0, dots)), Double.parseDouble(text.substring(dots + 2)));
            } catch (NumberFormatException e) {
                throw new TypeConversionException(
                        "must be a number such as 100, or a climb such as 10..500, but is '" + text + "'.");
            }
        }
    }
}
