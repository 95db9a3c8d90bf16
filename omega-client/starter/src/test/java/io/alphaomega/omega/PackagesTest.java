package io.alphaomega.omega;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.type;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.ArchConfiguration;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The layers of the jar: docs/adr/0029-the-starter-is-one-jar.md. */
class PackagesTest {
    private static final String OMEGA = "io.alphaomega.omega.";

    /** What stands around methods, from the ground up. */
    private static final List<String> ROOMS = List.of(
            "method",
            "config",
            "observe",
            "definition",
            "payload",
            "fencing",
            "reporting",
            "execution",
            "advice",
            "callback",
            "template",
            "startup",
            "autoconfigure");

    private static final int FILES_MAX = 35;

    private static final JavaClasses omega = imported();

    private static JavaClasses imported() {
        ArchConfiguration.get().setResolveMissingDependenciesFromClassPath(false); // Their names say enough.
        return new ClassFileImporter()
                .withImportOption(new ImportOption.DoNotIncludeTests())
                .importPackages("io.alphaomega.omega");
    }

    private void assertKnowsNo(String layer, String... packages) {
        noClasses()
                .that()
                .resideInAPackage(OMEGA + layer + "..")
                .should()
                .dependOnClassesThat(resideInAnyPackage(packages))
                .check(omega);
    }

    @Test
    void the_stream_the_fence_and_what_is_observed_know_neither_spring_nor_each_other() {
        String spring = "org.springframework..";
        assertKnowsNo("stream", spring, OMEGA + "fence..", OMEGA + "observation..", OMEGA + "context..");
        assertKnowsNo("fence", spring, OMEGA + "stream..", OMEGA + "observation..", OMEGA + "context..");
        assertKnowsNo("observation", spring, OMEGA + "stream..", OMEGA + "fence..", OMEGA + "context..");
    }

    @Test
    void the_rules_know_nothing_but_what_the_public_types_say() {
        noClasses()
                .that()
                .resideInAPackage(OMEGA + "rules..")
                .should()
                .dependOnClassesThat(not(resideInAnyPackage(
                                OMEGA + "rules", "io.alphaomega.omega", "java.lang..", "java.util", "java.time")
                        .or(resideInAPackage("org.jspecify.."))))
                .orShould()
                .dependOnClassesThat(type(Thread.class).or(type(Clock.class)))
                .orShould()
                .callMethod(System.class, "nanoTime")
                .orShould()
                .callMethod(System.class, "currentTimeMillis")
                .orShould()
                .callMethod(Instant.class, "now")
                .check(omega);
    }

    @Test
    void what_carries_sagas_knows_nothing_of_streams_and_fences() {
        assertKnowsNo("context", OMEGA + "stream..", OMEGA + "fence..", OMEGA + "redis..");
    }

    @Test
    void nobody_knows_what_stands_around_methods() {
        for (String layer : List.of("rules", "stream", "fence", "observation", "context", "redis", "transport")) {
            assertKnowsNo(layer, OMEGA + "spring..");
        }
    }

    @Test
    void the_saga_of_a_thread_knows_no_transport_and_no_transport_another() {
        assertKnowsNo("context", OMEGA + "transport..");
        slices().matching(OMEGA + "transport.(*)..")
                .should()
                .notDependOnEachOther()
                .check(omega);
    }

    @Test
    void each_room_knows_only_those_before_it() {
        for (int i = 0; i < ROOMS.size(); i++) {
            List<String> after = ROOMS.subList(i + 1, ROOMS.size());
            if (after.isEmpty()) return;
            assertKnowsNo(
                    "spring." + ROOMS.get(i),
                    after.stream().map(room -> OMEGA + "spring." + room + "..").toArray(String[]::new));
        }
    }

    @Test
    void there_is_no_circle_of_packages() {
        slices().matching("io.alphaomega.(**)").should().beFreeOfCycles().check(omega);
    }

    @Test
    void each_package_can_be_taken_in_at_a_glance() throws IOException {
        for (Path sources : List.of(Path.of("src/main/java"), Path.of("src/boot4/java"))) {
            Map<Path, Long> files;
            try (Stream<Path> all = Files.walk(sources)) {
                files = all.filter(file -> file.toString().endsWith(".java"))
                        .collect(Collectors.groupingBy(Path::getParent, Collectors.counting()));
            }
            assertThat(files)
                    .isNotEmpty()
                    .allSatisfy((room, count) ->
                            assertThat(count).as(room.toString()).isLessThanOrEqualTo(FILES_MAX));
        }
    }
}
