package io.alphaomega.server.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class RoundsTest {
    private final Rounds rounds = new Rounds(1);
    private final AtomicInteger begun = new AtomicInteger();

    @Test
    void the_round_that_failed_is_told_of_at_the_end() {
        rounds.every(1, this::secondOneFails);
        await().until(() -> begun.get() == 2);
        assertThatThrownBy(rounds::close).hasRootCauseMessage("round 2");
        assertThat(begun).hasValue(2);
    }

    @Test
    void where_none_failed_nothing_is_said() {
        rounds.apart(1, begun::incrementAndGet);
        await().until(() -> begun.get() > 2);
        rounds.close();
    }

    private void secondOneFails() {
        if (begun.incrementAndGet() == 2) throw new IllegalStateException("round 2");
    }
}
