package io.alphaomega.server.stream;

import static io.alphaomega.server.stream.TestOmega.begin;
import static io.alphaomega.server.stream.TestOmega.beginBranch;
import static io.alphaomega.server.stream.TestOmega.end;
import static io.alphaomega.server.stream.TestOmega.endBranch;
import static org.assertj.core.api.Assertions.assertThat;

import io.alphaomega.protocol.v1.Ack;
import io.alphaomega.protocol.v1.Input;
import io.alphaomega.server.AlphaProcess;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A real alpha with a small heap, and somebody who sends as much as it may over many streams and reads nothing. That one is
 * a process of the lowest priority, since it stands for other machines, while all that alpha does for it takes from the
 * cores that the honest client waits for. It prints how long an honest saga takes, and asserts nothing of that.
 */
@Tag("long")
class HostileClientTest {
    /** So that the p99 is not just the slowest. */
    private static final int SAGAS = 300;

    /** With it the first error of this kind would end alpha with code 3, as scripts/alpha has it. */
    private static final Map<String, String> SMALL =
            Map.of("JAVA_TOOL_OPTIONS", "-Xmx256m -XX:+ExitOnOutOfMemoryError");

    private static final Pattern FIGURES = Pattern.compile(
            "(?m)^(alpha_stream_(lent|refused|connections).*|jvm_memory_used_bytes\\{area=\"heap\".*)$");

    @TempDir
    private Path directory;

    @Test
    void an_honest_client_is_served_beside_one_with_more_streams_than_alpha_takes() {
        served(400);
    }

    @Test
    void an_honest_client_is_served_beside_one_with_ten_thousand_streams() {
        served(10_000);
    }

    private void served(int streams) {
        try (AlphaProcess alpha = AlphaProcess.start(directory, SMALL).awaitReady()) {
            int port = Integer.parseInt(alpha.grpcAddress().replaceAll(".*:", ""));
            try (TestOmega honest = TestOmega.welcomed(port, "booking", "b-1")) {
                p99(honest, SAGAS); // Warm.
                double before = p99(honest, SAGAS);
                try (HostileProcess hostile = new HostileProcess(port, streams, directory)) {
                    double beside = p99(honest, SAGAS);
                    System.out.printf(
                            "%d hostile streams sent %d MiB; an honest saga's p99 was %.1f ms before and %.1f ms beside them%n%s%n",
                            streams,
                            hostile.sent() >> 20,
                            before,
                            beside,
                            FIGURES.matcher(alpha.get("/actuator/prometheus").body())
                                    .results()
                                    .map(found -> found.group(1))
                                    .collect(Collectors.joining("\n")));
                }
                assertThat(alpha.get("/actuator/health/liveness").statusCode()).isEqualTo(200);
                assertThat(alpha.out() + alpha.err()).doesNotContain("java.lang.OutOfMemoryError");
                p99(honest, 10);
            }
        }
    }

    /** Of so many sagas, one after the other, in milliseconds. */
    private static double p99(TestOmega omega, int sagas) {
        double[] millis = new double[sagas];
        for (int i = 0; i < sagas; i++) {
            long begun = System.nanoTime();
            String saga = UUID.randomUUID().toString();
            insist(omega, begin(1, saga), Ack::hasAccepted);
            insist(omega, beginBranch(2, saga, "b"), Ack::hasAccepted);
            insist(omega, endBranch(3, saga, "b"), Ack::hasAccepted);
            insist(omega, end(4, saga, true), Ack::hasCommitted);
            millis[i] = (System.nanoTime() - begun) / 1e6;
        }
        Arrays.sort(millis);
        return millis[sagas * 99 / 100];
    }

    private interface Wanted {
        boolean is(Ack ack);
    }

    /** As omegas do: what is to be sent again is sent again. */
    private static void insist(TestOmega omega, Input input, Wanted wanted) {
        Ack ack = omega.ask(input);
        while (ack.hasUnavailable()) ack = omega.ask(input);
        assertThat(wanted.is(ack)).as("%s", ack).isTrue();
    }
}
