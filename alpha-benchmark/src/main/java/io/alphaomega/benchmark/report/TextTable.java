package io.alphaomega.benchmark.report;

import java.util.ArrayList;
import java.util.List;

/** Columns of text; the first to the left, figures to the right. */
final class TextTable {
    private static final String GAP = "  ";

    private final List<String[]> rows = new ArrayList<>();

    TextTable(String... heads) {
        rows.add(heads);
    }

    void row(String... cells) {
        if (cells.length != rows.getFirst().length) {
            throw new IllegalArgumentException(
                    "A row of %d cells in a table of %d.".formatted(cells.length, rows.getFirst().length));
        }
        rows.add(cells);
    }

    List<String> lines() {
        int[] widths = new int[rows.getFirst().length];
        for (String[] row : rows) {
            for (int i = 0; i < row.length; i++) widths[i] = Math.max(widths[i], row[i].length());
        }
        return rows.stream().map(row -> line(row, widths)).toList();
    }

    private static String line(String[] row, int[] widths) {
        StringBuilder line = new StringBuilder(row[0]);
        for (int i = 1; i < row.length; i++) {
            if (i == 1) line.append(" ".repeat(widths[0] - row[0].length()));
            line.append(GAP).append(" ".repeat(widths[i] - row[i].length())).append(row[i]);
        }
        return line.toString().stripTrailing();
    }
}
