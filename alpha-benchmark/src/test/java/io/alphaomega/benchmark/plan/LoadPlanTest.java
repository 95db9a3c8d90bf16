package io.alphaomega.benchmark.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

final class LoadPlanTest {
    private static final LoadPlan PLAN = LoadPlan.against(List.of("127.0.0.1:8071"));

    @Test
    void what_makes_no_sense_is_refused_with_the_option_that_says_it() {
        assertThatThrownBy(() -> LoadPlan.against(List.of("nowhere")))
                .hasMessage("--address must be host:port, but is nowhere.");
        assertThatThrownBy(() -> LoadPlan.Shape.ofBranches(501)).hasMessageStartingWith("--branches must be 1 to 500");
        assertThatThrownBy(() -> LoadPlan.Pace.atATime(0)).hasMessageStartingWith("-c must be");
        assertThatThrownBy(() -> new LoadPlan.Shape(3, 0, 0, 0.1, false, Duration.ZERO, 0, false))
                .hasMessageStartingWith("--failing-compensation-ratio must be 0 where nothing is compensated");
        assertThatThrownBy(() -> PLAN.with(new LoadPlan.Shape(2, 0, 0, 0, false, Duration.ZERO, 3, false)))
                .hasMessageStartingWith("--async-branches must be at most --branches");
        assertThatThrownBy(() -> LoadPlan.Amount.lasting(Duration.ZERO)).hasMessageStartingWith("--duration must be");
    }

    @Test
    void it_comes_back_from_json_as_it_was() {
        LoadPlan plan = PLAN.with(new LoadPlan.Shape(5, 100, 0.25, 0.5, true, Duration.ofMillis(20), 2, false))
                .with(LoadPlan.Pace.perSecond(1_234.5, 600))
                .with(LoadPlan.Amount.sagas(17).afterWarmup(Duration.ofSeconds(3)));

        JsonMapper json = JsonMapper.shared();
        assertThat(json.readValue(json.writeValueAsString(plan), LoadPlan.class))
                .isEqualTo(plan);
    }

    @Test
    void shares_add_up_to_the_whole() {
        LoadPlan plan = PLAN.with(LoadPlan.Amount.sagas(10)).with(LoadPlan.Pace.atATime(7));

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
