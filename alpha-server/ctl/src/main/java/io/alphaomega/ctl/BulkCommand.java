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
        description = "Orders the same of many sagas.",
        subcommands = {
            BulkCommand.Retry.class,
            BulkCommand.Skip.class,
            BulkCommand.Resolve.class,
            BulkCommand.Abort.class,
            BulkCommand.ListAll.class,
            BulkCommand.Cancel.class
        })
final class BulkCommand {
    private static final List<Column> COLUMNS = List.of(
            Column.of("ID", "id"),
            Column.of("ORDER", "order"),
            Column.of("STATE", "state"),
            Column.of("DONE", "done"),
            Column.of("LEFT", "left"),
            Column.of("REFUSED", "refused"),
            new Column("ENDED", order -> Options.text(order.at("/became/ended"))),
            new Column("STUCK AGAIN", order -> Options.text(order.at("/became/stuck"))),
            new Column("WAITING", order -> Options.text(order.at("/became/waiting"))),
            Column.of("FOR", "stuck"),
            Column.of("DETAIL", "detail"),
            Column.of("SERVICE", "service"),
            Column.of("OPERATION", "operation"),
            Column.of("WHO", "operator"),
            Column.of("WHY", "reason"),
            Column.of("GIVEN", "at"));

    /** Which suspended sagas are taken as done by hand. */
    static final class Settled {
        @Option(
                names = "--detail",
                required = true,
                paramLabel = "DETAIL",
                description = "Why alpha gave up, as 'stuck' says, such as BRANCH_END_UNKNOWN.")
        private String detail = "";

        @Option(names = "--service", paramLabel = "NAME", description = "Whose people must see to them; all.")
        private @Nullable String service;

        ObjectNode chosen() {
            return put(Api.object().put("detail", detail), "service", service);
        }
    }

    private static ObjectNode put(ObjectNode order, String name, @Nullable String value) {
        return value == null ? order : order.put(name, value);
    }

    /** {@code alphactl bulk retry}. */
    @Command(
            name = "retry",
            mixinStandardHelpOptions = true,
            description = "Retries every saga that is stuck by now for a reason, and perhaps because of a service.")
    static final class Retry implements Callable<Integer> {
        @Option(
                names = "--for",
                required = true,
                paramLabel = "REASON",
                description = "SUSPENDED, NO_PARTICIPANT or FAILING.")
        private String stuck = "";

        @Option(
                names = "--detail",
                paramLabel = "DETAIL",
                description = "For suspended sagas, why alpha gave up, as 'stuck' says. Default: all.")
        private @Nullable String detail;

        @Option(names = "--service", paramLabel = "NAME", description = "Whose people must see to them; all.")
        private @Nullable String service;

        @Mixin
        private BulkGiving giving = new BulkGiving();

        @Override
        public Integer call() {
            ObjectNode order = put(Api.object().put("stuck", stuck), "detail", detail);
            return giving.give("RETRY", put(order, "service", service));
        }
    }

    /** {@code alphactl bulk skip}. */
    @Command(
            name = "skip",
            mixinStandardHelpOptions = true,
            description =
                    "Takes the branches that sagas are suspended for as done by hand; alpha continues with the others. It cannot be taken back.")
    static final class Skip implements Callable<Integer> {
        @Mixin
        private Settled settled = new Settled();

        @Mixin
        private BulkGiving giving = new BulkGiving();

        @Override
        public Integer call() {
            return giving.give("SKIP", settled.chosen());
        }
    }

    /** {@code alphactl bulk resolve}. */
    @Command(
            name = "resolve",
            mixinStandardHelpOptions = true,
            description = "Takes all that is left of suspended sagas as done by hand. It cannot be taken back.")
    static final class Resolve implements Callable<Integer> {
        @Mixin
        private Settled settled = new Settled();

        @Option(
                names = "--outcome",
                required = true,
                paramLabel = "OUTCOME",
                description = "COMMITTED or COMPENSATED; those that were decided otherwise are left alone.")
        private String outcome = "";

        @Mixin
        private BulkGiving giving = new BulkGiving();

        @Override
        public Integer call() {
            return giving.give("RESOLVE", settled.chosen().put("outcome", outcome));
        }
    }

    /** {@code alphactl bulk abort}. */
    @Command(
            name = "abort",
            mixinStandardHelpOptions = true,
            description = "Aborts the active sagas of a service, of an operation, or of both. It cannot be taken back.")
    static final class Abort implements Callable<Integer> {
        @Option(names = "--service", paramLabel = "NAME", description = "That takes part.")
        private @Nullable String service;

        @Option(names = "--operation", paramLabel = "NAME", description = "That they began with.")
        private @Nullable String operation;

        @Mixin
        private BulkGiving giving = new BulkGiving();

        @Override
        public Integer call() {
            return giving.give("ABORT", put(put(Api.object(), "service", service), "operation", operation));
        }
    }

    /** {@code alphactl bulk list}. */
    @Command(name = "list", mixinStandardHelpOptions = true, description = "How far they are; the last first.")
    static final class ListAll implements Callable<Integer> {
        @Mixin
        private Options options = new Options();

        @Override
        public Integer call() {
            JsonNode answer = options.api().get(BulkGiving.PATH);
            options.print(answer, answer.path("bulkOrders"), COLUMNS);
            return 0;
        }
    }

    /** {@code alphactl bulk cancel}. */
    @Command(name = "cancel", mixinStandardHelpOptions = true, description = "Carries one out no further.")
    static final class Cancel implements Callable<Integer> {
        @Mixin
        private Options options = new Options();

        @Parameters(paramLabel = "ID", description = "The bulk order's id.")
        private String id = "";

        @Override
        public Integer call() {
            JsonNode answer = options.api().post(BulkGiving.PATH + "/" + Api.encoded(id) + "/cancel", Api.object());
            String silent = Options.text(answer.path("silent"));
            String more = silent.isEmpty()
                    ? ""
                    : " These nodes did not answer, and may continue with it until they do: %s.".formatted(silent);
            options.print(answer, "Cancelled: bulk order %s.%s".formatted(id, more));
            return 0;
        }
    }
}
