package io.alphaomega.repository.kit;

import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.ArchConfiguration;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What the packages of a module may know of each other, and how large packages and files may become. */
public abstract class RoomsContract {
    private static final Path MAIN = Path.of("src/main/java");
    private static final Path TEST = Path.of("src/test/java");

    private static final int MAIN_LINES_MAX = 400;
    private static final int TEST_LINES_MAX = 500;
    private static final int FILES_MAX = 35;

    private final String root;

    /** @param root the package whose own classes are one room, as those of each package in it are */
    protected RoomsContract(String root) {
        this.root = root;
    }

    @Test
    void no_packages_need_each_other() {
        ArchConfiguration.get().setResolveMissingDependenciesFromClassPath(false); // Their names say enough.
        slices().assignedFrom(rooms())
                .should()
                .beFreeOfCycles()
                .check(new ClassFileImporter()
                        .withImportOption(new ImportOption.DoNotIncludeTests())
                        .importPackages(root));
    }

    private SliceAssignment rooms() {
        return new SliceAssignment() {
            @Override
            public SliceIdentifier getIdentifierOf(JavaClass javaClass) {
                String within = javaClass.getPackageName() + ".";
                if (!within.startsWith(root + ".")) return SliceIdentifier.ignore();
                String room = within.substring(root.length() + 1);
                return SliceIdentifier.of(room.isEmpty() ? root : room.substring(0, room.indexOf('.')));
            }

            @Override
            public String getDescription() {
                return "packages in " + root;
            }
        };
    }

    @Test
    void no_file_is_too_long() {
        assertThat(sources(MAIN)).allSatisfy(file -> assertThat(lines(file)).hasSizeLessThanOrEqualTo(MAIN_LINES_MAX));
        assertThat(sources(TEST)).allSatisfy(file -> assertThat(lines(file)).hasSizeLessThanOrEqualTo(TEST_LINES_MAX));
    }

    @Test
    void no_package_has_too_many_files() {
        for (Path tree : List.of(MAIN, TEST)) {
            assertThat(packages(tree))
                    .allSatisfy((room, files) -> assertThat(files).hasSizeLessThanOrEqualTo(FILES_MAX));
        }
    }

    @Test
    void each_package_says_in_its_first_sentence_what_it_is() {
        assertThat(packages(MAIN).keySet())
                .isNotEmpty()
                .allSatisfy(room ->
                        assertThat(room.resolve("package-info.java")).content().startsWith("/**"));
    }

    private static Map<Path, List<Path>> packages(Path tree) {
        return sources(tree).stream()
                .collect(Collectors.groupingBy(Path::getParent, TreeMap::new, Collectors.toList()));
    }

    private static List<Path> sources(Path tree) {
        try (Stream<Path> files = Files.walk(tree)) {
            return files.filter(file -> file.toString().endsWith(".java")).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<String> lines(Path file) {
        try {
            return Files.readAllLines(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
