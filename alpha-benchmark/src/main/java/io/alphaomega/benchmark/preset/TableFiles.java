package io.alphaomega.benchmark.preset;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** Where a table is written as well, besides the screen. */
final class TableFiles {
    private static final JsonMapper JSON =
            JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

    @Option(names = "--json", paramLabel = "FILE", description = "Write the table, and each round of it, as JSON.")
    private @Nullable Path json;

    @Option(names = "--markdown", paramLabel = "FILE", description = "Write the table as Markdown.")
    private @Nullable Path markdown;

    void write(Map<String, ?> asJson, String asMarkdown) throws IOException {
        if (json != null) Files.writeString(json, JSON.writeValueAsString(asJson) + "\n");
        if (markdown != null) Files.writeString(markdown, asMarkdown);
    }
}
