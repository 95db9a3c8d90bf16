package io.alphaomega.samples.bank.checker;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sound histories pass, thin ones are void, and all can be kept in files. */
class CheckerTest {
    private final Scene scene = new Scene();

    @Test
    void histories_of_every_kind_pass_in_any_order() {
        Random random = new Random(20_261_120);
        for (int i = 0; i < 500; i++) {
            String transfer = "t" + i;
            switch (random.nextInt(4)) {
                case 0 -> scene.committed(transfer);
                case 1 -> scene.compensated(transfer);
                case 2 -> scene.reopened(transfer);
                default -> scene.confirmed(transfer);
            }
        }
        Collections.shuffle(scene.effects, random);
        Collections.shuffle(scene.told, random);
        scene.passes();
    }

    @Test
    void a_history_read_from_its_file_is_the_same(@TempDir Path directory) {
        scene.committed("one");
        scene.suspended("two");
        scene.confirmed("three");
        scene.fault("kill", Scene.START, Scene.START.plusSeconds(1), "COMPENSATION_FAILED");
        scene.history().write(directory.resolve("run/history.json"));
        assertThat(History.read(directory.resolve("run/history.json"))).isEqualTo(scene.history());
    }

    private final Floor floor = new Floor(2, 1, 1, 1, 1, 0, Map.of("kill", 1));

    private Verdict verdict() {
        return Verdict.of(scene.history(), floor);
    }

    @Test
    void a_run_in_which_enough_happened_passes() {
        scene.committed("one");
        scene.confirmed("two");
        scene.compensated("three");
        scene.fault("kill", Scene.START.plusMillis(3), Scene.START.plusSeconds(1));
        assertThat(verdict().passed()).as(verdict().toString()).isTrue();
    }

    @Test
    void a_run_in_which_nothing_happened_is_void() {
        assertThat(verdict().violations()).isEmpty();
        assertThat(verdict().passed()).isFalse();
        assertThat(verdict().voids()).hasSize(6);
        assertThat(verdict().toString()).startsWith("void");
    }

    @Test
    void a_run_with_its_faults_before_the_load_is_void() {
        scene.committed("one");
        scene.confirmed("two");
        scene.compensated("three");
        scene.fault("kill", Scene.START.minus(Duration.ofSeconds(5)), Scene.START.minusSeconds(4));
        assertThat(verdict().voids()).singleElement().asString().contains("sagas open during a fault: 0");
    }

    @Test
    void a_run_whose_deadlines_all_passed_during_faults_is_void() {
        Floor overdue = new Floor(0, 0, 0, 0, 0, 1, Map.of());
        String saga = scene.compensated("one");
        scene.deadline(saga, Scene.START.minusSeconds(1));
        scene.timedOut(saga);
        assertThat(Verdict.of(scene.history(), overdue).voids()).isEmpty();

        scene.fault("kill", Scene.START.minusSeconds(5), Scene.START.minusSeconds(2));
        assertThat(Verdict.of(scene.history(), overdue).voids())
                .singleElement()
                .asString()
                .contains("a deadline that no fault excused to miss: 0");
    }
}
