package io.alphaomega.repository;

import io.alphaomega.saga.SagaId;
import java.util.Comparator;
import java.util.Optional;

/**
 * A place in a scan that is ordered by time, ties by id: after the saga of this time and id. What the repositories here
 * write into their cursors.
 */
public record ScanPosition(long millis, String id) {
    public static final Comparator<ScanPosition> EARLIEST_FIRST =
            Comparator.comparingLong(ScanPosition::millis).thenComparing(ScanPosition::id);

    /** Far more than any time there is, and what every store can take. */
    private static final long MILLIS_MAX = 1L << 52;

    /** The scans that have cursors. Their letters keep them apart: a cursor of one means nothing to the others. */
    public enum Scan {
        DUE("d"),
        FIND("f"),
        ORDERED("o");

        private final String letter;

        Scan(String letter) {
            this.letter = letter;
        }
    }

    public Cursor cursor(Scan scan) {
        return new Cursor(scan.letter + "." + millis + "." + id);
    }

    /** Empty at the start; throws {@link IllegalArgumentException} for what is not a cursor of that scan. */
    public static Optional<ScanPosition> of(Cursor cursor, Scan scan) {
        if (cursor.equals(Cursor.START)) return Optional.empty();
        String[] parts = cursor.value().split("\\.", 3);
        try {
            if (parts.length == 3 && parts[0].equals(scan.letter)) {
                long millis = Long.parseLong(parts[1]);
                if (Math.abs(millis) < MILLIS_MAX)
                    return Optional.of(new ScanPosition(millis, new SagaId(parts[2]).value()));
            }
        } catch (IllegalArgumentException e) {
            // Refused below, like anything else that is not ours.
        }
        throw new IllegalArgumentException(
                "'%s' is not a cursor of this scan; begin again without one".formatted(cursor.value()));
    }
}
