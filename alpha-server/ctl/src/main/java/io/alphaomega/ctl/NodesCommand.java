package io.alphaomega.ctl;

import io.alphaomega.ctl.Options.Column;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import tools.jackson.databind.JsonNode;

/** {@code alphactl nodes}. */
@Command(name = "nodes", mixinStandardHelpOptions = true, description = "The nodes of the cluster, the oldest first.")
final class NodesCommand implements Callable<Integer> {
    @Mixin
    private Options options = new Options();

    @Override
    public Integer call() {
        JsonNode answer = options.api().get("/api/v1/nodes");
        options.print(
                answer,
                answer.path("nodes"),
                List.of(
                        Column.of("NODE", "address"),
                        Column.of("STATUS", "status"),
                        new Column("REACHABLE", node -> node.path("reachable").asBoolean() ? "yes" : "no"),
                        new Column("VERSION", node -> Options.text(node.at("/report/version"))),
                        new Column("SAGAS", node -> Options.text(node.at("/report/sagas"))),
                        new Column("SHARDS", node -> Options.text(node.at("/report/shards"))),
                        new Column("STREAMS", node -> Options.text(node.at("/report/streams"))),
                        new Column("CLOCK MS AHEAD", node -> Options.text(node.at("/clock/aheadMillis")))));
        return 0;
    }
}
