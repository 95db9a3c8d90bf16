package io.alphaomega.omega.simulation;

import java.util.HashMap;
import java.util.Map;

/** The database of the service: what its branches have done, and the rows of its fence; and what was done elsewhere. */
final class Database {
    private final Map<String, Row> rows = new HashMap<>();

    /** Of a branch. */
    static final class Row {
        /** How often the business has taken effect in the database, and is not undone. */
        int effect;
        /** Whether it has had an effect elsewhere, which is one under its key however often it is had. */
        boolean elsewhere;

        /** What the fence has. */
        boolean noted;

        boolean done;
        /** Nothing begins any more. */
        boolean over;

        boolean compensated;

        /** The transaction that has the row. */
        boolean locked;
    }

    Row row(String branch) {
        return rows.computeIfAbsent(branch, none -> new Row());
    }

    /** Whether no run was committed; none will be. */
    static boolean bar(Row row) {
        if (row.done) return false;
        row.over = true;
        return true;
    }

    /** Undoes what there is to undo, once behind a fence, and otherwise whenever it is asked. */
    static void compensate(Row row, boolean fenced) {
        boolean runs = fenced ? (row.done || row.noted) && !row.compensated : row.effect > 0;
        row.over |= fenced;
        row.compensated = true;
        if (!runs) return;
        row.effect = fenced ? Math.max(0, row.effect - 1) : 0;
        row.elsewhere = false;
    }
}
