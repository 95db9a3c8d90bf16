package io.alphaomega.repository;

import java.util.List;
import java.util.Optional;

/** A slice of a scan. {@code next} is empty on the last page. */
public record Page<T>(List<T> items, Optional<Cursor> next) {
    public Page {
        items = List.copyOf(items);
    }
}
