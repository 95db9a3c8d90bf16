package io.alphaomega.server.properties;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UnreadableTextTest {
    @ParameterizedTest
    @CsvSource({
        "/var/M\ufffd\ufffdller, ANSI_X3.4-1968",
        "/var/MÃ¼ller, ISO-8859-1",
        "/var/Müller, ISO-8859-15",
    })
    void what_a_locale_without_UTF_8_has_made_of_a_value_is_refused_without_it(String value, String encoding) {
        assertThatThrownBy(() -> UnreadableText.refuse("ALPHA_REPOSITORY_EMBEDDED_DIRECTORY", value, encoding))
                .isInstanceOf(RefusedPropertyException.class)
                .hasMessage("What ALPHA_REPOSITORY_EMBEDDED_DIRECTORY says is not ASCII, and Java decodes it by the"
                        + " locale, which has "
                        + encoding
                        + " and not UTF-8: start alpha with LC_ALL=C.UTF-8, as scripts/alpha does by itself.");
    }

    @Test
    void bytes_that_are_no_UTF_8_are_refused() {
        assertThatThrownBy(() -> UnreadableText.refuse("alpha.cluster.name", "M\ufffdller", "UTF-8"))
                .hasMessageContaining("has bytes that are not UTF-8");
    }

    @ParameterizedTest
    @CsvSource({"/var/Müller, UTF-8", "/var/Müller, utf-8", "/var/mueller, ANSI_X3.4-1968"})
    void what_is_what_was_said_is_accepted(String value, String encoding) {
        assertThatCode(() -> UnreadableText.refuse("x", value, encoding)).doesNotThrowAnyException();
    }

    @Test
    void a_character_that_no_file_may_have_makes_no_path() {
        assertThat(UnreadableText.isPath("a\0b")).isFalse();
        assertThat(UnreadableText.isPath("a b/c")).isTrue();
    }
}
