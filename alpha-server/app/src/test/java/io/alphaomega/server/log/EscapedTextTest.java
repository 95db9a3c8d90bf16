package io.alphaomega.server.log;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EscapedTextTest {
    @ParameterizedTest
    @CsvSource({
        "0a, \\n",
        "0d, \\r",
        "1b, \\u001b",
        "00, \\u0000",
        "7f, \\u007f",
        "85, \\u0085",
        "9b, \\u009b",
        "2028, \\u2028",
        "2029, \\u2029",
        "202e, \\u202e",
        "2066, \\u2066",
        "200f, \\u200f",
        "feff, \\ufeff",
        "d800, \\ud800",
        "e0041, \\ue0041"
    })
    void what_could_forge_or_hide_a_line_is_shown_instead_of_written(String codePoint, String shown) {
        String text = "a" + Character.toString(Integer.parseInt(codePoint, 16)) + "b";
        assertThat(EscapedText.of(text)).isEqualTo("a" + shown + "b");
    }

    @Test
    void all_other_text_stays_as_it_is() {
        String text = "Wörter, \tkana かな, emoji 🚀, C:\\new";
        assertThat(EscapedText.of(text)).isSameAs(text);
        assertThat(EscapedText.of(null)).isNull();
    }
}
