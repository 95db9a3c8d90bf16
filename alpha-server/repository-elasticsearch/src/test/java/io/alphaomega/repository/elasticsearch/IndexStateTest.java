package io.alphaomega.repository.elasticsearch;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class IndexStateTest {

    @ParameterizedTest
    @CsvSource({"50ms, PT1.05S", "1s, PT2S", "2m, PT2M1S", "1h, PT1H1S", "500micros, PT1.0005S", "1d, PT24H1S"})
    void the_lag_is_the_refresh_interval_and_a_second(String interval, Duration lag) {
        assertThat(new IndexState("alpha-sagas", "request", interval, 1, "1")
                        .requireUsable()
                        .lag())
                .isEqualTo(lag);
    }

    @Test
    void what_no_setting_says_is_as_elasticsearch_has_it() {
        IndexState state = IndexState.of("alpha-sagas", Json.object());
        assertThat(state).isEqualTo(new IndexState("alpha-sagas", "request", "1s", 1, "1"));
    }
}
