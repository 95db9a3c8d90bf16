package io.alphaomega.omega.fence;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a fence has of a branch, for people who must find out what became of it. It is read, and nothing is decided by it:
 * what is under way may add to it.
 *
 * @param atMillis when that was written, by the clock of the fence; 0 if nothing was
 */
public record Found(Kind kind, long atMillis) {
    /** What its rows say. */
    public enum Kind {
        /** There is none: the business has not been committed, unless the row was deleted since. */
        NO_ROW,
        /** The business is about to begin, or has ended without a word. */
        BEGUN,
        /** The business was committed, and was neither undone nor confirmed. */
        RAN,
        /** The business has left nothing behind and never will. */
        NEVER_RAN,
        /** The business was committed, or had begun, and was undone. */
        UNDONE,
        /** The branch was confirmed. */
        CONFIRMED
    }

    /** A row, without its operation. */
    record Row(String reason, long atMillis) {}

    /** @param rows of the branch, by their operations */
    static Found of(Map<String, Row> rows) {
        Row forward = rows.get(FenceRow.FORWARD);
        Row compensation = rows.get(FenceRow.COMPENSATION);
        Row confirmation = rows.get(FenceRow.CONFIRMATION);
        Row begin = rows.get(FenceRow.BEGIN);
        boolean ran = isOf(forward, FenceRow.FORWARD);
        boolean begun = isOf(begin, FenceRow.BEGIN);
        if (compensation != null) return found(ran || begun ? Kind.UNDONE : Kind.NEVER_RAN, compensation);
        if (confirmation != null) return found(Kind.CONFIRMED, confirmation);
        if (forward != null) return found(ran ? Kind.RAN : Kind.NEVER_RAN, forward);
        return begin != null && begun ? found(Kind.BEGUN, begin) : new Found(Kind.NO_ROW, 0);
    }

    private static boolean isOf(@Nullable Row row, String reason) {
        return row != null && row.reason().equals(reason);
    }

    private static Found found(Kind kind, Row row) {
        return new Found(kind, row.atMillis());
    }
}
