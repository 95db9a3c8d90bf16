package io.alphaomega.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class HistoryTextTest {
    @ParameterizedTest
    @CsvSource({
        "PT5M,        5 min",
        "PT4M59.989S, 5 min",
        "PT59.1S,     1 min",
        "PT1H30M0.2S, 1 h 30 min 1 s",
        "PT720H,      720 h",
        "PT45S,       45 s",
        "PT1S,        1 s",
        "PT0.25S,     250 ms",
    })
    void a_time_is_told_as_people_tell_it(Duration time, String text) {
        assertThat(HistoryText.text(time)).isEqualTo(text);
    }
}
