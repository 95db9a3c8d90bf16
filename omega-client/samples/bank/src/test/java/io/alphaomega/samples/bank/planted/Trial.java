package io.alphaomega.samples.bank.planted;

import static org.awaitility.Awaitility.await;

import io.alphaomega.repository.servers.ServerProcess;
import io.alphaomega.samples.bank.checker.Floor;
import io.alphaomega.samples.bank.checker.History;
import io.alphaomega.samples.bank.checker.History.Listed;
import io.alphaomega.samples.bank.checker.Verdict;
import io.alphaomega.samples.bank.planted.PlantedBug.Trouble;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A coordinator under the {@link Load}, and the verdict. */
final class Trial implements AutoCloseable {
    /** Enough for each kind of saga to come to its end some times. */
    private static final int ENOUGH = 500;

    private static final Floor FLOOR = new Floor(5, 5, 300, 10, 0, 0, Map.of());

    private final Trouble trouble;
    private final HttpClient http = HttpClient.newHttpClient();
    private final Path planted;
    private final Coordinator coordinator;

    Trial(PlantedBug bug) {
        trouble = bug.trouble();
        planted = Coordinator.planted(bug);
        coordinator = new Coordinator(new Processes(http, planted), http, trouble == Trouble.RIVALS ? 2 : 1);
    }

    Verdict run() {
        Instant from = coordinator.now();
        coordinator.start();
        try (Load load = new Load(coordinator.grpc)) {
            load.start();
            answered(load, ENOUGH);
            coordinator.strike(trouble);
            if (trouble != Trouble.NONE) answered(load, load.answered() + ENOUGH);
            load.stop();
            Coordinator.settle(load::isIdle);
            Coordinator.settle(coordinator.pages::areAllAtRest);
            // What never succeeds must lead to a person, from the first saga on.
            coordinator.note("stuck participant", from, Set.of("COMPENSATION_FAILED"));
            return Verdict.of(history(load), FLOOR);
        }
    }

    private static void answered(Load load, int count) {
        await("acknowledgements").until(() -> load.answered() >= count);
    }

    private History history(Load load) {
        List<Listed> list = coordinator.pages.list();
        return new History(
                load.told(),
                load.effects(),
                List.of(),
                List.of(),
                coordinator.pages.sagas(list),
                coordinator.pages.list(),
                load.acks(),
                load.callbacks(),
                coordinator.faults(),
                coordinator.terms());
    }

    @Override
    public void close() {
        coordinator.close();
        ServerProcess.delete(planted);
        http.close();
    }
}
