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

    @ParameterizedTest
    @CsvSource({"1, 1, false", "1, 2, true", "1, all, true", "0, all, false", "0, 1, false", "2, 2, true"})
    void a_write_waits_for_a_copy_if_there_is_to_be_one_and_the_setting_says_so(
            int replicas, String activeShards, boolean waits) {
        assertThat(new IndexState("alpha-sagas", "request", "1s", replicas, activeShards).waitsForACopy())
                .isEqualTo(waits);
    }

    @Test
    void what_no_setting_says_is_as_elasticsearch_has_it() {
        IndexState state = IndexState.of("alpha-sagas", Json.object());
        assertThat(state).isEqualTo(new IndexState("alpha-sagas", "request", "1s", 1, "1"));
    }
}
