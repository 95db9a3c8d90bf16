package io.alphaomega.saga.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** A simulation that finds nothing proves nothing, unless it is known to find what is there. */
class PlantedBugsTest {
    private static final String SIMULATION = "io.alphaomega.saga.simulation.FirstFailure";
    private static final String NESTING = "io.alphaomega.saga.simulation.NestingWorld";
    private static final String TRANSCRIPTS = "io.alphaomega.saga.transcripts.Transcripts";

    /** One of so many is planted each time, since each takes a second or more; {@code --long} has the others. */
    private static final int EVERY = 6;

    @TestFactory
    Stream<DynamicTest> the_simulation_finds() {
        return found(0, 1);
    }

    @TestFactory
    @Tag("long")
    Stream<DynamicTest> the_simulation_finds_all_others_too() {
        return found(1, EVERY);
    }

    /** Of each {@link #EVERY} bugs those that are counted so. */
    private static Stream<DynamicTest> found(int from, int to) {
        List<PlantedBug> all = PlantedBug.all();
        return IntStream.range(0, all.size())
                .filter(at -> at % EVERY >= from && at % EVERY < to)
                .mapToObj(all::get)
                .map(bug -> DynamicTest.dynamicTest(
                        bug.name(),
                        () -> assertThat(failure(PlantedRules.with(bug), "ofMany"))
                                .as("what the simulation says of rules in which %s", bug.name())
                                .isPresent()));
    }

    @TestFactory
    @Tag("long")
    Stream<DynamicTest> the_simulation_of_nested_sagas_finds() {
        return PlantedBug.ofNesting().stream()
                .map(bug -> DynamicTest.dynamicTest(
                        bug.name(),
                        () -> assertThat((Optional<?>) PlantedRules.with(bug).run(NESTING, "firstFailure"))
                                .as("what the simulation says of rules in which %s", bug.name())
                                .isPresent()));
    }

    @TestFactory
    Stream<DynamicTest> the_transcripts_find_of_held_sagas() {
        return PlantedBug.ofHolding().stream()
                .map(bug -> DynamicTest.dynamicTest(
                        bug.name(),
                        () -> assertThat((Optional<?>) PlantedRules.with(bug).run(TRANSCRIPTS, "firstFailureOfHeld"))
                                .as("the transcript that fails by rules in which %s", bug.name())
                                .isPresent()));
    }

    @Test
    @Tag("long")
    void most_planted_bugs_pass_all_transcripts() {
        List<PlantedBug> unnoticed = new ArrayList<>(PlantedBug.all());
        unnoticed.removeIf(bug -> !transcriptFailures(PlantedRules.with(bug)).isEmpty());
        System.out.printf(
                "planted bugs: %d, of which %d pass all transcripts%n",
                PlantedBug.all().size(), unnoticed.size());
        assertThat(unnoticed).hasSizeGreaterThanOrEqualTo((PlantedBug.all().size() + 1) / 2);
    }

    @Test
    void the_sound_rules_pass_when_loaded_as_the_planted_ones_are() {
        assertThat(failure(PlantedRules.sound(), "ofFew")).isEmpty();
        assertThat(transcriptFailures(PlantedRules.sound())).isEmpty();
    }

    @Test
    void a_bug_whose_place_has_gone_is_reported() {
        PlantedBug homeless = new PlantedBug("nothing", "SagaRules", "no such text", "");
        assertThatThrownBy(() -> PlantedRules.with(homeless)).hasMessageContaining("has it nowhere");
        PlantedBug everywhere = new PlantedBug("anything", "SagaRules", "draft", "");
        assertThatThrownBy(() -> PlantedRules.with(everywhere)).hasMessageContaining("more than once");
    }

    private static Optional<?> failure(PlantedRules rules, String histories) {
        return (Optional<?>) rules.run(SIMULATION, histories);
    }

    private static List<?> transcriptFailures(PlantedRules rules) {
        return (List<?>) rules.run(TRANSCRIPTS, "failures");
    }
}
