package io.alphaomega.ctl;

import io.alphaomega.ctl.Options.Column;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** What every bulk order takes, and how it is given. */
final class BulkGiving {
    static final String PATH = "/api/v1/bulk-orders";

    private static final List<Column> SAMPLE = List.of(
            Column.of("SAGA", "id"),
            Column.of("BEGUN BY", "initiator"),
            Column.of("OPERATION", "operation"),
            Column.of("KEY", "businessKey"),
            Column.of("SINCE", "since"));

    @Mixin
    private Options options = new Options();

    @Mixin
    private Signature signature = new Signature();

    @Option(names = "--per-second", paramLabel = "N", defaultValue = "50", description = "1 to 1000; 50.")
    private int perSecond;

    @Option(
            names = "--before",
            paramLabel = "INSTANT",
            description = "Only what got stuck, or began, before that, such as 2026-11-20T09:30:00Z.")
    private @Nullable String before;

    @Option(
            names = "--older-than",
            paramLabel = "TIME",
            description = "The same as an age, such as 10m. Ignored with --before.")
    private @Nullable String olderThan;

    @Option(names = "--dry-run", description = "Only says which sagas are meant.")
    private boolean dryRun;

    @Option(
            names = "--expect",
            paramLabel = "N",
            description =
                    "How many a dry run has said: if it would be more, nothing is ordered. All but retry need it, and --before.")
    private @Nullable Long expect;

    int give(String kind, ObjectNode order) {
        signature.sign(order).put("order", kind).put("perSecond", perSecond).put("dryRun", dryRun);
        if (before != null) order.put("before", before);
        else if (olderThan != null) order.put("olderThan", olderThan);
        if (expect != null) order.put("expect", expect);
        JsonNode answer = options.api().post(PATH, order);
        if (!dryRun) {
            options.print(
                    answer,
                    "Ordered: bulk %s %s."
                            .formatted(Options.text(answer.path("order")), Options.text(answer.path("id"))));
            return 0;
        }
        if (options.isTable()) say(answer);
        options.print(answer, answer.path("sample"), SAMPLE);
        return 0;
    }

    private void say(JsonNode dry) {
        String count = Options.text(dry.path("count"));
        long unfit = dry.path("unfit").asLong();
        if (unfit > 0)
            options.out().printf("%d sagas are chosen that the order does not fit; they are left alone.%n", unfit);
        if (dry.path("more").asBoolean()) options.out().println("There are more than alpha looks at.");
        options.out()
                .printf(
                        "%s sagas are meant; to order it for no others: --expect %s --before %s. The first:%n",
                        count, count, Options.text(dry.path("before")));
    }
}
