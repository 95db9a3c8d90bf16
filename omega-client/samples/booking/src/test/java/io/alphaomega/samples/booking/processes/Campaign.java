package io.alphaomega.samples.booking.processes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Blow after blow to an installation under load; when it is quiet, everything that was promised must be so. */
final class Campaign {
    static final long SEED = 20_261_120;

    /** The next blow falls after up to this many further acknowledgements: from a millisecond to a second of load. */
    private static final int ACKS_BETWEEN_BLOWS = 500;

    private static final int PROGRESS_EVERY = 20;
    private static final Duration LOAD = Duration.ofMinutes(2);
    private static final Duration QUIET = Duration.ofMinutes(3);

    /** Breaks something and mends it. */
    interface Blow {
        void strike(int number, Random random);
    }

    private final String name;
    private final Stage stage;

    Campaign(String name, Stage stage) {
        this.name = name;
        this.stage = stage;
    }

    /** @param what for the report: what the blows were */
    void survive(int blows, String what, Blow blow) {
        Random random = new Random(SEED);
        try (Recorder recorder = new Recorder(stage.grpc);
                Customers customers = new Customers(stage)) {
            recorder.start();
            customers.start();
            for (int number = 1; number <= blows; number++) {
                long enough = recorder.acks() + 1 + random.nextInt(ACKS_BETWEEN_BLOWS);
                await("load before blow " + number).atMost(LOAD).until(() -> recorder.acks() >= enough);
                blow.strike(number, random);
                if (number % PROGRESS_EVERY == 0) {
                    System.out.printf("== %s: %d of %d blows, %d acks%n", name, number, blows, recorder.acks());
                }
            }
            customers.stop();
            recorder.stop();
            await("the last answers").atMost(QUIET).until(recorder::isIdle);
            judge(what, recorder, customers);
        }
    }

    private void judge(String what, Recorder recorder, Customers customers) {
        Map<String, String> states = stage.api.awaitAllOver();
        List<String> lies = customers.lies(states);
        Checker checker = new Checker(stage);
        List<Recorder.Promise> missing = checker.missing(recorder.promises());
        Checker.Verdict verdict = checker.check();
        System.out.printf(
                "== %s, seed %d: %s; acked events %d, missing %d; %s; answers %s%n",
                name, SEED, what, recorder.promises().size(), missing.size(), verdict, customers.answers());
        assertThat(missing).isEmpty();
        assertThat(recorder.surprises()).isEmpty();
        assertThat(verdict.torn()).isEmpty();
        assertThat(lies).isEmpty();
    }
}
