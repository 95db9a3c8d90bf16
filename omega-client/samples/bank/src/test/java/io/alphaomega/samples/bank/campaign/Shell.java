package io.alphaomega.samples.bank.campaign;

import io.alphaomega.repository.servers.Patience;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Runs a short command to its end. */
final class Shell {
    private Shell() {}

    /** What it said and how it ended. */
    record Result(int code, String output) {}

    static Result run(List<String> words) {
        try {
            Process process =
                    new ProcessBuilder(words).redirectErrorStream(true).start();
            process.getOutputStream().close();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (!process.waitFor(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new IllegalStateException("%s took more than %s.".formatted(words, Patience.LIMIT));
            }
            return new Result(process.exitValue(), output);
        } catch (IOException e) {
            throw new UncheckedIOException(words + " cannot be run.", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while " + words + " ran.", e);
        }
    }

    /** Its output, if it succeeds; else an exception with it. */
    static String must(String... words) {
        Result result = run(List.of(words));
        if (result.code() == 0) return result.output();
        throw new IllegalStateException(
                "%s ended with code %d: %s".formatted(List.of(words), result.code(), result.output()));
    }
}
