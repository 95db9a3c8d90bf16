package io.alphaomega.server.clock;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import org.junit.jupiter.api.Test;

class SteadyClockTest {
    private static final Instant START = Instant.parse("2026-11-20T08:00:00.123456Z");

    private final Wall wall = new Wall();
    private long nanos = 42;
    private Runnable meanwhile = () -> {};
    private final SteadyClock clock = new SteadyClock(wall, this::nanoTime);

    /** What happens {@code meanwhile} happens after the time was read. */
    private long nanoTime() {
        long read = nanos;
        Runnable then = meanwhile;
        meanwhile = () -> {};
        then.run();
        return read;
    }

    private void pass(Duration real) {
        nanos += real.toNanos();
        wall.now = wall.now.plus(real);
    }

    @Test
    void it_shows_wall_time_in_whole_milliseconds() {
        pass(Duration.ofHours(1));

        assertThat(clock.instant()).isEqualTo(START.plus(Duration.ofHours(1)).truncatedTo(ChronoUnit.MILLIS));
        assertThat(clock.millis()).isEqualTo(clock.instant().toEpochMilli());
    }

    /** While somebody asks for the time all along. */
    private void passAsked(Duration real) {
        for (long tenths = real.toMillis() / 100; tenths > 0; tenths--) {
            pass(Duration.ofMillis(100));
            clock.instant();
        }
    }

    @Test
    void no_timeout_passes_because_of_a_step_of_the_wall_clock_ahead_and_it_is_followed_by_a_tenth() {
        wall.now = wall.now.plus(Duration.ofHours(2));
        Instant before = clock.instant();
        passAsked(Duration.ofSeconds(100));

        assertThat(Duration.between(before, clock.instant()))
                .isBetween(Duration.ofSeconds(109), Duration.ofSeconds(110));
    }

    @Test
    void a_minute_ahead_is_gone_after_two_and_time_never_stands_still() {
        wall.now = wall.now.minusSeconds(60);
        Instant before = clock.instant();
        passAsked(Duration.ofSeconds(60));
        assertThat(Duration.between(before, clock.instant())).isBetween(Duration.ofSeconds(30), Duration.ofSeconds(31));
        assertThat(clock.aheadOfWall()).isBetween(Duration.ofSeconds(30), Duration.ofSeconds(31));
        passAsked(Duration.ofSeconds(60));

        assertThat(clock.aheadOfWall()).isLessThanOrEqualTo(SteadyClock.SMALL);
    }

    @Test
    void a_minute_behind_is_made_up_for_in_ten() {
        wall.now = wall.now.plusSeconds(60);
        clock.instant();
        passAsked(Duration.ofMinutes(10));

        assertThat(clock.aheadOfWall().negated()).isLessThanOrEqualTo(SteadyClock.SMALL);
    }

    @Test
    void an_error_of_less_than_a_second_is_followed_by_a_hundredth() {
        wall.now = wall.now.minusMillis(900);
        Instant before = clock.instant();
        passAsked(Duration.ofSeconds(10));

        assertThat(Duration.between(before, clock.instant()))
                .isBetween(Duration.ofMillis(9_899), Duration.ofMillis(9_901));
    }

    @Test
    void a_small_error_is_made_up_for_in_the_end() {
        wall.now = wall.now.minusMillis(200);
        for (int i = 0; i < 300; i++) {
            pass(Duration.ofMillis(100));
            clock.instant();
        }

        assertThat(clock.instant()).isEqualTo(wall.now.truncatedTo(ChronoUnit.MILLIS));
    }

    @Test
    void it_never_runs_backwards_however_the_wall_clock_jumps() {
        Instant last = clock.instant();
        for (int i = 0; i < 10_000; i++) {
            pass(Duration.ofMillis(i % 7));
            if (i % 1_000 == 0) wall.now = wall.now.minus(Duration.ofMinutes(i));
            Instant now = clock.instant();
            assertThat(now).isAfterOrEqualTo(last);
            last = now;
        }
    }

    @Test
    void a_thread_that_is_held_up_while_another_corrects_the_clock_is_still_told_the_time() {
        wall.now = wall.now.plus(Duration.ofHours(1));
        meanwhile = () -> {
            pass(Duration.ofMinutes(10));
            clock.instant();
        };

        assertThat(clock.instant()).isEqualTo(START.truncatedTo(ChronoUnit.MILLIS));
    }

    private static final class Wall extends Clock {
        Instant now = START;

        @Override
        public Instant instant() {
            return now;
        }

        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            throw new UnsupportedOperationException("there is one zone");
        }
    }
}
