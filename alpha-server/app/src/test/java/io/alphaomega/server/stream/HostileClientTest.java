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
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
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
    /** 20 s of them, so that the p99 is not just the slowest. */
    private static final int SAGAS = 1_000;

    /** What comes before alpha's memory is full, and a few seconds more. */
    private static final int SAGAS_AT_FIRST = 500;

    private static final Duration EVERY = Duration.ofMillis(20);

    /**
     * The JVM as in production and not as for other tests, where each start counts: with the compiler and the collector of
     * its choice. With the option on errors the first of this kind would end alpha with code 3, as scripts/alpha has it.
     */
    private static final Map<String, String> SMALL = Map.of(
            "_JAVA_OPTIONS",
            "-Xmx256m -XX:+ExitOnOutOfMemoryError -XX:TieredStopAtLevel=4 -XX:-UseSerialGC -XX:+UseG1GC");

    private static final Pattern FIGURES = Pattern.compile(
            "(?m)^(alpha_stream_(lent|held|refused|connections).*|alpha_sagas_total\\{event=\"begun.*|jvm_memory_used_bytes\\{area=\"heap\".*)$");

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
                sagas(honest, SAGAS); // Warm.
                print("before", sagas(honest, SAGAS));
                try (HostileProcess hostile = new HostileProcess(port, streams, directory)) {
                    print("at first", sagas(honest, SAGAS_AT_FIRST));
                    print("beside", sagas(honest, SAGAS));
                    System.out.printf(
                            "%d hostile streams sent %d MiB%n%s%n",
                            streams,
                            hostile.sent() >> 20,
                            FIGURES.matcher(alpha.get("/actuator/prometheus").body())
                                    .results()
                                    .map(found -> found.group(1))
                                    .collect(Collectors.joining("\n")));
                }
                assertThat(alpha.get("/actuator/health/liveness").statusCode()).isEqualTo(200);
                assertThat(alpha.out() + alpha.err()).doesNotContain("java.lang.OutOfMemoryError");
                sagas(honest, 10);
            }
        }
    }

    private static void print(String when, double[] millis) {
        System.out.printf(
                "an honest saga, %s: p50 %.1f ms, p90 %.1f ms, p99 %.1f ms, longest %.1f ms%n",
                when,
                millis[millis.length / 2],
                millis[millis.length * 9 / 10],
                millis[millis.length * 99 / 100],
                millis[millis.length - 1]);
    }

    /** How long each took from when it was due, in milliseconds; the shortest first. One that is late makes the next late. */
    private static double[] sagas(TestOmega omega, int sagas) {
        double[] millis = new double[sagas];
        long due = System.nanoTime();
        for (int i = 0; i < sagas; i++) {
            due += EVERY.toNanos();
            for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime())
                LockSupport.parkNanos(left);
            String saga = UUID.randomUUID().toString();
            insist(omega, begin(1, saga), Ack::hasAccepted);
            insist(omega, beginBranch(2, saga, "b"), Ack::hasAccepted);
            insist(omega, endBranch(3, saga, "b"), Ack::hasAccepted);
            insist(omega, end(4, saga, true), Ack::hasCommitted);
            millis[i] = (System.nanoTime() - due) / 1e6;
        }
        Arrays.sort(millis);
        return millis;
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
