package io.alphaomega.ctl;

import io.alphaomega.ctl.Options.Column;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** {@code alphactl sagas}: looking at sagas. */
@Command(
        name = "sagas",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        description = "Looks at sagas.",
        subcommands = {
            SagasCommand.ListSagas.class,
            SagasCommand.Show.class,
            SagasCommand.History.class,
            SagasCommand.Watch.class
        })
final class SagasCommand {
    static final List<Column> HISTORY =
            List.of(Column.of("#", "sequence"), Column.of("AT", "at"), Column.of("WHAT HAPPENED", "text"));

    static String path(String id) {
        return "/api/v1/sagas/" + Api.encoded(id);
    }

    /** {@code alphactl sagas list}. */
    @Command(name = "list", mixinStandardHelpOptions = true, description = "Sagas, the youngest first.")
    static final class ListSagas implements Callable<Integer> {
        @Mixin
        private Options options = new Options();

        @Option(
                names = "--state",
                paramLabel = "STATE",
                description = "ACTIVE, CONFIRMING, COMPENSATING, SUSPENDED, COMMITTED or COMPENSATED; repeatable.")
        private List<String> states = List.of();

        @Option(names = "--service", paramLabel = "NAME", description = "In which this service takes part.")
        private @Nullable String service;

        @Option(names = "--operation", paramLabel = "NAME", description = "Exactly this one of the initiator.")
        private @Nullable String operation;

        @Option(names = "--business-key", paramLabel = "KEY", description = "Exactly this one.")
        private @Nullable String businessKey;

        @Option(names = "--attribute", paramLabel = "NAME=VALUE", description = "With exactly this attribute.")
        private @Nullable String attribute;

        @Option(names = "--id", paramLabel = "ID", description = "Exactly this one.")
        private @Nullable String id;

        @Option(
                names = "--text",
                paramLabel = "TEXT",
                description = "A part of the id, the business key, the operation or the reason.")
        private @Nullable String text;

        @Option(names = "--reason", paramLabel = "TEXT", description = "A part of the reason.")
        private @Nullable String reason;

        @Option(names = "--from", paramLabel = "INSTANT", description = "Begun then or later: 2026-11-20T09:30:00Z.")
        private @Nullable String from;

        @Option(names = "--to", paramLabel = "INSTANT", description = "Begun before.")
        private @Nullable String to;

        @Option(names = "--older-than", paramLabel = "DURATION", description = "Begun longer ago: 15m.")
        private @Nullable String olderThan;

        @Option(names = "--younger-than", paramLabel = "DURATION", description = "Begun since: 2h.")
        private @Nullable String youngerThan;

        @Option(names = "--changed-since", paramLabel = "INSTANT", description = "Something happened then or later.")
        private @Nullable String changedSince;

        @Option(
                names = "--longer-than",
                paramLabel = "DURATION",
                description = "Took so long, or has been open for so long: 30s.")
        private @Nullable String longerThan;

        @Option(
                names = "--limit",
                paramLabel = "N",
                defaultValue = "50",
                description = "At most so many, 1 to 1000; 50.")
        private int limit;

        @Override
        public Integer call() {
            StringBuilder query = new StringBuilder("/api/v1/sagas?limit=" + limit);
            for (String state : states) Api.add(query, "state", state);
            Api.add(query, "service", service);
            Api.add(query, "operation", operation);
            Api.add(query, "businessKey", businessKey);
            Api.add(query, "attribute", attribute);
            Api.add(query, "id", id);
            Api.add(query, "text", text);
            Api.add(query, "reason", reason);
            Api.add(query, "from", from);
            Api.add(query, "to", to);
            Api.add(query, "olderThan", olderThan);
            Api.add(query, "youngerThan", youngerThan);
            Api.add(query, "changedSince", changedSince);
            Api.add(query, "longerThan", longerThan);
            JsonNode answer = options.api().get(query.toString());
            options.print(
                    answer,
                    answer.path("sagas"),
                    List.of(
                            Column.of("SAGA", "id"),
                            Column.of("STATE", "state"),
                            Column.of("SERVICE", "service"),
                            Column.of("OPERATION", "operation"),
                            Column.of("KEY", "businessKey"),
                            Column.of("BEGUN", "begunAt"),
                            Column.of("ENDED", "endedAt")));
            return 0;
        }
    }

    /** {@code alphactl sagas show}. */
    @Command(
            name = "show",
            mixinStandardHelpOptions = true,
            description = "One saga: where it stands, and its branches.")
    static final class Show implements Callable<Integer> {
        @Mixin
        private Options options = new Options();

        @Parameters(paramLabel = "ID", description = "The saga's id.")
        private String id = "";

        @Override
        public Integer call() {
            JsonNode saga = options.api().get(path(id));
            if (options.isTable()) describe(saga);
            List<Column> columns = new ArrayList<>(List.of(
                    Column.of("BRANCH", "id"),
                    Column.of("SERVICE", "service"),
                    Column.of("OPERATION", "operation"),
                    new Column("FORWARD", branch -> Options.text(branch.at("/forward/state"))),
                    new Column("CALLBACK", branch -> Options.text(branch.at("/callback/state"))),
                    new Column("ATTEMPTS", branch -> Options.text(branch.at("/callback/attempts"))),
                    new Column("LAST ERROR", branch -> Options.text(branch.at("/callback/lastError")))));
            if (saga.path("branches").findValue("finding") != null) columns.add(new Column("FENCE", Show::fence));
            options.print(saga, saga.path("branches"), columns);
            return 0;
        }

        /** What the fence has of a branch of a saga that is held. */
        private static String fence(JsonNode branch) {
            String finding = Options.text(branch.at("/fence/finding"));
            String why = Options.text(branch.at("/fence/text"));
            return why.isEmpty() ? finding : finding + ": " + why;
        }

        private void describe(JsonNode saga) {
            options.out()
                    .printf(
                            "%s  %s  %s %s  %s%n",
                            Options.text(saga.path("id")),
                            Options.text(saga.path("state")),
                            Options.text(saga.path("service")),
                            Options.text(saga.path("operation")),
                            Options.text(saga.path("businessKey")));
            options.out()
                    .printf(
                            "begun %s, %s events%n",
                            Options.text(saga.path("begunAt")), Options.text(saga.path("sequence")));
            if (!Options.text(saga.path("reason")).isEmpty()) {
                options.out().println(Options.text(saga.path("reason")));
            }
            saga.path("attributes")
                    .properties()
                    .forEach(attribute -> options.out()
                            .println(Options.harmless(attribute.getKey()) + "=" + Options.text(attribute.getValue())));
            JsonNode parent = saga.path("parent");
            if (parent.isObject()) {
                String prepared = saga.path("prepared").asBoolean() ? ", prepared: that one decides it" : "";
                options.out().printf("part of %s%s%n", Options.text(parent.path("saga")), prepared);
            }
            saga.path("nested")
                    .forEach(part -> options.out()
                            .printf(
                                    "branch %s is saga %s  %s%n",
                                    Options.text(part.path("branch")),
                                    Options.text(part.path("saga")),
                                    part.path("prepared").asBoolean() ? "PREPARED" : Options.text(part.path("state"))));
            JsonNode suspension = saga.path("suspension");
            if (suspension.isObject()) {
                options.out()
                        .printf(
                                "the people of %s must act; what to do: %s of alpha's address%n",
                                Options.text(suspension.path("service")), Options.text(suspension.path("runbook")));
            }
        }
    }

    /** {@code alphactl sagas history}. */
    @Command(name = "history", mixinStandardHelpOptions = true, description = "What happened to one saga.")
    static final class History implements Callable<Integer> {
        @Mixin
        private Options options = new Options();

        @Parameters(paramLabel = "ID", description = "The saga's id.")
        private String id = "";

        @Override
        public Integer call() {
            JsonNode saga = options.api().get(path(id));
            options.print(saga.path("history"), saga.path("history"), HISTORY);
            return 0;
        }
    }

    /** {@code alphactl sagas watch}. */
    @Command(
            name = "watch",
            mixinStandardHelpOptions = true,
            description = "What happens to one saga, line by line, until it has ended.")
    static final class Watch implements Callable<Integer> {
        private static final Duration EVERY = Duration.ofSeconds(1);

        @Mixin
        private Options options = new Options();

        @Parameters(paramLabel = "ID", description = "The saga's id.")
        private String id = "";

        @Override
        public Integer call() {
            int seen = 0;
            Api api = options.api();
            while (true) {
                JsonNode saga = api.get(path(id));
                JsonNode history = saga.path("history");
                for (; seen < history.size(); seen++) {
                    JsonNode event = history.get(seen);
                    options.print(event, Options.text(event.path("at")) + "  " + Options.text(event.path("text")));
                }
                // Nobody reads any more.
                if (!saga.path("endedAt").isNull() || options.out().checkError()) return 0;
                LockSupport.parkNanos(EVERY.toNanos());
                if (Thread.interrupted()) return 0;
            }
        }
    }
}
