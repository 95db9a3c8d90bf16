package io.alphaomega.ctl;

import io.alphaomega.ctl.Options.Column;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code alphactl bulk}: one order for many sagas. */
@Command(
        name = "bulk",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        description = "Retries many stuck sagas by one order.",
        subcommands = {BulkCommand.Retry.class, BulkCommand.ListAll.class, BulkCommand.Cancel.class})
final class BulkCommand {
    private static final String PATH = "/api/v1/bulk-retries";

    private static final List<Column> COLUMNS = List.of(
            Column.of("ID", "id"),
            Column.of("STATE", "state"),
            Column.of("RETRIED", "retried"),
            Column.of("LEFT", "left"),
            Column.of("REFUSED", "refused"),
            Column.of("FOR", "stuck"),
            Column.of("SERVICE", "service"),
            Column.of("WHO", "operator"),
            Column.of("WHY", "reason"),
            Column.of("GIVEN", "at"));

    /** {@code alphactl bulk retry}. */
    @Command(
            name = "retry",
            mixinStandardHelpOptions = true,
            description = "Retries every saga that is stuck by now for a reason, and perhaps because of a service.")
    static final class Retry implements Callable<Integer> {
        @Mixin
        private Options options = new Options();

        @Option(
                names = "--for",
                required = true,
                paramLabel = "REASON",
                description = "SUSPENDED, NO_PARTICIPANT or FAILING.")
        private String stuck = "";

        @Option(names = "--service", paramLabel = "NAME", description = "Whose people must see to them; all.")
        private @Nullable String service;

        @Mixin
        private Signature signature = new Signature();

        @Option(names = "--per-second", paramLabel = "N", defaultValue = "50", description = "1 to 1000; 50.")
        private int perSecond;

        @Option(names = "--dry-run", description = "Only says which sagas are meant.")
        private boolean dryRun;

        @Override
        public Integer call() {
            ObjectNode order = signature
                    .sign(Api.object())
                    .put("stuck", stuck)
                    .put("perSecond", perSecond)
                    .put("dryRun", dryRun);
            if (service != null) order.put("service", service);
            JsonNode answer = options.api().post(PATH, order);
            if (dryRun) {
                if (options.isTable()) {
                    options.out().printf("%s sagas are meant; the first:%n", Options.text(answer.path("count")));
                }
                options.print(
                        answer,
                        answer.path("sample"),
                        List.of(Column.of("SAGA", "id"), Column.of("SERVICE", "service"), Column.of("SINCE", "since")));
            } else {
                options.print(answer, "Ordered: bulk retry %s.".formatted(Options.text(answer.path("id"))));
            }
            return 0;
        }
    }

    /** {@code alphactl bulk list}. */
    @Command(name = "list", mixinStandardHelpOptions = true, description = "How far they are; the last first.")
    static final class ListAll implements Callable<Integer> {
        @Mixin
        private Options options = new Options();

        @Override
        public Integer call() {
            JsonNode answer = options.api().get(PATH);
            options.print(answer, answer.path("bulkRetries"), COLUMNS);
            return 0;
        }
    }

    /** {@code alphactl bulk cancel}. */
    @Command(name = "cancel", mixinStandardHelpOptions = true, description = "Carries one out no further.")
    static final class Cancel implements Callable<Integer> {
        @Mixin
        private Options options = new Options();

        @Parameters(paramLabel = "ID", description = "The bulk retry's id.")
        private String id = "";

        @Override
        public Integer call() {
            JsonNode answer = options.api().post(PATH + "/" + Api.encoded(id) + "/cancel", Api.object());
            options.print(answer, "Cancelled: bulk retry %s.".formatted(id));
            return 0;
        }
    }
}
