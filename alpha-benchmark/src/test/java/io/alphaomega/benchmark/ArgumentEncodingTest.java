package io.alphaomega.benchmark;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ArgumentEncodingTest {
    @ParameterizedTest
    @CsvSource({"M\ufffd\ufffdller 17, ANSI_X3.4-1968", "MÃ¼ller 17, ISO-8859-1", "Müller 17, ISO-8859-15"})
    void what_a_locale_without_UTF_8_has_made_of_an_argument_is_refused(String argument, String encoding) {
        assertThat(ArgumentEncoding.unreadable(List.of("stuck", argument), encoding))
                .contains(
                        "'%s' is not what was said: Java decodes it by the locale, which has %s and not UTF-8. Set LC_ALL=C.UTF-8, as scripts/alpha-benchmark does by itself."
                                .formatted(argument, encoding));
    }

    @ParameterizedTest
    @CsvSource({"Müller 17, UTF-8", "Mueller 17, ANSI_X3.4-1968"})
    void what_is_what_was_said_is_accepted(String argument, String encoding) {
        assertThat(ArgumentEncoding.unreadable(List.of(argument), encoding)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource("M\ufffdller, UTF-8")
    void bytes_that_are_no_UTF_8_are_refused(String argument, String encoding) {
        assertThat(ArgumentEncoding.unreadable(List.of(argument), encoding))
                .contains("'" + argument + "' has bytes that are not UTF-8: write it in UTF-8.");
    }
}
