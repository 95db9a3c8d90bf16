package io.alphaomega.samples.booking.processes.hooks;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * An order to halt, as a file that a test writes and the process takes: it is gone once it is taken, so it is obeyed
 * once. The file is named by the system property {@value #PROPERTY}; what the order says is between the test and the
 * taker.
 */
public final class Halt {
    public static final String PROPERTY = "test.halt";

    /** As a shell reports a process killed with signal 9, so that a log reads alike. */
    private static final int KILLED = 137;

    private Halt() {}

    /** The order if there is one that begins with {@code prefix}; the file is deleted. */
    public static Optional<String> take(String prefix) {
        return take(prefix, order -> true);
    }

    /** The order if there is one that begins with {@code prefix} and whose rest is for the asker. */
    static synchronized Optional<String> take(String prefix, Predicate<String> forAsker) {
        Path file = Path.of(System.getProperty(PROPERTY, "missing.halt"));
        try {
            if (!Files.exists(file)) return Optional.empty();
            String order = Files.readString(file);
            if (!order.startsWith(prefix)) return Optional.empty();
            String rest = order.substring(prefix.length());
            if (!forAsker.test(rest)) return Optional.empty();
            Files.delete(file);
            return Optional.of(rest);
        } catch (IOException e) {
            throw new UncheckedIOException("The order to halt in " + file + " cannot be taken.", e);
        }
    }

    /** Ends this process as {@code kill -9} would: no finally, no shutdown hook, no flush. */
    public static void now() {
        Runtime.getRuntime().halt(KILLED);
    }
}
