package io.alphaomega.omega.spring.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LogThrottleTest {
    private long now = Long.MAX_VALUE - 5; // The clock of nanoTime may begin anywhere, and overflow.
    private final LogThrottle throttle = new LogThrottle(Duration.ofNanos(10), () -> now);
    private final List<Long> others = new ArrayList<>();

    @Test
    void the_first_is_logged_and_then_one_at_a_time_which_counts_the_others() {
        for (int i = 0; i < 25; i++) {
            throttle.log(others::add);
            now++;
        }
        assertThat(others).containsExactly(0L, 9L, 9L);
    }

    @Test
    void after_a_pause_the_next_is_logged_at_once() {
        throttle.log(others::add);
        throttle.log(others::add);
        now += 1_000;
        throttle.log(others::add);
        now += 1_000;
        throttle.log(others::add);

        assertThat(others).containsExactly(0L, 1L, 0L);
    }
}
