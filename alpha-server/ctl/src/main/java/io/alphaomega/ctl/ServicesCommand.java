package io.alphaomega.ctl;

import io.alphaomega.ctl.Options.Column;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import tools.jackson.databind.JsonNode;

/** {@code alphactl services}. */
@Command(
        name = "services",
        mixinStandardHelpOptions = true,
        description = "The services that are connected, were within the last hour, or that stuck sagas wait for.")
final class ServicesCommand implements Callable<Integer> {
    @Mixin
    private Options options = new Options();

    @Override
    public Integer call() {
        JsonNode answer = options.api().get("/api/v1/services");
        options.print(
                answer,
                answer.path("services"),
                List.of(
                        Column.of("SERVICE", "name"),
                        new Column(
                                "CONNECTED",
                                service -> service.path("connected").asBoolean() ? "yes" : "no"),
                        new Column(
                                "INSTANCES",
                                service -> Integer.toString(
                                        service.path("instances").size())),
                        new Column("BUILDS", ServicesCommand::builds),
                        Column.of("STUCK", "stuck"),
                        new Column("MISSING CALLBACKS", ServicesCommand::missing)));
        return 0;
    }

    /** With how many open sagas need each, where alpha has looked. */
    private static String missing(JsonNode service) {
        Map<String, String> counts = new HashMap<>();
        for (JsonNode lack : service.path("lacking")) {
            String of = lack.path("more").asBoolean() ? " (%d sagas or more)" : " (%d sagas)";
            counts.put(
                    lack.path("callback").asString(),
                    of.formatted(lack.path("sagas").asInt()));
        }
        return service.path("missing").values().stream()
                .map(name -> Options.text(name) + counts.getOrDefault(name.asString(), ""))
                .collect(Collectors.joining(", "));
    }

    /** One by itself; several with how many instances of each are connected. */
    private static String builds(JsonNode service) {
        Set<Map.Entry<String, JsonNode>> builds = service.path("builds").properties();
        if (builds.size() == 1) return Options.harmless(builds.iterator().next().getKey());
        return builds.stream()
                .map(build -> "%s (%d)"
                        .formatted(
                                Options.harmless(build.getKey()),
                                build.getValue().asInt()))
                .collect(Collectors.joining(", "));
    }
}
