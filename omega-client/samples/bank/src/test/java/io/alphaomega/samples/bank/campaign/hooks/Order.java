package io.alphaomega.samples.bank.campaign.hooks;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * What shall befall a service in one of its methods, as a file that a test writes and the process takes: it is gone once
 * it is taken, so it is obeyed once. It reads {@code METHOD:POINT:ACT}.
 *
 * @param point {@code before} the method's work, {@code after} it but before the commit, or {@code committed} but alpha
 *     not told yet
 * @param act {@code halt} or {@code stop}
 */
public record Order(String method, String point, String act) {
    /** The system property that names the file. */
    public static final String PROPERTY = "campaign.order";

    /** As a shell reports a process killed with signal 9, so that a log reads alike. */
    private static final int KILLED = 137;

    @Override
    public String toString() {
        return method + ":" + point + ":" + act;
    }

    /** The order if there is one for that method; the file is deleted. */
    static synchronized Optional<Order> take(String method) {
        Path file = Path.of(System.getProperty(PROPERTY, "missing.order"));
        try {
            if (!Files.exists(file)) return Optional.empty();
            String[] words = Files.readString(file).split(":", -1);
            if (words.length != 3 || !words[0].equals(method)) return Optional.empty();
            Files.delete(file);
            return Optional.of(new Order(words[0], words[1], words[2]));
        } catch (IOException e) {
            throw new UncheckedIOException("The order in " + file + " cannot be taken.", e);
        }
    }

    /** Ends this process as {@code kill -9} would, or stops it until somebody sends SIGCONT. */
    void obey() {
        if (act.equals("halt")) Runtime.getRuntime().halt(KILLED);
        try {
            new ProcessBuilder(
                            "kill",
                            "-STOP",
                            Long.toString(ProcessHandle.current().pid()))
                    .start()
                    .waitFor();
        } catch (IOException e) {
            throw new UncheckedIOException("This process cannot stop itself.", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
