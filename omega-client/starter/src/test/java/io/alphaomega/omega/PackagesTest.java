package io.alphaomega.omega;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.ArchConfiguration;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The layers of the jar: docs/adr/0029-the-starter-is-one-jar.md. */
class PackagesTest {
    private static final String OMEGA = "io.alphaomega.omega.";

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
    void what_carries_sagas_knows_nothing_of_streams_and_fences() {
        assertKnowsNo("context", OMEGA + "stream..", OMEGA + "fence..", OMEGA + "redis..");
    }

    @Test
    void nobody_knows_what_stands_around_methods() {
        for (String layer : List.of("stream", "fence", "observation", "context", "redis")) {
            assertKnowsNo(layer, OMEGA + "spring..");
        }
    }
}
