package io.alphaomega.ctl;

import io.alphaomega.ctl.Options.Column;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

/** {@code alphactl orders}. */
@Command(
        name = "orders",
        mixinStandardHelpOptions = true,
        description = "What operators have ordered, and what became of it; the saga with the last order first.")
final class OrdersCommand implements Callable<Integer> {
    @Mixin
    private Options options = new Options();

    @Option(names = "--since", paramLabel = "TIME", description = "Given then or later: 24h, or 2026-11-20T09:30:00Z.")
    private @Nullable String since;

    @Option(names = "--who", paramLabel = "NAME", description = "Given by exactly this operator.")
    private @Nullable String who;

    @Option(
            names = "--limit",
            paramLabel = "N",
            defaultValue = "50",
            description = "The orders of at most so many sagas, 1 to 200; 50.")
    private int limit;

    @Option(
            names = "--cursor",
            paramLabel = "CURSOR",
            description = "The 'next' of the page before, as -o json has it.")
    private @Nullable String cursor;

    @Override
    public Integer call() {
        StringBuilder query = new StringBuilder("/api/v1/orders?limit=" + limit);
        Api.add(query, "since", since);
        Api.add(query, "who", who);
        Api.add(query, "cursor", cursor);
        JsonNode answer = options.api().get(query.toString());
        options.print(
                answer,
                answer.path("orders"),
                List.of(
                        Column.of("AT", "at"),
                        Column.of("ORDER", "order"),
                        Column.of("BRANCH", "branchName"),
                        Column.of("WHO", "who"),
                        Column.of("WHY", "why"),
                        Column.of("SAGA", "saga"),
                        Column.of("OPERATION", "operation"),
                        Column.of("KEY", "businessKey"),
                        Column.of("NOW", "state")));
        return 0;
    }
}
