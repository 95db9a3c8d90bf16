package io.alphaomega.server.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.alphaomega.protocol.v1.Hello;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** Two applications with one name, as far as a node sees them. */
@ExtendWith(OutputCaptureExtension.class)
class StrangersTest {
    private static final Instant NOW = Instant.parse("2026-11-20T09:00:00Z");

    private final Instances instances = new Instances();

    private static Hello hello(String instance, String... callbacks) {
        return Hello.newBuilder()
                .setService("travel")
                .setInstance(instance)
                .addAllCallbacks(List.of(callbacks))
                .build();
    }

    private void connect(String instance, String... callbacks) {
        instances.connected(hello(instance, callbacks), NOW);
    }

    @Test
    void two_applications_of_one_name_are_named_once_as_the_page_of_misuse_says(CapturedOutput output)
            throws IOException {
        for (int i = 0; i < 3; i++) {
            connect("car-" + i, "CarDesk.cancel");
            connect("bike-" + i, "BikeDesk.cancel");
        }

        assertThat(warnings(output)).singleElement().asString().containsPattern(sentence());
    }

    @Test
    void a_version_that_offers_more_is_nothing_to_speak_of(CapturedOutput output) {
        connect("one", "CarDesk.cancel");
        connect("two", "CarDesk.cancel", "BikeDesk.cancel");
        connect("three");

        assertThat(warnings(output)).isEmpty();
    }

    @Test
    void one_that_is_gone_is_compared_with_nobody(CapturedOutput output) {
        connect("one", "CarDesk.cancel");
        connect("one", "CarDesk.cancel");
        instances.gone(hello("one", "CarDesk.cancel"), NOW);
        connect("one", "TruckDesk.cancel");
        instances.gone(hello("one", "TruckDesk.cancel"), NOW);
        instances.gone(hello("one", "TruckDesk.cancel"), NOW);
        connect("two", "BikeDesk.cancel");

        assertThat(warnings(output)).isEmpty();
    }

    private static List<String> warnings(CapturedOutput output) {
        return output.getAll()
                .lines()
                .filter(line -> line.contains("offers callbacks that"))
                .toList();
    }

    private static Pattern sentence() throws IOException {
        String quoted = Files.readAllLines(Path.of("../../docs/misuse/log.md")).stream()
                .filter(line -> line.startsWith("> Service "))
                .findFirst()
                .orElseThrow()
                .substring(2);
        return Pattern.compile(
                Arrays.stream(quoted.split("…")).map(Pattern::quote).collect(Collectors.joining(".+")));
    }
}
