package io.alphaomega.benchmark.figures;

import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.DoubleStream;
import tools.jackson.databind.json.JsonMapper;

/**
 * Measured figures as curves, one panel beside the other, in SVG: over a logarithmic scale up to a million, on a scale
 * from zero.
 */
record Plot(List<Panel> panels) {
    private static final int WIDTH = 300;
    private static final int HEIGHT = 200;
    private static final int LEFT = 44;
    private static final int TOP = 46;
    private static final int BOTTOM = 44;
    private static final int RIGHT = 16;

    /** Room for a curve above its highest point. */
    private static final double ABOVE = 1.15;

    /** Curves are told apart on light and dark pages, and by who sees no red or green. */
    private static final List<String> COLOURS = List.of("#0072b2", "#d55e00", "#009e73", "#cc79a7");

    /**
     * Curves over the same scales.
     *
     * @param x what the horizontal scale is, y the vertical one
     */
    record Panel(String title, String x, String y, List<Curve> curves) {}

    /** @param points each of two numbers, x and y */
    record Curve(String name, List<double[]> points) {}

    static Plot read(Path json) throws IOException {
        return JsonMapper.builder().build().readValue(Files.readString(json), Plot.class);
    }

    String svg() {
        StringBuilder svg = new StringBuilder();
        svg.append(String.format(
                Locale.ROOT,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%1$d\" height=\"%2$d\" viewBox=\"0 0 %1$d %2$d\""
                        + " font-family=\"sans-serif\" font-size=\"11\" fill=\"#808080\">%n",
                panels.size() * WIDTH,
                HEIGHT + TOP + BOTTOM));
        for (int i = 0; i < panels.size(); i++) {
            svg.append(String.format(Locale.ROOT, "<g transform=\"translate(%d, 0)\">%n", i * WIDTH));
            draw(svg, panels.get(i));
            svg.append(String.format(Locale.ROOT, "</g>%n"));
        }
        return svg.append(String.format(Locale.ROOT, "</svg>%n")).toString();
    }

    private static void draw(StringBuilder svg, Panel panel) {
        double top = panel.curves().stream()
                        .flatMap(curve -> curve.points().stream())
                        .mapToDouble(point -> point[1])
                        .max()
                        .orElse(1)
                * ABOVE;
        double first = Math.floor(Math.log10(xs(panel).min().orElse(1)));
        double last = Math.max(first + 1, Math.ceil(Math.log10(xs(panel).max().orElse(1))));
        Scales scales = new Scales(top, first, last);
        text(svg, LEFT, 14, "start", panel.title());
        text(svg, LEFT, 28, "start", panel.y());
        for (int decade = (int) first; decade <= last; decade++) {
            double x = scales.x(Math.pow(10, decade));
            line(svg, x, TOP, x, TOP + HEIGHT);
            text(svg, x, TOP + HEIGHT + 14, "middle", power(decade));
        }
        text(svg, (LEFT + WIDTH - RIGHT) / 2.0, TOP + HEIGHT + 32, "middle", panel.x());
        double step = step(top);
        for (int tick = 0; tick * step <= top; tick++) {
            double y = scales.y(tick * step);
            line(svg, LEFT, y, WIDTH - RIGHT, y);
            text(svg, LEFT - 6, y + 4, "end", plain(tick * step));
        }
        for (int i = 0; i < panel.curves().size(); i++) {
            draw(svg, panel.curves().get(i), scales, COLOURS.get(i % COLOURS.size()));
        }
    }

    private static void draw(StringBuilder svg, Curve curve, Scales scales, String colour) {
        StringBuilder path = new StringBuilder();
        for (double[] point : curve.points()) {
            path.append(String.format(
                    Locale.ROOT, "%s%.1f,%.1f", path.isEmpty() ? "M" : " L", scales.x(point[0]), scales.y(point[1])));
            svg.append(String.format(
                    Locale.ROOT,
                    "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" fill=\"%s\"><title>%s: %s at %s</title></circle>%n",
                    scales.x(point[0]),
                    scales.y(point[1]),
                    colour,
                    escaped(curve.name()),
                    number(point[1]),
                    number(point[0])));
        }
        svg.append(String.format(
                Locale.ROOT, "<path d=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"2\"/>%n", path, colour));
        double[] last = curve.points().getLast();
        svg.append(String.format(
                Locale.ROOT,
                "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"end\" fill=\"%s\">%s</text>%n",
                scales.x(last[0]),
                scales.y(last[1]) - 8,
                colour,
                escaped(curve.name())));
    }

    /** Where a point is, in pixels. */
    private record Scales(double top, double first, double last) {
        double x(double value) {
            return LEFT + (WIDTH - LEFT - RIGHT) * (Math.log10(value) - first) / (last - first);
        }

        double y(double value) {
            return TOP + HEIGHT * (1 - value / top);
        }
    }

    private static DoubleStream xs(Panel panel) {
        return panel.curves().stream().flatMap(curve -> curve.points().stream()).mapToDouble(point -> point[0]);
    }

    /** Of ten, short. */
    private static String power(int exponent) {
        List<String> thousands = List.of("", "k", "M");
        return (int) Math.pow(10, exponent % 3) + thousands.get(exponent / 3);
    }

    /** Of 1, 2 or 5 at some place, so that there are about five. */
    private static double step(double top) {
        double place = Math.pow(10, Math.floor(Math.log10(top / 5)));
        double times = top / 5 / place;
        return place * (times > 5 ? 10 : times > 2 ? 5 : times > 1 ? 2 : 1);
    }

    private static void line(StringBuilder svg, double x1, double y1, double x2, double y2) {
        svg.append(String.format(
                Locale.ROOT,
                "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"#808080\" stroke-opacity=\"0.25\"/>%n",
                x1,
                y1,
                x2,
                y2));
    }

    private static void text(StringBuilder svg, double x, double y, String anchor, String text) {
        svg.append(String.format(
                Locale.ROOT,
                "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>%n",
                x,
                y,
                anchor,
                escaped(text)));
    }

    private static String plain(double value) {
        return new BigDecimal(String.format(Locale.ROOT, "%.3g", value))
                .stripTrailingZeros()
                .toPlainString();
    }

    private static String number(double value) {
        return value == Math.rint(value) ? String.format(Locale.ROOT, "%,d", (long) value) : Double.toString(value);
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;");
    }
}
