package io.alphaomega.omega.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** A simulation that finds nothing proves nothing, unless it is known to find what is there. */
class RuleBugsTest {
    /** One of so many is planted each time; {@code --long} has the others. */
    private static final int EVERY = 4;

    @TestFactory
    Stream<DynamicTest> the_simulation_finds() {
        return found(0, 1);
    }

    @TestFactory
    @Tag("long")
    Stream<DynamicTest> the_simulation_finds_all_others_too() {
        return found(1, EVERY);
    }

    private static Stream<DynamicTest> found(int from, int to) {
        List<RuleBug> all = RuleBug.all();
        return IntStream.range(0, all.size())
                .filter(at -> at % EVERY >= from && at % EVERY < to)
                .mapToObj(all::get)
                .map(bug -> DynamicTest.dynamicTest(
                        bug.name(),
                        () -> assertThat((Object)
                                        BuggyRules.with(bug).firstFailure().orElse(null))
                                .as("the first seed that fails by rules in which %s", bug.name())
                                .isNotNull()));
    }

    @Test
    void a_bug_whose_place_has_gone_is_reported() {
        RuleBug homeless = new RuleBug("nothing", "BranchRules", "no such text", "");
        assertThatThrownBy(() -> BuggyRules.with(homeless)).hasMessageContaining("has it nowhere");
    }
}
