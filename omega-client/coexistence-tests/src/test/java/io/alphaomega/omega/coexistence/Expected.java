package io.alphaomega.omega.coexistence;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What may be different about services with omega, from {@code expected.txt}: lines as {@link Comparison} makes them, with
 * the reason in a comment above.
 */
record Expected(Set<String> changes, Set<String> additions) {
    private static final String CHANGE = " -> ";

    static Expected read() {
        try (InputStream file = Objects.requireNonNull(Expected.class.getResourceAsStream("/expected.txt"))) {
            List<String> lines = new String(file.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.isBlank() && !line.startsWith("#"))
                    .toList();
            return new Expected(
                    lines.stream().filter(line -> line.contains(CHANGE)).collect(Collectors.toSet()),
                    lines.stream().filter(line -> !line.contains(CHANGE)).collect(Collectors.toSet()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
