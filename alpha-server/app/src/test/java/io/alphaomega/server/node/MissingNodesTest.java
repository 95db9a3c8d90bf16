package io.alphaomega.server.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.alphaomega.server.saga.ManualClock;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which nodes a node misses, and since when. */
class MissingNodesTest {
    private final ManualClock clock = new ManualClock();

    private MissingNodes of(boolean isReplaced, String... seeds) {
        MissingNodes missing = new MissingNodes(List.of(seeds), isReplaced, clock);
        missing.open();
        return missing;
    }

    @Test
    void a_seed_node_is_missing_until_it_is_up_and_again_when_it_is_gone_however_it_went() {
        MissingNodes missing = of(false, "a:1", "b:1");
        assertThat(missing.all()).containsOnlyKeys("a:1", "b:1");
        missing.up("a:1");
        missing.up("b:1");
        assertThat(missing.all()).isEmpty();

        clock.advance(Duration.ofSeconds(7));
        missing.left("b:1");
        missing.lost("a:1");
        assertThat(missing.all()).containsEntry("a:1", clock.instant()).containsEntry("b:1", clock.instant());
    }

    @Test
    void a_seed_node_is_missed_however_long_it_is_away() {
        MissingNodes missing = of(false, "a:1");
        clock.advance(MissingNodes.LOST_TOLD_FOR.multipliedBy(9));
        assertThat(missing.all()).containsEntry("a:1", ManualClock.START);
    }

    @Test
    void another_node_is_missing_if_it_was_lost_and_not_if_it_has_left() {
        MissingNodes missing = of(false);
        missing.left("c:1");
        missing.lost("d:1");
        assertThat(missing.all()).containsOnlyKeys("d:1");
        missing.up("e:1");
        assertThat(missing.all())
                .as("one with another address does not replace it")
                .containsOnlyKeys("d:1");
        missing.up("d:1");
        assertThat(missing.all()).isEmpty();
    }

    @Test
    void where_nodes_are_discovered_one_with_another_address_replaces_the_one_that_was_lost_first() {
        MissingNodes missing = of(true);
        missing.lost("10.0.0.7:1");
        clock.advance(Duration.ofSeconds(1));
        missing.lost("10.0.0.3:1");
        missing.up("10.0.0.9:1");
        assertThat(missing.all()).containsOnlyKeys("10.0.0.3:1");
    }

    @Test
    void a_node_that_nobody_has_replaced_for_a_day_was_given_up() {
        MissingNodes missing = of(false);
        missing.lost("d:1");
        clock.advance(MissingNodes.LOST_TOLD_FOR);
        assertThat(missing.all()).containsOnlyKeys("d:1");
        clock.advance(Duration.ofMillis(1));
        assertThat(missing.all()).isEmpty();
    }
}
