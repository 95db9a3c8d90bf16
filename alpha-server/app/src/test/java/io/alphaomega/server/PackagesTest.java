package io.alphaomega.server;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.ArchConfiguration;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** Packages know each other in one direction only, and none knows the one that starts them. */
class PackagesTest {
    private static final JavaClasses server = imported();

    private static JavaClasses imported() {
        ArchConfiguration.get().setResolveMissingDependenciesFromClassPath(false); // Their names say enough.
        return new ClassFileImporter()
                .withImportOption(new ImportOption.DoNotIncludeTests())
                .importPackages("io.alphaomega.server");
    }

    @Test
    void packages_of_the_server_are_free_of_cycles() {
        slices().matching("io.alphaomega.server.(*)..")
                .should()
                .beFreeOfCycles()
                .check(server);
    }

    @Test
    void nobody_knows_the_package_that_starts_the_server() {
        noClasses()
                .that()
                .resideInAPackage("io.alphaomega.server.*..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.alphaomega.server")
                .check(server);
    }

    @Test
    void what_is_asked_of_sagas_knows_neither_routes_nor_pages() {
        noClasses()
                .that()
                .resideInAnyPackage("io.alphaomega.server.queries..", "io.alphaomega.server.problem..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "io.alphaomega.server.http..",
                        "io.alphaomega.server.console..",
                        "io.alphaomega.server.changes..")
                .check(server);
    }
}
