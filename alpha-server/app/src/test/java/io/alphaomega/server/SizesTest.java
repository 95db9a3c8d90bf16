package io.alphaomega.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What is too large for one sitting, in all modules of the server. */
class SizesTest {
    private static final Path MODULES = Path.of("..");
    private static final int MAIN_LINES_MAX = 400;
    private static final int TEST_LINES_MAX = 500;

    @Test
    void no_file_is_too_long() throws IOException {
        assertLines("/src/main/java/", MAIN_LINES_MAX);
    }

    @Test
    void no_file_of_tests_is_too_long() throws IOException {
        assertLines("/src/test/", TEST_LINES_MAX);
    }

    private static void assertLines(String sources, int most) throws IOException {
        try (Stream<Path> files = Files.walk(MODULES)) {
            List<Path> found = files.filter(file -> file.toString().endsWith(".java"))
                    .filter(file -> file.toString().contains(sources))
                    .toList();
            assertThat(found)
                    .isNotEmpty()
                    .allSatisfy(file -> assertThat(lines(file)).hasSizeLessThanOrEqualTo(most));
        }
    }

    private static List<String> lines(Path file) {
        try {
            return Files.readAllLines(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
