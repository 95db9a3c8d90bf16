package io.alphaomega.ctl;

import io.alphaomega.ctl.Options.Column;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;

/** {@code alphactl check}: whether alpha is as it should be. */
@Command(
        name = "check",
        mixinStandardHelpOptions = true,
        description =
                "Looks at readiness, the store's durability, what is missing of the cluster, the nodes' versions and clocks, and what is stuck.")
final class CheckCommand implements Callable<Integer> {
    /** Half of what alpha refuses. */
    private static final long CLOCK_MILLIS = 500;

    private static final int NOT_FOUND = 404;

    @Mixin
    private Options options = new Options();

    private final ArrayNode findings = Api.object().putArray("findings");

    private enum Verdict {
        PASS,
        WARN,
        FAIL
    }

    @Override
    public Integer call() {
        Api api = options.plainApi();
        Api.Answer ready = api.look("/actuator/health/readiness");
        find(ready.status() == 200 ? Verdict.PASS : Verdict.FAIL, "readiness", notUp(ready.body()));
        restored(ready.body().at("/components/restoration/details"));
        JsonNode durability = api.get("/actuator/info").at("/alpha/durability");
        String level = Options.text(durability.path("level"));
        find(
                level.equals("POWER_LOSS") || level.equals("FAILOVER") ? Verdict.PASS : Verdict.WARN,
                "store",
                "what it acknowledged survives " + level + ": " + Options.text(durability.path("settings")));
        troubles(api.look(Troubles.PATH));
        nodes(api.get("/api/v1/nodes").path("nodes"));
        stuck(api.look("/api/v1/stuck?limit=0"));
        JsonNode answer = Api.object().set("findings", findings);
        options.print(
                answer,
                findings,
                List.of(Column.of("", "verdict"), Column.of("WHAT", "what"), Column.of("FOUND", "found")));
        boolean failed = findings.values().stream()
                .anyMatch(finding -> finding.path("verdict").asString("").equals(Verdict.FAIL.name()));
        return failed ? AlphaCtl.WRONG : 0;
    }

    private void find(Verdict verdict, String what, String found) {
        findings.addObject().put("verdict", verdict.name()).put("what", what).put("found", found);
    }

    /** Nothing to find if the store was not set back, or no saga is held any more for that. */
    private void restored(JsonNode holding) {
        if (!holding.has("held")) return;
        find(
                Verdict.WARN,
                "restored",
                "%s %s sagas are held until a person has looked at them."
                        .formatted(Options.text(holding.path("reason")), Options.text(holding.path("held"))));
    }

    private static String notUp(JsonNode health) {
        StringBuilder down = new StringBuilder();
        health.path("components").properties().forEach(component -> {
            if (component.getValue().path("status").asString("").equals("UP")) return;
            down.append(component.getKey())
                    .append(' ')
                    .append(Options.text(component.getValue().path("status")))
                    .append(' ');
        });
        return down.isEmpty()
                ? Options.text(health.path("status"))
                : down.toString().strip();
    }

    private void nodes(JsonNode nodes) {
        Set<String> versions = new HashSet<>();
        for (JsonNode node : nodes.values()) {
            String address = "node " + Options.text(node.path("address"));
            JsonNode report = node.path("report");
            boolean up = node.path("status").asString("").equals("UP")
                    && node.path("reachable").asBoolean();
            if (!up || !report.isObject()) {
                find(Verdict.FAIL, address, report.isObject() ? Options.text(node.path("status")) : "does not answer");
                continue;
            }
            versions.add(Options.text(report.path("version")));
            long ahead = node.at("/clock/aheadMillis").asLong(0);
            find(
                    Math.abs(ahead) > CLOCK_MILLIS ? Verdict.WARN : Verdict.PASS,
                    address,
                    "up, its clock is %d ms ahead".formatted(ahead));
        }
        find(
                versions.size() > 1 ? Verdict.WARN : Verdict.PASS,
                "versions",
                String.join(", ", versions.stream().sorted().toList()));
    }

    private void stuck(Api.Answer answer) {
        if (answer.status() != 200) {
            find(Verdict.FAIL, "stuck", Options.text(answer.body().path("detail")));
            return;
        }
        String unknown = Options.text(answer.body().path("unknownSince"));
        if (!unknown.isEmpty()) {
            find(Verdict.FAIL, "stuck", "unknown since %s: nobody could look".formatted(unknown));
            return;
        }
        long count = answer.body().path("count").asLong();
        find(count == 0 ? Verdict.PASS : Verdict.WARN, "stuck", count + " sagas");
        for (JsonNode waiting : answer.body().path("waiting").values()) {
            String found = "%s sagas wait, and no instance is connected".formatted(Options.text(waiting.path("count")));
            find(Verdict.WARN, "service " + Options.text(waiting.path("service")), found);
        }
    }

    /** An older alpha does not say. */
    private void troubles(Api.Answer answer) {
        if (answer.status() == NOT_FOUND) return;
        if (answer.status() != 200)
            find(Verdict.FAIL, "cluster", Options.text(answer.body().path("detail")));
        for (JsonNode trouble : answer.body().path("troubles").values()) {
            String kind = trouble.path("kind").asString("");
            if (kind.equals("STUCK_UNKNOWN")) continue; // Found below.
            find(
                    kind.equals("LIST_BEHIND") ? Verdict.WARN : Verdict.FAIL,
                    "cluster",
                    Options.text(trouble.path("text")));
        }
    }
}
