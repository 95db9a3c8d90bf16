package io.alphaomega.ctl;

import io.alphaomega.ctl.Options.Column;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import tools.jackson.databind.JsonNode;

/** {@code alphactl coverage}. */
@Command(
        name = "coverage",
        mixinStandardHelpOptions = true,
        description =
                "Which callbacks have run in the youngest sagas that were undone or committed; those that have not first.")
final class CoverageCommand implements Callable<Integer> {
    @Mixin
    private Options options = new Options();

    @Override
    public Integer call() {
        JsonNode answer = options.api().get("/api/v1/coverage");
        options.print(
                answer,
                answer.path("callbacks"),
                List.of(
                        Column.of("SERVICE", "service"),
                        Column.of("CALLBACK", "name"),
                        new Column(
                                "OFFERED", callback -> callback.path("offered").asBoolean() ? "yes" : "no"),
                        Column.of("RUNS", "runs"),
                        Column.of("LAST", "last")));
        return 0;
    }
}
