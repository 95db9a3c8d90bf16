package io.alphaomega.samples.booking.processes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Alpha and the services are killed again and again under load; then everything that was promised must be so. */
@Tag("processes")
@ExtendWith(StageExtension.class)
class CampaignTest {
    private static final long SEED = 20_261_120;

    /** Alpha is killed after up to this many further acknowledgements: from a millisecond to a second of load. */
    private static final int ACKS_BETWEEN_KILLS = 500;

    /** Every n-th kill takes a service along. */
    private static final int SERVICE_KILLED_EVERY = 5;

    private static final int PROGRESS_EVERY = 20;

    private static final Duration LOAD = Duration.ofMinutes(2);
    private static final Duration QUIET = Duration.ofMinutes(3);

    private final Stage stage;

    CampaignTest(Stage stage) {
        this.stage = stage;
    }

    @Test
    void nothing_acknowledged_is_missing_and_nothing_is_torn_after_a_handful_of_kills() {
        survive(6);
    }

    @Test
    @Tag("long")
    void nothing_acknowledged_is_missing_and_nothing_is_torn_after_hundreds_of_kills() {
        survive(220);
    }

    private void survive(int kills) {
        Random random = new Random(SEED);
        try (Recorder recorder = new Recorder(stage.grpc);
                Customers customers = new Customers(stage)) {
            recorder.start();
            customers.start();
            for (int kill = 1; kill <= kills; kill++) {
                long enough = recorder.acks() + 1 + random.nextInt(ACKS_BETWEEN_KILLS);
                await("load before kill " + kill).atMost(LOAD).until(() -> recorder.acks() >= enough);
                List<Node> services = List.of(stage.booking, stage.car, stage.hotel);
                if (kill % SERVICE_KILLED_EVERY == 0)
                    services.get(random.nextInt(services.size())).kill();
                stage.alpha.kill();
                stage.recover();
                if (kill % PROGRESS_EVERY == 0) {
                    System.out.printf("== campaign: %d of %d kills, %d acks%n", kill, kills, recorder.acks());
                }
            }
            customers.stop();
            recorder.stop();
            await("the last answers").atMost(QUIET).until(recorder::isIdle);
            Map<String, String> states = stage.api.awaitAllOver(QUIET);
            List<String> lies = customers.lies(states);
            Checker checker = new Checker(stage);
            List<Recorder.Promise> missing = checker.missing(recorder.promises());
            Checker.Verdict verdict = checker.check();
            System.out.printf(
                    "== campaign, seed %d: %d kills of alpha, %d of services; acked events %d, missing %d; %s; answers %s%n",
                    SEED,
                    kills,
                    kills / SERVICE_KILLED_EVERY,
                    recorder.promises().size(),
                    missing.size(),
                    verdict,
                    customers.answers());
            assertThat(missing).isEmpty();
            assertThat(recorder.surprises()).isEmpty();
            assertThat(verdict.torn()).isEmpty();
            assertThat(lies).isEmpty();
        }
    }
}
