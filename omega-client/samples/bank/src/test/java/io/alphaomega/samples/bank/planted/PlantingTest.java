package io.alphaomega.samples.bank.planted;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.alphaomega.samples.bank.planted.PlantedBug.Trouble;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Whoever changes a place where a bug is planted hears of it at once, not from the next long campaign. */
class PlantingTest {
    @Test
    void every_bug_has_its_place() {
        List<PlantedBug> all = PlantedBugsTest.all().toList();
        assertThat(all).hasSizeGreaterThanOrEqualTo(12);
        assertThat(all)
                .allSatisfy(bug -> assertThat(bug.changes())
                        .isNotEmpty()
                        .allSatisfy(change ->
                                assertThat(Planting.changed(bug, change)).isNotEmpty()));
    }

    @Test
    void a_bug_whose_place_has_gone_is_reported() {
        PlantedBug homeless = AlphaBugs.bug(
                "nothing",
                Trouble.NONE,
                Set.of(),
                AlphaBugs.change(
                        "alpha-server/saga/src/main/java/io/alphaomega/saga/SagaRules.java", "no such text", ""));
        assertThatThrownBy(() -> Planting.changed(homeless, homeless.changes().getFirst()))
                .hasMessageContaining("has it nowhere");
    }
}
