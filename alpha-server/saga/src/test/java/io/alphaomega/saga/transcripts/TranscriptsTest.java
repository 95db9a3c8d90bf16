package io.alphaomega.saga.transcripts;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

class TranscriptsTest {
    private static final boolean REWRITE = System.getProperty("rewrite") != null;

    @TestFactory
    Stream<DynamicTest> every_story_happens_as_written() {
        return Transcripts.files().stream()
                .map(file -> DynamicTest.dynamicTest(Transcripts.name(file), () -> check(file)));
    }

    @Test
    void no_story_is_missing() {
        assertThat(Transcripts.files()).hasSizeGreaterThan(40);
    }

    @Test
    void a_story_that_ends_otherwise_fails() throws IOException {
        Path file = Files.createTempFile("story", ".txt");
        try {
            Files.write(file, List.of("begin", "----", "Begun deadline +61.0s", "← Accepted"));
            assertThat(Transcripts.replayed(file))
                    .isNotEqualTo(Files.readString(file))
                    .contains("deadline +60.0s");
        } finally {
            Files.delete(file);
        }
    }

    private static void check(Path file) throws IOException {
        String replayed = Transcripts.replayed(file);
        if (REWRITE) Files.writeString(file, replayed);
        assertThat(replayed).isEqualTo(Files.readString(file));
    }
}
