package io.alphaomega.omega.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

class BranchTranscriptsTest {
    private static final boolean REWRITE = System.getProperty("rewrite") != null;

    @TestFactory
    Stream<DynamicTest> every_story_happens_as_written() {
        return StoryFiles.in("branches").stream()
                .map(file -> DynamicTest.dynamicTest(StoryFiles.name(file), () -> check(file)));
    }

    @Test
    void no_story_is_missing() {
        assertThat(StoryFiles.in("branches")).hasSizeGreaterThanOrEqualTo(40);
    }

    @Test
    void a_story_that_ends_otherwise_fails() throws IOException {
        Path file = Files.createTempFile("story", ".txt");
        try {
            Files.write(file, List.of("called; unfenced", "----", "ASKED"));
            assertThat(StoryFiles.replayed(file, BranchStory::new))
                    .isNotEqualTo(Files.readString(file))
                    .contains("→ ask alpha");
        } finally {
            Files.delete(file);
        }
    }

    private static void check(Path file) throws IOException {
        String replayed = StoryFiles.replayed(file, BranchStory::new);
        if (REWRITE) Files.writeString(file, replayed);
        assertThat(replayed).isEqualTo(Files.readString(file));
    }
}
