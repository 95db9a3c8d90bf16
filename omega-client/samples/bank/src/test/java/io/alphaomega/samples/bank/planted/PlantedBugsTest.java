package io.alphaomega.samples.bank.planted;

import static org.assertj.core.api.Assertions.assertThat;

import io.alphaomega.samples.bank.checker.Rule;
import io.alphaomega.samples.bank.checker.Verdict;
import io.alphaomega.samples.bank.checker.Violation;
import io.alphaomega.samples.bank.planted.PlantedBug.Trouble;
import java.util.EnumSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/**
 * A campaign that finds nothing proves nothing, unless its checker is known to find what is there. By the system property
 * {@code planted.bug}, some words of its name, only that one is planted.
 */
@Tag("campaign")
@Tag("long")
class PlantedBugsTest {
    static Stream<PlantedBug> all() {
        return Stream.concat(AlphaBugs.all().stream(), OmegaBugs.all().stream());
    }

    @TestFactory
    Stream<DynamicTest> the_checker_finds() {
        String words = System.getProperty("planted.bug", "");
        return all().filter(bug -> bug.name().contains(words))
                .map(bug -> DynamicTest.dynamicTest(bug.name(), () -> find(bug)));
    }

    @TestFactory
    Stream<DynamicTest> nothing_is_found_without_a_bug() {
        return EnumSet.allOf(Trouble.class).stream()
                .map(trouble -> DynamicTest.dynamicTest(trouble.name(), () -> {
                    Verdict verdict = verdict(PlantedBug.none(trouble));
                    assertThat(verdict.passed()).as(verdict.toString()).isTrue();
                }));
    }

    private static void find(PlantedBug bug) {
        Verdict verdict = verdict(bug);
        Set<Rule> rules = verdict.violations().stream().map(Violation::rule).collect(Collectors.toSet());
        assertThat(rules).as(verdict.toString()).containsAnyElementsOf(bug.rules());
    }

    private static Verdict verdict(PlantedBug bug) {
        Verdict verdict = run(bug);
        Set<Rule> rules =
                verdict.violations().stream().map(Violation::rule).collect(Collectors.toCollection(TreeSet::new));
        System.out.printf(
                "== planted: %s | %s | %s | %d violations; %s%n",
                bug.name(), bug.trouble(), rules, verdict.violations().size(), verdict.counts());
        return verdict;
    }

    private static Verdict run(PlantedBug bug) {
        if (bug.trouble().hasBank()) {
            try (BankTrial trial = new BankTrial(bug)) {
                return trial.run();
            }
        }
        try (Trial trial = new Trial(bug)) {
            return trial.run();
        }
    }
}
