package io.alphaomega.omega.test;

import static io.alphaomega.omega.test.OmegaAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import io.alphaomega.omega.test.TripsInCode.CarOrder;
import io.alphaomega.omega.test.TripsInCode.Fleet;
import io.alphaomega.omega.test.TripsInCode.TripService;
import io.alphaomega.omega.test.TripsInCode.Undoing;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Import;

/** What docs/template.md shows is code that runs. */
@SpringBootTest(classes = TemplateDocTest.App.class)
@OmegaTest
class TemplateDocTest {
    private static final Path PAGE = Path.of("../../docs/template.md");
    private static final Path CODE = Path.of("../starter-test/src/test/java/io/alphaomega/omega/test/TripsInCode.java");

    @SpringBootConfiguration
    @EnableAutoConfiguration
    @Import({Ledger.class, Fleet.class, Undoing.class, TripService.class})
    static class App {}

    @Autowired
    private TripService trips;

    @Autowired
    private TestAlpha alpha;

    @Test
    void every_block_of_code_on_the_page_is_in_the_class() throws IOException {
        List<String> blocks = Pattern.compile("```java\\n(.*?)```", Pattern.DOTALL)
                .matcher(Files.readString(PAGE))
                .results()
                .map((MatchResult block) -> oneLine(block.group(1)))
                .toList();

        assertThat(blocks).hasSizeGreaterThan(3);
        String code = oneLine(Files.readString(CODE));
        assertThat(blocks).allSatisfy(block -> assertThat(code).contains(block));
    }

    /** Whatever the formatter makes of it. */
    private static String oneLine(String code) {
        return code.replaceAll("\\s+", "").strip();
    }

    @Test
    void the_code_does_what_the_page_says() {
        assertThat(trips.book(new CarOrder("t-1", 2))).isEqualTo("reservation of t-1");
        assertThat(alpha.saga()).committed();

        String saga = trips.bookAndAwaitPayment(new CarOrder("t-2", 1));
        assertThat(trips.tell(saga)).isEqualTo("not decided yet");
        trips.paid(saga, "p-1");
        assertThat(trips.tell(saga)).isEqualTo("booked");
    }
}
