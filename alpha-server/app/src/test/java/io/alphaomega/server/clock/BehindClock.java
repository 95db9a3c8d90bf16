package io.alphaomega.server.clock;

import java.time.Clock;
import java.time.Duration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Primary;

/**
 * The machine's clock is behind those of others. Given to alpha as one of {@code spring.main.sources}; not annotated, or each
 * alpha that has the tests' classes would find it.
 */
public class BehindClock {
    /** Enough for an alert, and not enough to be refused. */
    private static final Duration BEHIND = Duration.ofMillis(700);

    @Bean
    @Primary
    SteadyClock behind() {
        return new SteadyClock(Clock.offset(Clock.systemUTC(), BEHIND.negated()), System::nanoTime);
    }
}
