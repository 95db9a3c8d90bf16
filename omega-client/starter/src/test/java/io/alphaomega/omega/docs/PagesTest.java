package io.alphaomega.omega.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each piece of code on a page is in a class that compiles. What a page leaves out, the class may fill in. */
class PagesTest {
    private static final Path ROOT = Path.of("../..");
    private static final String LEFT_OUT = "{…}";

    /** The class has more of them in between. */
    private static final Pattern AFTER_IMPORTS = Pattern.compile("(?<=\\Aimport [^\n]{1,99};)\n\n");

    @ParameterizedTest
    @CsvSource({
        "README.md, java, starter/src/test/java/io/alphaomega/omega/docs/OfReadme.java",
        "docs/client.md, java, starter/src/test/java/io/alphaomega/omega/docs/OfClient.java",
        "docs/client, java, starter/src/test/java/io/alphaomega/omega/docs/OfClient.java;"
                + "starter-test/src/test/java/io/alphaomega/omega/test/TripTest.java;"
                + "starter-test/src/boot4-test/java/io/alphaomega/omega/test/OfTesting.java",
        "docs/everyday.md, java, starter/src/test/java/io/alphaomega/omega/docs/OfEveryday.java;"
                + "starter-test/src/test/java/io/alphaomega/omega/test/everyday/OrderTest.java",
        "docs/transports.md, java, starter/src/test/java/io/alphaomega/omega/docs/OfTransports.java;"
                + "transport-tests/src/test/java/io/alphaomega/omega/transport/Telegraph.java",
        "docs/external-api.md, java, database-tests/src/test/java/io/alphaomega/omega/fence/OfExternalApi.java",
        "docs/kotlin.md, kotlin, kotlin-tests/src/test/kotlin/io/alphaomega/omega/docs/OfKotlin.kt"
    })
    void every_piece_of_code_on_a_page_is_in_a_class_that_compiles(String page, String language, String sources)
            throws IOException {
        List<String> pieces = Pattern.compile("```" + language + "\\n(.*?)```", Pattern.DOTALL)
                .matcher(read(ROOT.resolve(page)))
                .results()
                .flatMap(piece -> AFTER_IMPORTS.splitAsStream(piece.group(1)))
                .map(PagesTest::bare)
                .toList();
        StringBuilder code = new StringBuilder();
        for (String source : sources.split(";", -1)) {
            code.append(bare(Files.readString(ROOT.resolve("omega-client").resolve(source))));
        }

        assertThat(pieces).isNotEmpty().allSatisfy(piece -> assertThat(code).containsPattern(pattern(piece)));
    }

    /** A page, or all pages of a directory. */
    private static String read(Path page) throws IOException {
        StringBuilder text = new StringBuilder();
        try (Stream<Path> files = Files.walk(page)) {
            for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
                text.append(Files.readString(file)).append('\n');
            }
        }
        return text.toString();
    }

    /** Without comments and whatever the formatter makes of it. */
    private static String bare(String code) {
        return code.replaceAll("(?s)/\\*.*?\\*/", "")
                .replaceAll("(?<!:)//.*", "")
                .replaceAll("\\s+", "");
    }

    private static Pattern pattern(String piece) {
        return Pattern.compile("\\Q" + piece.replace(LEFT_OUT, "\\E\\{[^{}]*\\}\\Q") + "\\E");
    }
}
