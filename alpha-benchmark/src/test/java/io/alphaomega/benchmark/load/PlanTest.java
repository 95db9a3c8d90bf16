package io.alphaomega.benchmark.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

final class PlanTest {
    private static final Plan PLAN = Plan.against(List.of("127.0.0.1:8071"));

    @Test
    void what_makes_no_sense_is_refused_with_the_option_that_says_it() {
        assertThatThrownBy(() -> Plan.against(List.of("nowhere")))
                .hasMessage("--address must be host:port, but is nowhere.");
        assertThatThrownBy(() -> Plan.Shape.ofBranches(501)).hasMessageStartingWith("--branches must be 1 to 500");
        assertThatThrownBy(() -> Plan.Pace.atATime(0)).hasMessageStartingWith("-c must be");
        assertThatThrownBy(() -> new Plan.Shape(3, 0, 0, 0.1, false, Duration.ZERO, 0))
                .hasMessageStartingWith("--failing-compensation-ratio must be 0 where nothing is compensated");
        assertThatThrownBy(() -> PLAN.with(new Plan.Shape(2, 0, 0, 0, false, Duration.ZERO, 3)))
                .hasMessageStartingWith("--async-branches must be at most --branches");
        assertThatThrownBy(() -> Plan.Amount.lasting(Duration.ZERO)).hasMessageStartingWith("--duration must be");
    }

    @Test
    void it_comes_back_from_json_as_it_was() {
        Plan plan = PLAN.with(new Plan.Shape(5, 100, 0.25, 0.5, true, Duration.ofMillis(20), 2))
                .with(Plan.Pace.perSecond(1_234.5, 600))
                .with(Plan.Amount.sagas(17).afterWarmup(Duration.ofSeconds(3)));

        JsonMapper json = JsonMapper.shared();
        assertThat(json.readValue(json.writeValueAsString(plan), Plan.class)).isEqualTo(plan);
    }

    @Test
    void shares_add_up_to_the_whole() {
        Plan plan = PLAN.with(Plan.Amount.sagas(10)).with(Plan.Pace.atATime(7));

        assertThat(plan.share(0, 3).amount().sagas()
                        + plan.share(1, 3).amount().sagas()
                        + plan.share(2, 3).amount().sagas())
                .isEqualTo(10);
        assertThat(plan.share(0, 3).pace().concurrency()
                        + plan.share(1, 3).pace().concurrency()
                        + plan.share(2, 3).pace().concurrency())
                .isEqualTo(7);
    }
}
