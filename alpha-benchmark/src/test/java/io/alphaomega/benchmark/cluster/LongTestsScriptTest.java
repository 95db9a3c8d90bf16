package io.alphaomega.benchmark.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.alphaomega.repository.servers.Command;
import io.alphaomega.repository.servers.ServerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code scripts/test --long} in a checkout with three parts, of which a Maven of its own says what comes of them. */
final class LongTestsScriptTest {
    private static final Path CHECKOUT =
            ClusterScript.script("test").resolve("../..").normalize();

    /** Runs as many tests as the file beside it says of the module, and fails if it says so; keeps what it was told. */
    private static final String MAVEN = """
            #!/usr/bin/env bash
            here="$(dirname "$0")"
            echo "$*" >> "$here/told"
            while [ "$1" != -pl ]; do shift; done
            module="$2"
            read -r tests code < "$here/$module"
            mkdir -p "$module/target/surefire-reports"
            for ((i = 0; i < tests; i++)); do echo '<testcase name="of a class"/>'; done > "$module/target/surefire-reports/TEST-Some.xml"
            exit "$code"
            """;

    private final Path directory = ServerProcess.newDirectory("long").toAbsolutePath();
    private final Path bin = directory.resolve("bin");

    private record Outcome(int code, String out) {}

    @BeforeEach
    void checkOut() throws IOException {
        run("cp", "-r", CHECKOUT.resolve("scripts").toString(), directory.toString());
        Files.createSymbolicLink(directory.resolve(".servers"), CHECKOUT.resolve(".servers"));
        Files.writeString(directory.resolve("scripts/lib/long-parts"), """
                # name | minutes | module | tests | what
                one      | 1 | a | OneTest,Two*Test           | one thing
                another  |   | b | **/b/OneTest -Dstore=REDIS | another
                third    | 3 | c | ThirdTest                  | the last
                """);
        Files.createDirectories(bin);
        Files.writeString(bin.resolve("mvn"), MAVEN);
        run("chmod", "+x", bin.resolve("mvn").toString());
        for (String module : List.of("a", "b", "c")) willCome(module, 7, 0);
        Files.writeString(directory.resolve(".gitignore"), "target\nbin\n.servers\n");
        run("git", "init", "-q");
        run("git", "add", "-A");
        commit();
    }

    @AfterEach
    void delete() {
        ServerProcess.delete(directory);
    }

    private String run(String... words) throws IOException {
        return Command.of((Object[]) words).run(directory);
    }

    private void commit() throws IOException {
        run("git", "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "--allow-empty", "-m", "a commit");
    }

    private void willCome(String module, int tests, int code) throws IOException {
        Files.writeString(bin.resolve(module), tests + " " + code + "\n");
    }

    private Outcome script(String words) throws IOException {
        List<String> command =
                new ArrayList<>(List.of(directory.resolve("scripts/test").toString()));
        command.addAll(Arrays.asList(words.split(" ", -1)));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().merge("PATH", bin.toString(), (path, first) -> first + ":" + path);
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        Process process = builder.start();
        process.getOutputStream().close();
        String out = new String(process.getInputStream().readAllBytes(), UTF_8);
        return new Outcome(process.onExit().join().exitValue(), out);
    }

    /** The modules that Maven was sent to since this was asked last. */
    private List<String> ran() throws IOException {
        Path told = bin.resolve("told");
        if (!Files.exists(told)) return List.of();
        List<String> lines = Files.readAllLines(told);
        Files.delete(told);
        return lines.stream()
                .map(line -> line.replaceFirst(".* -pl (\\S+) .*", "$1"))
                .toList();
    }

    @Test
    void each_part_is_run_once_and_after_one_that_failed_what_is_missing_goes_on() throws IOException {
        willCome("b", 5, 1);
        Outcome first = script("--long");
        assertThat(first.code()).as(first.out()).isEqualTo(1);
        assertThat(first.out())
                .containsPattern("(?m)^one +passed +0\\.\\d +7$")
                .containsPattern("(?m)^another +failed +0\\.\\d +5$")
                .containsPattern("(?m)^third +passed")
                .contains("2 of 3 parts passed: 'scripts/test --long' goes on with those that have not.");
        assertThat(Files.readString(bin.resolve("told")))
                .contains("verify -Plong", "-pl a -am -Dtest=OneTest,Two*Test -Dsurefire.failIfNoSpecifiedTests=false")
                .contains("-Dtest=**/b/OneTest -Dsurefire.failIfNoSpecifiedTests=false -Dstore=REDIS");
        assertThat(ran()).containsExactly("a", "b", "c");

        willCome("b", 6, 0);
        Outcome second = script("--long");
        assertThat(second.code()).as(second.out()).isZero();
        assertThat(second.out())
                .containsPattern("(?m)^one +passed")
                .containsPattern("(?m)^another +passed +0\\.\\d +6$")
                .contains("All 3 parts passed.");
        assertThat(ran()).containsExactly("b");

        assertThat(script("--long").code()).isZero();
        assertThat(ran()).isEmpty();
        assertThat(script("--long third").out()).contains("All 1 parts passed.");
        assertThat(ran()).containsExactly("c");
    }

    @Test
    void what_passed_counts_for_the_sources_it_passed_on_until_it_is_forgotten() throws IOException {
        assertThat(script("--long one third").code()).isZero();
        assertThat(ran()).containsExactly("a", "c");
        assertThat(script("--long list").out())
                .containsPattern("(?m)^one +1 +passed +one thing$")
                .containsPattern("(?m)^another +another$");

        Files.writeString(directory.resolve("changed"), "by hand");
        assertThat(script("--long list").out()).doesNotContain("passed");
        Files.delete(directory.resolve("changed"));
        assertThat(script("--long list").out()).contains("passed");
        commit();
        assertThat(script("--long list").out()).doesNotContain("passed");

        assertThat(script("--long").code()).isZero();
        assertThat(script("--long --afresh").code()).isZero();
        assertThat(ran()).containsExactly("a", "b", "c", "a", "b", "c");
    }

    @Test
    void a_part_in_which_no_test_ran_has_failed() throws IOException {
        willCome("a", 0, 0);
        Outcome outcome = script("--long one");
        assertThat(outcome.code()).isEqualTo(1);
        assertThat(outcome.out()).contains("No test ran, so nothing was shown.").containsPattern("(?m)^one +failed");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
            --long four      | There is no part 'four'; 'scripts/test --long list' shows which there are.
            --long one list  | There is no part 'list'; 'scripts/test --long list' shows which there are.
            one              | scripts/test takes no 'one' without --long.
            --afresh         | --afresh is for --long: the other tests are always run afresh.
            --short          | scripts/test does not know '--short'; it takes --long and --afresh.
            """)
    void wrong_use_is_one_sentence(String words, String sentence) throws IOException {
        Outcome outcome = script(words);
        assertThat(outcome.out()).isEqualTo(sentence + " (scripts/test --help)\n");
        assertThat(outcome.code()).isEqualTo(2);
        assertThat(ran()).isEmpty();
    }

    // ---- the real parts

    private record Part(String name, String module, List<String> tests) {
        boolean has(Path test) {
            if (!test.startsWith(CHECKOUT.resolve(module))) return false;
            String path = CHECKOUT.resolve(module).relativize(test).toString().replaceFirst("\\.(java|kt)$", "");
            return tests.stream()
                    .map(pattern -> pattern.contains("/") ? pattern : "**/" + pattern)
                    .map(pattern -> Pattern.quote(pattern)
                            .replace("**/", "\\E(.+/)?\\Q")
                            .replace("*", "\\E[^/]*\\Q"))
                    .anyMatch(path::matches);
        }
    }

    @Test
    void the_parts_have_every_long_test_and_no_others() throws IOException {
        List<Part> parts = new ArrayList<>();
        for (String line : Files.readAllLines(CHECKOUT.resolve("scripts/lib/long-parts"))) {
            // Tests that run in any case, once more or in more ways.
            if (line.startsWith("#") || line.contains(" -Pboot-3 ") || line.contains(" -Dtest.included=!long "))
                continue;
            String[] columns = line.split(" *\\| *", -1);
            List<String> tests = List.of(columns[3].split(" ", 2)[0].split(",", -1));
            parts.add(new Part(columns[0], columns[2], tests));
        }
        assertThat(parts).extracting(Part::name).doesNotHaveDuplicates();

        List<Path> sources = new ArrayList<>();
        for (String root : List.of("alpha-server", "omega-client", "alpha-benchmark")) {
            sources.addAll(sources(CHECKOUT.resolve(root)));
        }
        // Of which the tests are long that extend them.
        List<String> contracts = new ArrayList<>();
        for (Path source : sources) {
            if (source.toString().contains("/src/main/") && isLong(source, List.of())) contracts.add(name(source));
        }
        assertThat(contracts).contains("KillContract", "PowerCutContract");
        List<Path> tests = new ArrayList<>();
        for (Path source : sources) {
            if (name(source).endsWith("Test") && isLong(source, contracts)) tests.add(source);
        }

        for (Path test : tests) {
            assertThat(parts)
                    .as("the parts of scripts/lib/long-parts that have %s", test)
                    .anySatisfy(part -> assertThat(part.has(test)).isTrue());
        }
        for (Part part : parts) {
            for (String pattern : part.tests()) {
                Part one = new Part(part.name(), part.module(), List.of(pattern));
                assertThat(tests).as("%s of %s", pattern, part).anyMatch(one::has);
            }
        }
    }

    private static List<Path> sources(Path root) throws IOException {
        try (Stream<Path> files = Files.walk(root)) {
            return files.filter(path -> path.toString().matches(".*\\.(java|kt)"))
                    .filter(path -> path.toString().contains("/src/"))
                    .filter(path -> !path.toString().contains("/target/"))
                    .toList();
        }
    }

    private static String name(Path source) {
        return String.valueOf(source.getFileName()).replaceFirst("\\.(java|kt)$", "");
    }

    private static boolean isLong(Path source, List<String> contracts) throws IOException {
        for (String line : Files.readAllLines(source)) {
            if (line.strip().equals("@Tag(\"long\")")) return true;
            boolean ofClass = !line.startsWith(" ");
            if (ofClass && contracts.stream().anyMatch(contract -> line.contains(" extends " + contract))) return true;
        }
        return false;
    }
}
