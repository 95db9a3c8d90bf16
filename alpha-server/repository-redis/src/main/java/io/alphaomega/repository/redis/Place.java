package io.alphaomega.repository.redis;

import io.alphaomega.repository.Cursor;
import io.alphaomega.saga.SagaId;
import java.util.Comparator;

/** Where a scan stands: after the saga of this time and id. */
record Place(long millis, String id) {
    static final Comparator<Place> EARLIEST_FIRST =
            Comparator.comparingLong(Place::millis).thenComparing(Place::id);

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
        return new Cursor(scan.letter + "." + millis + "." + id);
    }

    static Place of(Cursor cursor, Scan scan) {
        String[] parts = cursor.value().split("\\.", 3);
        try {
            if (parts.length == 3 && parts[0].equals(scan.letter)) {
                long millis = Long.parseLong(parts[1]);
                Times.add(new Bytes(Times.BYTES), millis);
                return new Place(millis, new SagaId(parts[2]).value());
            }
        } catch (IllegalArgumentException e) {
            // Refused below, like anything else that is not ours.
        }
        throw new IllegalArgumentException(
                "'%s' is not a cursor of this scan; begin again without one".formatted(cursor.value()));
    }
}
