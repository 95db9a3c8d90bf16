package io.alphaomega.benchmark.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/** One report, as far as a comparison reads it: also one of an older or newer alpha-benchmark. */
record ComparedRun(String label, boolean verified, JsonNode figures) {
    /** A report of a day of seconds has some 20 MB. */
    private static final long BYTES_MAX = 100_000_000;

    /** @throws IllegalArgumentException with a sentence if it is no report */
    static ComparedRun read(Path file) throws IOException {
        try {
            if (Files.size(file) > BYTES_MAX) throw refused(file, "it has " + Files.size(file) + " bytes");
            JsonNode report = Report.JSON.readTree(file);
            if (!report.path("throughput").isNumber() || !report.path("sagas").isObject()) {
                throw refused(file, "it has no throughput and no sagas");
            }
            if (report.path("format").asInt(Report.FORMAT) != Report.FORMAT) {
                throw refused(
                        file,
                        "its format is " + report.path("format") + ", and this alpha-benchmark reads " + Report.FORMAT);
            }
            JsonNode label = report.path("label");
            return new ComparedRun(
                    label.isString() ? label.asString() : name(file),
                    report.path("verified").asBoolean(false),
                    report);
        } catch (NoSuchFileException e) {
            throw refused(file, "there is no such file");
        } catch (JacksonException e) {
            throw refused(file, "it is no JSON (" + e.getOriginalMessage() + ")");
        }
    }

    private static String name(Path file) {
        return String.valueOf(file.getFileName()).replaceFirst("\\.json$", "");
    }

    private static IllegalArgumentException refused(Path file, String why) {
        return new IllegalArgumentException(
                "%s must be a report that --json wrote, but %s. Nothing was compared.".formatted(file, why));
    }
}
