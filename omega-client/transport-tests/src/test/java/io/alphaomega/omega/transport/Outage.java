package io.alphaomega.omega.transport;

import io.alphaomega.repository.servers.Command;
import io.alphaomega.repository.servers.ServerProcess;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.locks.LockSupport;

/**
 * What an outage of alpha costs a service that goes on beginning sagas: how much it holds, and for how long its threads wait.
 * Alpha is killed, and in a second round stands still.
 */
final class Outage {
    private static final double MIB = 1024 * 1024;
    private static final double NANOS_PER_MILLI = 1e6;
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final HttpClient http = HttpClient.newHttpClient();
    private final ServerProcess alpha;
    private final String address;
    private final int minutes;

    /** @param options {@code --minutes=}, 10 unless it is said: how long alpha is away, each time */
    Outage(ServerProcess alpha, String address, String... options) {
        this.alpha = alpha;
        this.address = address;
        minutes = StarterCost.option(options, "minutes", 10);
    }

    /**
     * What the service says at one moment, after a garbage collection.
     *
     * @param heap in bytes
     * @param unanswered reports that alpha has not answered
     * @param withoutRoom reports that wait until fewer are
     * @param longestBegin in nanoseconds: a saga of a thread that begins a branch
     * @param longestAbort in nanoseconds: a saga of a thread whose call to another service fails
     */
    record Figures(
            long heap,
            long unanswered,
            long withoutRoom,
            long committed,
            long failed,
            long longestBegin,
            long longestAbort) {
        @Override
        public String toString() {
            return "%d %d %d %d %d %d %d"
                    .formatted(heap, unanswered, withoutRoom, committed, failed, longestBegin, longestAbort);
        }

        static Figures parse(String text) {
            long[] all = Arrays.stream(text.split(" ", -1))
                    .mapToLong(Long::parseLong)
                    .toArray();
            return new Figures(all[0], all[1], all[2], all[3], all[4], all[5], all[6]);
        }
    }

    void measure() throws IOException, InterruptedException {
        System.out.println("""
                | alpha | minute | heap in use, MB | unanswered | without room | committed | failed | longest wait, ms: to begin a branch | to abort |
                | --- | --- | --- | --- | --- | --- | --- | --- | --- |""");
        measure("killed", alpha::kill, alpha::start);
        measure("standing still", alpha::pause, alpha::resume);
    }

    private void measure(String how, Runnable goes, Runnable comesBack) throws IOException, InterruptedException {
        int port = ServerProcess.freePort();
        Command command = StarterCost.service(OutageShop.class, "-Xmx256m")
                .with(
                        "--server.port=" + port,
                        // What a service has unless it says otherwise; the tests of this module say otherwise.
                        "--omega.begin-timeout=5s",
                        "--omega.hold-for=2s",
                        "--omega.alpha.addresses=" + address);
        try (ServerProcess service =
                new ServerProcess(ServerProcess.newDirectory("outage"), command, ServerProcess.listening(port))) {
            service.start();
            print("there", 1, port);
            goes.run();
            for (int minute = 1; minute <= minutes; minute++) print(how, minute, port);
            comesBack.run();
            print("back", 1, port);
        }
    }

    /** After a minute. */
    private void print(String alphaIs, int minute, int port) throws IOException, InterruptedException {
        long end = System.nanoTime() + MINUTE.toNanos();
        for (long left = MINUTE.toNanos(); left > 0; left = end - System.nanoTime()) LockSupport.parkNanos(left);
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/figures"))
                .build();
        Figures now = Figures.parse(http.send(request, BodyHandlers.ofString()).body());
        System.out.printf(
                "| %s | %d | %.1f | %,d | %,d | %,d | %,d | %,.0f | %,.0f |%n",
                alphaIs,
                minute,
                now.heap() / MIB,
                now.unanswered(),
                now.withoutRoom(),
                now.committed(),
                now.failed(),
                now.longestBegin() / NANOS_PER_MILLI,
                now.longestAbort() / NANOS_PER_MILLI);
    }
}
