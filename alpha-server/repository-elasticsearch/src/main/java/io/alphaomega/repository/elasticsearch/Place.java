package io.alphaomega.repository.elasticsearch;

import io.alphaomega.repository.Cursor;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Optional;

/** Where a scan stands: after the saga of this time and id. */
record Place(Instant time, String id) {

    /** The scans that have cursors. Their letters keep them apart: a cursor of one means nothing to the other. */
    enum Scan {
        DUE("d"),
        FIND("f");

        private final String letter;

        Scan(String letter) {
            this.letter = letter;
        }
    }

    Cursor cursor(Scan scan) {
        return new Cursor(scan.letter + "." + time.toEpochMilli() + "." + id);
    }

    /** Empty at the start. */
    static Optional<Place> of(Cursor cursor, Scan scan) {
        if (cursor.equals(Cursor.START)) return Optional.empty();
        String[] parts = cursor.value().split("\\.", 3);
        try {
            if (parts.length == 3 && parts[0].equals(scan.letter)) {
                return Optional.of(new Place(Instant.ofEpochMilli(Long.parseLong(parts[1])), parts[2]));
            }
        } catch (NumberFormatException | DateTimeException e) {
            // Refused below, like anything else that is not ours.
        }
        throw new IllegalArgumentException(
                "'%s' is not a cursor of this scan; begin again without one".formatted(cursor.value()));
    }
}
