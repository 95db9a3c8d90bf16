package io.alphaomega.server.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import io.alphaomega.repository.SagaCounts;
import io.alphaomega.repository.SagaSummary.State;
import io.alphaomega.saga.SagaId;
import io.alphaomega.saga.Stuck;
import io.alphaomega.server.saga.ManualClock;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class StuckBoardTest {
    private static final Instant NOW = ManualClock.START;

    private final MeterRegistry registry = new SimpleMeterRegistry();
    private final ManualClock clock = new ManualClock();
    private final AtomicBoolean storeAway = new AtomicBoolean();
    private final StuckBoard board = new StuckBoard(registry, clock, storeAway::get);

    private static StuckSagas look(long active, String... services) {
        List<StuckSaga> stuck = new ArrayList<>();
        for (String service : services) {
            stuck.add(new StuckSaga(
                    new SagaId("saga-" + stuck.size()),
                    1,
                    State.SUSPENDED,
                    "booking",
                    "",
                    "",
                    new Stuck(
                            Stuck.Reason.SUSPENDED,
                            "UNDECODABLE",
                            service,
                            Optional.empty(),
                            Optional.empty(),
                            NOW.minusSeconds(30),
                            NOW.minusSeconds(30)),
                    Optional.empty()));
        }
        return StuckSagas.of(
                NOW,
                false,
                new SagaCounts(Map.of(State.ACTIVE, active)),
                Optional.empty(),
                stuck,
                StuckSagas.InFlight.NONE);
    }

    private double suspended(String service) {
        return registry.get("alpha.sagas.stuck")
                .tags("reason", "SUSPENDED", "service", service)
                .gauge()
                .value();
    }

    private double active() {
        return registry.get("alpha.sagas.open").tag("state", "ACTIVE").gauge().value();
    }

    @Test
    void the_gauges_tell_the_latest_look() {
        board.write(look(2, "hotel", "hotel", "car"), StuckWatch.GOOD_FOR_MIN);

        assertThat(active()).isEqualTo(2);
        assertThat(suspended("hotel")).isEqualTo(2);
        assertThat(suspended("car")).isEqualTo(1);

        board.write(look(3, "hotel"), StuckWatch.GOOD_FOR_MIN);

        assertThat(active()).isEqualTo(3);
        assertThat(suspended("hotel")).isEqualTo(1);
        assertThat(registry.find("alpha.sagas.stuck").tag("service", "car").gauge())
                .isNull();

        board.write(look(0), StuckWatch.GOOD_FOR_MIN);

        assertThat(active()).isEqualTo(0);
        assertThat(suspended("")).isEqualTo(0);
    }

    @Test
    void a_series_that_goes_on_is_never_away_for_a_scrape() {
        board.write(look(2, "hotel"), StuckWatch.GOOD_FOR_MIN);
        List<Meter.Id> removed = new ArrayList<>();
        registry.config().onMeterRemoved(meter -> removed.add(meter.getId()));

        board.write(look(3, "hotel", "car"), StuckWatch.GOOD_FOR_MIN);

        assertThat(removed).isEmpty();
    }

    @Test
    void a_node_that_looks_no_longer_has_no_series() {
        board.write(look(2, "hotel"), StuckWatch.GOOD_FOR_MIN);
        board.clear();

        assertThat(registry.find("alpha.sagas.open").gauges()).isEmpty();
        assertThat(registry.find("alpha.sagas.stuck").gauges()).isEmpty();
        assertThat(board.latest()).isEmpty();
    }

    @Test
    void where_nobody_can_look_no_gauge_says_0_and_none_takes_back_what_it_has_said() {
        board.write(look(0, "hotel"), StuckWatch.GOOD_FOR_MIN);
        storeAway.set(true);

        assertThat(board.isStale()).isTrue();
        assertThat(suspended("hotel")).as("an alert of it goes on").isEqualTo(1);
        assertThat(failing()).isNaN();
        assertThat(active()).isNaN();
        assertThat(registry.get("alpha.sagas.waiting")
                        .tag("service", "")
                        .gauge()
                        .value())
                .isNaN();

        storeAway.set(false);
        assertThat(failing()).isZero();
        assertThat(active()).isZero();
    }

    @Test
    void the_oldest_is_not_0_s_old_where_nobody_can_look() {
        board.write(look(0), StuckWatch.GOOD_FOR_MIN);
        assertThat(oldest()).isZero();

        storeAway.set(true);
        assertThat(oldest()).isNaN();
    }

    @Test
    void a_look_that_is_older_than_the_next_one_should_be_tells_nothing() {
        board.write(look(0), Duration.ofSeconds(30));
        clock.advance(Duration.ofSeconds(30));
        assertThat(board.isStale()).isFalse();
        assertThat(failing()).isZero();

        clock.advance(Duration.ofMillis(1));
        assertThat(board.isStale()).isTrue();
        assertThat(failing()).isNaN();
    }

    @Test
    void a_node_that_has_not_looked_knows_nothing() {
        assertThat(board.isStale()).isTrue();
    }

    private double failing() {
        return registry.get("alpha.sagas.stuck")
                .tag("reason", "FAILING")
                .gauge()
                .value();
    }

    private double oldest() {
        return registry.get("alpha.sagas.stuck.oldest").timeGauge().value();
    }
}
