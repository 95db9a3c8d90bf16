package io.alphaomega.ctl;

import io.alphaomega.ctl.Options.Column;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

/** {@code alphactl stuck}: what does not come to its end by itself. */
@Command(
        name = "stuck",
        mixinStandardHelpOptions = true,
        description = "Sagas that do not come to their end by themselves, the longest stuck first.")
final class StuckCommand implements Callable<Integer> {
    @Mixin
    private Options options = new Options();

    @Option(
            names = "--for",
            paramLabel = "REASON",
            description = "Only those that are SUSPENDED, NO_PARTICIPANT, FAILING or OVERDUE.")
    private @Nullable String reason;

    @Option(
            names = "--service",
            paramLabel = "NAME",
            description = "Only those that this service's people must see to.")
    private @Nullable String service;

    @Option(names = "--limit", paramLabel = "N", defaultValue = "50", description = "At most so many; 50.")
    private int limit;

    @Override
    public Integer call() {
        StringBuilder query = new StringBuilder("/api/v1/stuck?limit=" + limit);
        if (reason != null) query.append("&reason=").append(Api.encoded(reason));
        if (service != null) query.append("&service=").append(Api.encoded(service));
        JsonNode answer = options.api().get(query.toString());
        if (options.isTable()) {
            long count = answer.path("count").asLong();
            options.out()
                    .printf(
                            "%s%s, as of %s.%n",
                            count == 0 ? "Nothing is stuck" : count + " stuck",
                            answer.path("more").asBoolean() ? ", or more" : "",
                            Options.text(answer.path("asOf")));
            if (count == 0) {
                options.out().flush();
                return 0;
            }
        }
        options.print(
                answer,
                answer.path("sagas"),
                List.of(
                        Column.of("SAGA", "id"),
                        Column.of("WHY", "reason"),
                        Column.of("DETAIL", "detail"),
                        Column.of("WHO", "service"),
                        Column.of("OPERATION", "operation"),
                        Column.of("KEY", "businessKey"),
                        Column.of("SINCE", "since")));
        return 0;
    }
}
