package io.alphaomega.server.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import io.alphaomega.repository.SagaCounts;
import io.alphaomega.repository.SagaSummary.State;
import io.alphaomega.saga.SagaId;
import io.alphaomega.saga.Stuck;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class StuckBoardTest {
    private static final Instant NOW = Instant.parse("2026-11-20T09:00:00Z");

    private final MeterRegistry registry = new SimpleMeterRegistry();
    private final StuckBoard board = new StuckBoard(registry, Clock.fixed(NOW, ZoneOffset.UTC));

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
        return StuckSagas.of(NOW, false, new SagaCounts(Map.of(State.ACTIVE, active)), Optional.empty(), stuck);
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
        board.write(look(2, "hotel", "hotel", "car"));

        assertThat(active()).isEqualTo(2);
        assertThat(suspended("hotel")).isEqualTo(2);
        assertThat(suspended("car")).isEqualTo(1);

        board.write(look(3, "hotel"));

        assertThat(active()).isEqualTo(3);
        assertThat(suspended("hotel")).isEqualTo(1);
        assertThat(registry.find("alpha.sagas.stuck").tag("service", "car").gauge())
                .isNull();

        board.write(look(0));

        assertThat(active()).isEqualTo(0);
        assertThat(suspended("")).isEqualTo(0);
    }

    @Test
    void a_series_that_goes_on_is_never_away_for_a_scrape() {
        board.write(look(2, "hotel"));
        List<Meter.Id> removed = new ArrayList<>();
        registry.config().onMeterRemoved(meter -> removed.add(meter.getId()));

        board.write(look(3, "hotel", "car"));

        assertThat(removed).isEmpty();
    }

    @Test
    void a_node_that_looks_no_longer_has_no_series() {
        board.write(look(2, "hotel"));
        board.clear();

        assertThat(registry.find("alpha.sagas.open").gauges()).isEmpty();
        assertThat(registry.find("alpha.sagas.stuck").gauges()).isEmpty();
        assertThat(board.latest()).isEmpty();
    }
}
