package io.alphaomega.saga;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class LimitsTest {
    @Test
    void a_duration_is_in_whole_milliseconds_so_that_a_replay_decides_as_the_first_run_did() {
        assertThatCode(() -> Limits.requirePositive("saga timeout", Duration.ofMillis(1)))
                .doesNotThrowAnyException();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Limits.requirePositive("saga timeout", Duration.ofNanos(1_500_000)))
                .withMessage("saga timeout must be in whole milliseconds but was PT0.0015S");
    }

    @Test
    void a_duration_has_an_end() {
        assertThatCode(() -> Limits.requirePositive("saga timeout", Limits.TIMEOUT))
                .doesNotThrowAnyException();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Limits.requirePositive("saga timeout", Limits.TIMEOUT.plusMillis(1)))
                .withMessage("saga timeout must be more than 0 and at most PT720H but was PT720H0.001S");
        assertThatIllegalArgumentException().isThrownBy(() -> Limits.requirePositive("saga timeout", Duration.ZERO));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Limits.requirePositive("saga timeout", Duration.ofMillis(-1)));
    }
}
