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
    private static final int UNAVAILABLE = 503;

    /** Nobody could look; the message is alpha's sentence. */
    static final class UnknownException extends RuntimeException {
        UnknownException(String sentence) {
            super(sentence);
        }
    }

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
        Api.Answer said = options.api().look(query.toString());
        if (said.status() == UNAVAILABLE)
            throw new UnknownException(Options.text(said.body().path("detail")));
        JsonNode answer = Api.body(said);
        String unknown = Options.text(answer.path("unknownSince"));
        if (options.isTable()) say(answer, unknown);
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
        return unknown.isEmpty() ? 0 : AlphaCtl.UNKNOWN;
    }

    private void say(JsonNode answer, String unknown) {
        String asOf = Options.text(answer.path("asOf"));
        if (!unknown.isEmpty()) {
            options.out()
                    .printf("Unknown since %s: alpha could not search the store. Stuck as of %s:%n", unknown, asOf);
            return;
        }
        long count = answer.path("count").asLong();
        options.out()
                .printf(
                        "%s%s, as of %s.%n",
                        count == 0 ? "Nothing is stuck" : count + " stuck",
                        answer.path("more").asBoolean() ? ", or more" : "",
                        asOf);
        for (JsonNode waiting : answer.path("waiting").values()) {
            options.out()
                    .printf(
                            "Not stuck yet: %s wait for %s, of which no instance is connected, the first since %s.%n",
                            Options.text(waiting.path("count")),
                            Options.text(waiting.path("service")),
                            Options.text(waiting.path("since")));
        }
        long unread = answer.path("unread").asLong();
        if (unread > 0) {
            options.out().printf("Not read yet: %d that were changing; the next look reads them.%n", unread);
        }
    }
}
