package io.alphaomega.samples.bank.campaign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.alphaomega.samples.bank.checker.Floor;
import io.alphaomega.samples.bank.checker.History;
import io.alphaomega.samples.bank.checker.History.Fault;
import io.alphaomega.samples.bank.checker.History.Listed;
import io.alphaomega.samples.bank.checker.History.Terms;
import io.alphaomega.samples.bank.checker.Verdict;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.awaitility.core.ConditionTimeoutException;

/** Blow after blow to an installation under load; when it is quiet, everything that was promised must be so. */
final class Campaign {
    private static final int ACKS_BETWEEN_BLOWS = 50;
    private static final int PROGRESS_EVERY = 10;

    /** After a blow is mended the load must flow again by then, whatever it was. */
    private static final Duration FLOWS = Duration.ofSeconds(60);

    /** A saga's own time, and as much again for its callbacks on two busy cores. */
    private static final Duration QUIET = Stage.SAGA_TIMEOUT.multipliedBy(3);

    private static final Duration GRACE = Duration.ofSeconds(20);
    private static final Duration AFTERMATH = Duration.ofSeconds(45);
    private static final Duration CLOCKS = Duration.ofMillis(500);

    private final String name;
    private final long seed;
    private final Stage stage;
    private final List<String> findings = new ArrayList<>();

    Campaign(String name, long seed, Stage stage) {
        this.name = name;
        this.seed = seed;
        this.stage = stage;
    }

    void survive(List<Blow> blows, Floor floor) {
        Nemesis nemesis = new Nemesis(stage);
        try (Recorder recorder = new Recorder(Recorder.addresses(stage.network));
                Customers customers = new Customers(stage)) {
            recorder.start();
            customers.start(seed);
            flows(recorder, "at first");
            for (int number = 1; number <= blows.size(); number++) {
                Blow blow = blows.get(number - 1);
                String evidence = nemesis.strike(blow);
                System.out.printf("%s %d: %s: %s%n", name, number, blow, evidence);
                flows(recorder, "after " + blow);
                if (number % PROGRESS_EVERY == 0) {
                    System.out.printf("== %s: %d of %d blows, %d acks%n", name, number, blows.size(), recorder.count());
                }
            }
            customers.stop();
            recorder.stop();
            await("the last answers").atMost(QUIET).until(recorder::isIdle);
            History history = collect(recorder, customers, nemesis);
            judge(history, floor, recorder, nemesis);
        }
    }

    private void flows(Recorder recorder, String when) {
        int enough = recorder.count() + ACKS_BETWEEN_BLOWS;
        try {
            await().atMost(FLOWS).until(() -> recorder.count() >= enough);
        } catch (ConditionTimeoutException stuck) {
            findings.add("%s the cluster acknowledged %d of %d inputs within %s."
                    .formatted(when, ACKS_BETWEEN_BLOWS - (enough - recorder.count()), ACKS_BETWEEN_BLOWS, FLOWS));
        }
    }

    private History collect(Recorder recorder, Customers customers, Nemesis nemesis) {
        AlphaApi api = new AlphaApi(stage.alphas.getFirst().address, stage.http);
        api.awaitNoneOpen(QUIET);
        Witnesses databases = new Witnesses(stage.databases);
        List<Listed> list = api.list();
        History history = new History(
                customers.told(),
                Stream.concat(databases.effects().stream(), recorder.effects().stream())
                        .toList(),
                databases.balances(),
                databases.fence(),
                api.sagas(list),
                list,
                recorder.acks(),
                recorder.callbacks(),
                nemesis.faults(),
                new Terms(Clock.systemUTC().instant(), GRACE, AFTERMATH, CLOCKS));
        Path file = stage.directory.resolve("history.json");
        history.write(file);
        System.out.printf("%s: the history is in %s%n", name, file);
        return history;
    }

    private void judge(History history, Floor floor, Recorder recorder, Nemesis nemesis) {
        Verdict verdict = Verdict.of(history, floor);
        findings.addAll(nemesis.findings());
        findings.addAll(recorder.surprises());
        int sagas = history.sagas().size();
        System.out.printf(
                "== %s, seed %d: %s; %d sagas, %d acked events; violations %d, findings %d; %s; own exits %s; with %d sagas and none torn, at most %.1e of them are (95%%)%n",
                name,
                seed,
                kinds(history.faults()),
                sagas,
                history.acks().size(),
                verdict.violations().size(),
                findings.size(),
                Failover.of(recorder.answered(), history.faults()),
                ownExits(),
                sagas,
                3.0 / sagas);
        System.out.printf("%s: %s%n", name, verdict);
        findings.forEach(finding -> System.out.printf("%s: %s%n", name, finding));
        assertThat(verdict.voids()).as("the run is void: too little happened").isEmpty();
        assertThat(verdict.violations().size())
                .as("violations; they are printed above")
                .isZero();
        assertThat(findings).isEmpty();
    }

    private static String kinds(List<Fault> faults) {
        return new TreeMap<>(faults.stream().collect(Collectors.groupingBy(Fault::kind, Collectors.counting())))
                .toString();
    }

    /** Nodes that were taken out of the cluster end, and are started again. */
    private String ownExits() {
        return stage.alphas.stream()
                .map(node -> node.name + " " + node.ownExits())
                .toList()
                .toString();
    }
}
