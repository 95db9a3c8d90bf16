package io.alphaomega.benchmark.preset;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
final class PresetCommandTest {

    @Test
    void a_url_of_mysqls_own_driver_is_understood() {
        assertThat(new DtmPlan.Database("jdbc:mysql://h:3306/d?a=b", "root", "").url())
                .isEqualTo("jdbc:mariadb://h:3306/d?a=b");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "dtm | Either --mysql-url or --empty-only must be given",
                "dtm --empty-only --mysql-url=jdbc:mariadb://h/d | Either --mysql-url or --empty-only must be given",
                "dtm --mysql-url=h:3306 | --mysql-url must be a URL such as jdbc:mariadb",
                "dtm --empty-only -c 0 | -c must be 1 to 1000, but is 0",
                "dtm --empty-only --rounds 0 | --rounds must be 1 to 100, but is 0",
                "dtm --empty-only --duration 0s | --duration must be more than 0",
                "dtm --empty-only --duration soon | must be a time such as 500ms, 30s, 5m or 2h, but is 'soon'.",
                "dtm --empty-only --address=nowhere | --address must be host:port, but is nowhere.",
                "pack --rounds 0 | --rounds must be 1 to 100, but is 0",
                "pack -n 0 | -n",
                "pack -n ten | Invalid value for option '-n'",
                "pack -c 100,0 | -c must be 1 to 1000000, but is 0",
                "pack --address=nowhere | --address must be host:port, but is nowhere.",
                "pack --http=127.0.0.1:1 --warmup=0s | Alpha is not to be reached",
            })
    void wrong_options_are_told_in_a_sentence(String arguments, String sentence) {
        StringWriter err = new StringWriter();
        int code = new CommandLine(new PresetCommand())
                .setErr(new PrintWriter(err))
                .execute(arguments.split(" "));

        assertThat(code).isEqualTo(1);
        assertThat(err.toString()).contains(sentence).doesNotContain("Exception");
    }
}
