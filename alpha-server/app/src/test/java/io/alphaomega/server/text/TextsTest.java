package io.alphaomega.server.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class TextsTest {
    @ParameterizedTest
    @CsvSource({
        "PT5M,        5 min,            5 分",
        "PT4M59.989S, 5 min,            5 分",
        "PT59.1S,     1 min,            1 分",
        "PT1H30M0.2S, 1 h 30 min 1 s,   1 小时 30 分 1 秒",
        "PT720H,      720 h,            720 小时",
        "PT1440H,     1440 h,           1440 小时",
        "PT45S,       45 s,             45 秒",
        "PT1S,        1 s,              1 秒",
        "PT0.25S,     250 ms,           250 毫秒",
    })
    void a_time_is_told_as_people_tell_it(Duration time, String english, String chinese) {
        assertThat(Texts.ENGLISH.duration(time)).isEqualTo(english);
        assertThat(Texts.CHINESE.duration(time)).isEqualTo(chinese);
    }

    @ParameterizedTest
    @ValueSource(strings = {"{0}", "{1}", "$1 \\", "it's {2}", "'{0}'", "{0,number}", "<b>&amp;</b>", ""})
    void what_an_argument_says_is_no_sentence(String text) {
        assertThat(Texts.ENGLISH.say("history.aborted", text, text)).isEqualTo("Aborted (" + text + "): " + text);
        assertThat(Texts.CHINESE.say("history.aborted", text, text)).isEqualTo("已中止（" + text + "）：" + text);
    }

    @Test
    void one_is_told_otherwise_than_many_and_thousands_are_set_apart() {
        assertThat(Texts.ENGLISH.count("saga.branches", 1)).isEqualTo("1 branch");
        assertThat(Texts.ENGLISH.count("saga.branches", 0)).isEqualTo("0 branches");
        assertThat(Texts.ENGLISH.count("saga.branches", 1_234)).isEqualTo("1,234 branches");
        assertThat(Texts.CHINESE.count("saga.branches", 1)).isEqualTo("1 个分支");
    }

    @Test
    void whoever_asks_for_a_language_that_alpha_does_not_speak_gets_English() {
        assertThat(Texts.in(Locale.forLanguageTag("zh-CN"))).isSameAs(Texts.CHINESE);
        assertThat(Texts.in(Locale.FRENCH)).isSameAs(Texts.ENGLISH);
        assertThat(Texts.in(Locale.ROOT)).isSameAs(Texts.ENGLISH);
        assertThat(Texts.ENGLISH.say("no.such.sentence")).isEqualTo("no.such.sentence");
    }
}
