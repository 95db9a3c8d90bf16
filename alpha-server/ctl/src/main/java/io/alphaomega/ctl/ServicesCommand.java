package io.alphaomega.ctl;

import io.alphaomega.ctl.Options.Column;
import java.util.List;
import java.util.concurrent.Callable;
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
                        Column.of("STUCK", "stuck"),
                        Column.of("MISSING CALLBACKS", "missing")));
        return 0;
    }
}
