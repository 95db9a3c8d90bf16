package io.alphaomega.samples.bank.campaign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.alphaomega.repository.servers.Patience;
import io.alphaomega.samples.bank.checker.Floor;
import io.alphaomega.samples.bank.checker.History;
import io.alphaomega.samples.bank.checker.History.Fault;
import io.alphaomega.samples.bank.checker.History.Listed;
import io.alphaomega.samples.bank.checker.History.Terms;
import io.alphaomega.samples.bank.checker.Verdict;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.awaitility.core.ConditionTimeoutException;

/** Blow after blow to an installation under load; when it is quiet, everything that was promised must be so. */
final class Campaign {
    private static final int ACKS_BETWEEN_BLOWS = 20;
    private static final int PROGRESS_EVERY = 10;

    /** Of the blows of each label so many in ten must have been seen to strike. */
    private static final int PROVEN_TENTHS = 9;

    /** After a blow is mended the load must flow again by then, whatever it was. */
    private static final Duration FLOWS = Patience.LIMIT;

    /** A saga's own time, and as much again for its callbacks on two busy cores. */
    private static final Duration QUIET = Stage.SAGA_TIMEOUT.multipliedBy(3);

    /** The cluster has given the node up; or it started while it reached neither its cluster nor the store. */
    private static final List<Integer> OWN_EXITS = List.of(4, 1);

    private static final Duration GRACE = Duration.ofSeconds(20);
    private static final Duration AFTERMATH = Duration.ofSeconds(45);
    /** Six times in the long one nothing is broken, so that what has no fault as its reason is seen. */
    private static final int BLOWS_BETWEEN_CALMS = 40;

    private static final Duration CALM = AFTERMATH.plus(GRACE).plusSeconds(10);

    /** One saga a second is abandoned by the recorder. */
    private static final int OVERDUE_IN_A_CALM = 5;

    private static final Duration CLOCKS = Duration.ofMillis(500);

    private final String name;
    private final long seed;
    private final Stage stage;
    private final Clock clock = Clock.systemUTC();
    private final List<String> findings = new ArrayList<>();

    Campaign(String name, long seed, Stage stage) {
        this.name = name;
        this.seed = seed;
        this.stage = stage;
    }

    /** Strikes them one by one, none any more when the time is over, and comes to a verdict on what was struck. */
    void survive(List<Blow> blows, Duration limit) {
        Nemesis nemesis = new Nemesis(stage);
        try (Recorder recorder = new Recorder(Recorder.addresses(stage.network));
                Customers customers = new Customers(stage)) {
            recorder.start();
            // It sends again what is not answered; the first customers of a cold cluster on slow cores would give up.
            flows(recorder, "at first");
            customers.start(seed);
            List<Blow> struck = blows.subList(0, strike(blows, limit, nemesis, recorder));
            customers.stop();
            recorder.stop();
            await("the last answers").atMost(QUIET).until(recorder::isIdle);
            History history = collect(recorder, customers, nemesis);
            judge(history, enough(struck), recorder, nemesis);
        }
    }

    /** How many it came to. */
    private int strike(List<Blow> blows, Duration limit, Nemesis nemesis, Recorder recorder) {
        Instant began = clock.instant();
        for (int number = 1; number <= blows.size(); number++) {
            Duration passed = Duration.between(began, clock.instant());
            if (number % PROGRESS_EVERY == 1) progress(number - 1, blows.size(), passed, recorder);
            if (passed.compareTo(limit) > 0) {
                System.out.printf(
                        "== %s: the time is over, %d of %d blows were struck%n", name, number - 1, blows.size());
                return number - 1;
            }
            Blow blow = blows.get(number - 1);
            try {
                System.out.printf("%s %d: %s: %s%n", name, number, blow, nemesis.strike(blow));
            } catch (RuntimeException surprise) {
                find("Blow %d, %s, could not be struck or mended, so that it was the last: %s"
                        .formatted(number, blow, surprise));
                return number - 1;
            }
            flows(recorder, "after " + blow);
            if (number % BLOWS_BETWEEN_CALMS == 0) Nemesis.hold(CALM);
        }
        return blows.size();
    }

    private void progress(int struck, int all, Duration passed, Recorder recorder) {
        System.out.printf(
                "== %s: %d of %d blows in %d s, %d acks%n", name, struck, all, passed.toSeconds(), recorder.count());
    }

    /** In proportion to the blows: nearly all of them, and what even a slow machine does meanwhile. */
    private static Floor enough(List<Blow> blows) {
        int each = blows.size();
        long calms = each / BLOWS_BETWEEN_CALMS;
        Map<String, Integer> labels = new TreeMap<>();
        blows.stream()
                .collect(Collectors.groupingBy(Blow::label, Collectors.summingInt(blow -> 1)))
                .forEach((label, count) -> labels.put(label, (count * PROVEN_TENTHS + 9) / 10));
        return new Floor(5L * each, each, 50L * each, 5L * each, each, OVERDUE_IN_A_CALM * calms, labels);
    }

    private void find(String finding) {
        System.out.printf("%s: %s%n", name, finding);
        findings.add(finding);
    }

    private void flows(Recorder recorder, String when) {
        int enough = recorder.count() + ACKS_BETWEEN_BLOWS;
        try {
            await().atMost(FLOWS).until(() -> recorder.count() >= enough);
        } catch (ConditionTimeoutException stuck) {
            find("%s the cluster acknowledged %d of %d inputs within %s."
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
                new Terms(clock.instant(), GRACE, AFTERMATH, CLOCKS));
        Path file = stage.directory.resolve("history.json");
        history.write(file);
        System.out.printf("%s: the history is in %s%n", name, file);
        return history;
    }

    private void judge(History history, Floor floor, Recorder recorder, Nemesis nemesis) {
        Verdict verdict = Verdict.of(history, floor);
        nemesis.findings().forEach(this::find);
        recorder.surprises().forEach(this::find);
        for (Node node : stage.alphas) {
            for (int code : node.ownExits()) {
                if (!OWN_EXITS.contains(code)) {
                    find("%s ended by itself with code %d, expected one of %s.".formatted(node.name, code, OWN_EXITS));
                }
            }
        }
        int sagas = history.sagas().size();
        System.out.printf(
                "== %s, seed %d: %s; %d sagas, %d acked events; violations %d, findings %d; own exits %s; with %d sagas and none torn, at most %.1e of them are (95%%)%n",
                name,
                seed,
                groups(history.faults()),
                sagas,
                history.acks().size(),
                verdict.violations().size(),
                findings.size(),
                ownExits(),
                sagas,
                3.0 / sagas);
        System.out.printf("== %s%n", Failover.header());
        Failover.of(recorder.answered(), history.faults()).forEach(kind -> System.out.printf("== %s%n", kind));
        Answers.of(history.told(), history.faults(), AFTERMATH)
                .forEach((kind, answers) -> System.out.printf("== callers, %s: %s%n", kind, answers));
        System.out.printf("%s: %s%n", name, verdict);
        assertThat(verdict.voids()).as("the run is void: too little happened").isEmpty();
        assertThat(verdict.violations()).as("violations").isEmpty();
        assertThat(findings).isEmpty();
    }

    /** All partitions as one, whatever their shapes; those are in the table. */
    private static String groups(List<Fault> faults) {
        return new TreeMap<>(faults.stream()
                        .collect(Collectors.groupingBy(
                                fault -> fault.kind().replaceFirst("^partition-.*", "partition"),
                                Collectors.counting())))
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
