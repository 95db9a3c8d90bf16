package io.alphaomega.server.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.alphaomega.server.text.Texts;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class WordsTest {
    private static final Instant NOW = Instant.parse("2026-11-27T06:00:00Z");

    @ParameterizedTest
    @CsvSource({
        "PT59.4S, 1 min",
        "PT13S, 13 s",
        "PT5M20S, 5 min",
        "PT1H59M59S, 1 h",
        "P2DT3H, 2 d",
        "PT0.3S, under 1 s",
        "PT-5S, 0 s"
    })
    void an_age_that_is_known_roughly_is_told_in_one_unit(Duration age, String told) {
        assertThat(new Words(Texts.ENGLISH).roughlySince(NOW.minus(age), NOW)).isEqualTo(told);
    }
}
