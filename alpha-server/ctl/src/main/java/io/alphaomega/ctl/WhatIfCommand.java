package io.alphaomega.ctl;

import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code alphactl what-if}. */
@Command(
        name = "what-if",
        mixinStandardHelpOptions = true,
        description = "What the rules would make of something that you suppose; nothing is stored or called.")
final class WhatIfCommand implements Callable<Integer> {
    @Mixin
    private Options options = new Options();

    @Parameters(index = "0", paramLabel = "ID", description = "The saga's id.")
    private String id = "";

    @Parameters(
            index = "1",
            paramLabel = "INPUT",
            description =
                    "retry, skip, resolve, abort, callback-succeeds, callback-fails, service-connects, branch-ends, branch-fails, commit or time-passes.")
    private String input = "";

    @Option(
            names = "--branch",
            paramLabel = "ID",
            description = "The branch that it is about; the only one that it can be.")
    private @Nullable String branch;

    @Option(names = "--service", paramLabel = "NAME", description = "The service that connects; the branch's.")
    private @Nullable String service;

    @Option(
            names = "--outcome",
            paramLabel = "OUTCOME",
            description = "COMMITTED or COMPENSATED, for resolve; as it was decided.")
    private @Nullable String outcome;

    @Option(names = "--error", paramLabel = "TEXT", description = "What a failure says.")
    private @Nullable String error;

    @Option(names = "--after", paramLabel = "TIME", description = "How much later, such as 90s or 5m; at once.")
    private @Nullable String after;

    @Option(
            names = "--sequence",
            paramLabel = "N",
            description = "How many events of the history have happened by then; all.")
    private @Nullable Long sequence;

    @Override
    public Integer call() {
        ObjectNode supposed = Api.object()
                .put("input", input.toUpperCase(Locale.ROOT).replace('-', '_'))
                .put("branch", branch)
                .put("service", service)
                .put("outcome", outcome)
                .put("error", error)
                .put("after", after)
                .put("sequence", sequence);
        JsonNode then = options.api().post(SagasCommand.path(id) + "/what-if", supposed);
        if (options.isTable()) describe(then);
        options.print(then, then.path("events"), SagasCommand.HISTORY);
        if (options.isTable()) say(then);
        return 0;
    }

    private void describe(JsonNode then) {
        options.out()
                .printf(
                        "At %s: %s %s%nThe saga would be %s.%n",
                        Options.text(then.path("at")),
                        Options.text(then.at("/reply/kind")),
                        Options.text(then.at("/reply/text")),
                        Options.text(then.at("/saga/state")));
    }

    private void say(JsonNode then) {
        for (JsonNode call : then.path("calls").values()) {
            options.out()
                    .printf(
                            "Alpha would ask %s for %s, attempt %s.%n",
                            Options.text(call.path("service")),
                            Options.text(call.path("name")),
                            Options.text(call.path("attempt")));
        }
        for (JsonNode decision : then.path("decisions").values()) {
            options.out()
                    .printf(
                            "Alpha would tell saga %s, which is nested in it, that it is %s, attempt %s.%n",
                            Options.text(decision.path("saga")),
                            Options.text(decision.path("outcome")),
                            Options.text(decision.path("attempt")));
        }
        options.out().flush();
    }
}
