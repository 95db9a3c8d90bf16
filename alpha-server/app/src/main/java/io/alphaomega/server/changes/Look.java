package io.alphaomega.server.changes;

import java.time.Duration;

/** What a look at something has found. */
sealed interface Look<T> {
    /** When it was, by {@link System#nanoTime}. */
    long at();

    record Found<T>(long at, T what) implements Look<T> {}

    /** Nothing could be seen. */
    record Failed<T>(long at, RuntimeException why) implements Look<T> {}

    /** How long ago it was. */
    default Duration age() {
        return Duration.ofNanos(System.nanoTime() - at());
    }
}
