package io.alphaomega.samples.bank.planted;

import static org.awaitility.Awaitility.await;

import io.alphaomega.repository.servers.RedisServer;
import io.alphaomega.repository.servers.ServerProcess;
import io.alphaomega.samples.bank.checker.History.Fault;
import io.alphaomega.samples.bank.checker.History.Terms;
import io.alphaomega.samples.bank.planted.PlantedBug.Trouble;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import org.awaitility.core.ConditionTimeoutException;

/** One alpha, or two by mistake, on a store of their own, and what befalls them. */
final class Coordinator implements AutoCloseable {
    /** Longer than any saga lives that is not forgotten. */
    private static final Duration SETTLED_WITHIN = Duration.ofSeconds(14);

    /** Deadlines pass meanwhile, so that much is on its way to a store that does not answer. */
    private static final Duration ON_ITS_WAY = Duration.ofMillis(3_500);

    private static final Duration GRACE = Duration.ofSeconds(4);
    private static final Duration CLOCKS = Duration.ofMillis(500);

    final List<String> grpc = new ArrayList<>();
    final AlphaPages pages;
    private final Clock clock = Clock.systemUTC();
    private final List<Fault> faults = new ArrayList<>();
    private final RedisServer store = RedisServer.start("appendfsync always");
    private final List<ServerProcess> alphas = new ArrayList<>();

    Coordinator(Processes processes, HttpClient http, int count) {
        int firstHttp = ServerProcess.freePort();
        pages = new AlphaPages(URI.create("http://127.0.0.1:" + firstHttp), http);
        for (int i = 0; i < count; i++) {
            int port = ServerProcess.freePort();
            alphas.add(processes.alpha(i == 0 ? firstHttp : ServerProcess.freePort(), port, store.port()));
            grpc.add("127.0.0.1:" + port);
        }
    }

    void start() {
        alphas.parallelStream().forEach(ServerProcess::start);
    }

    /** Whatever of that kind of trouble befalls alpha and its store. */
    void strike(Trouble trouble) {
        Instant from = clock.instant();
        ServerProcess alpha = alphas.getFirst();
        switch (trouble) {
            case NONE, BANK, BANK_PAUSED, BANK_ANSWERS_LOST -> {
                return;
            }
            // Two owners excuse nothing.
            case RIVALS -> {}
            case KILL -> {
                alpha.kill();
                alpha.start();
            }
            case POWER_CUT, BANK_POWER_CUT -> cutPower(() -> {});
        }
        note(trouble.name(), from, Set.of());
    }

    /** @param meanwhile is done once the store has stopped */
    void cutPower(Runnable meanwhile) {
        ServerProcess alpha = alphas.getFirst();
        store.process().pause();
        meanwhile.run();
        await("inputs without an answer").pollDelay(ON_ITS_WAY).until(() -> true);
        alpha.kill();
        store.process().kill();
        store.process().start();
        alpha.start();
    }

    void note(String kind, Instant from, Set<String> suspends) {
        faults.add(new Fault(kind, "alpha", from, clock.instant(), suspends));
    }

    List<Fault> faults() {
        return List.copyOf(faults);
    }

    Instant now() {
        return clock.instant();
    }

    Terms terms() {
        return new Terms(clock.instant(), GRACE, GRACE, CLOCKS);
    }

    /** Waits for a while; what does not come to rest is for the checker to find. */
    static void settle(Callable<Boolean> rest) {
        try {
            await("rest")
                    .atMost(SETTLED_WITHIN)
                    .pollInterval(Duration.ofMillis(250))
                    .ignoreExceptions()
                    .until(rest);
        } catch (ConditionTimeoutException never) {
            // It is seen in what the witnesses say.
        }
    }

    /** The processes' classes with the bug before them. */
    static Path planted(PlantedBug bug) {
        Path directory = ServerProcess.newDirectory("planted");
        boolean client = bug.changes().stream().anyMatch(change -> change.file().startsWith("omega-client"));
        List<Path> lib = client
                ? Processes.jars(Processes.targetOf("bank.target"), "bank.jar")
                : Processes.jars(Processes.targetOf("alpha.target"), "alpha-server.jar");
        return Planting.plant(bug, directory, lib);
    }

    @Override
    public void close() {
        alphas.forEach(ServerProcess::close);
        store.close();
    }
}
