package io.alphaomega.samples.bank.campaign;

import static org.assertj.core.api.Assertions.assertThat;

import io.alphaomega.repository.servers.Network.Link;
import io.alphaomega.samples.bank.campaign.Blow.Kind;
import io.alphaomega.samples.bank.campaign.Blow.Shape;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a campaign is made of. */
class BlowTest {
    private static final Duration PAUSE_MAX = Duration.ofSeconds(40);
    private static final Map<Kind, Integer> COUNTS = Map.of(Kind.KILL, 30, Kind.PAUSE, 20, Kind.PARTITION, 12);

    @Test
    void the_same_seed_strikes_the_same_blows() {
        assertThat(Blow.schedule(7, COUNTS, PAUSE_MAX)).isEqualTo(Blow.schedule(7, COUNTS, PAUSE_MAX));
        assertThat(Blow.schedule(7, COUNTS, PAUSE_MAX)).isNotEqualTo(Blow.schedule(8, COUNTS, PAUSE_MAX));
    }

    @Test
    void there_are_as_many_of_each_kind_as_were_asked_for() {
        assertThat(Blow.schedule(7, COUNTS, PAUSE_MAX).stream()
                        .collect(Collectors.groupingBy(Blow::kind, Collectors.summingInt(blow -> 1))))
                .isEqualTo(COUNTS);
    }

    @Test
    void partitions_have_every_shape_and_concern_every_node() {
        List<Blow> partitions = Blow.schedule(7, Map.of(Kind.PARTITION, 24), PAUSE_MAX);

        assertThat(partitions).extracting(Blow::shape).containsAll(EnumSet.allOf(Shape.class));
        assertThat(partitions).extracting(Blow::node).contains(1, 2, 3);
    }

    @Test
    void pauses_are_of_one_to_forty_seconds_and_short_ones_more_frequent() {
        List<Duration> pauses = Blow.schedule(7, Map.of(Kind.PAUSE, 200), PAUSE_MAX).stream()
                .map(Blow::lasting)
                .toList();

        assertThat(pauses).allSatisfy(pause -> assertThat(pause).isBetween(Duration.ofSeconds(1), PAUSE_MAX));
        assertThat(pauses.stream().filter(pause -> pause.compareTo(Duration.ofSeconds(8)) < 0))
                .hasSizeGreaterThan(100);
        assertThat(pauses).anySatisfy(pause -> assertThat(pause).isGreaterThan(Duration.ofSeconds(30)));
    }

    @Test
    void the_shortest_and_the_longest_of_a_kind_are_there_whatever_the_seed() {
        for (long seed = 0; seed < 20; seed++) {
            List<Duration> pauses = Blow.schedule(seed, Map.of(Kind.PAUSE, 50), PAUSE_MAX).stream()
                    .map(Blow::lasting)
                    .sorted()
                    .toList();

            assertThat(pauses.getFirst()).isLessThan(Duration.ofMillis(1_100));
            assertThat(pauses.getLast()).isGreaterThan(Duration.ofSeconds(35));
        }
    }

    @Test
    void partitions_are_counted_by_their_shapes_and_everything_else_by_its_kind() {
        List<Blow> blows = Blow.schedule(7, Map.of(Kind.PARTITION, 6, Kind.STORE_SLOW, 1), PAUSE_MAX);

        assertThat(blows)
                .extracting(Blow::label)
                .containsExactlyInAnyOrder(
                        "partition-halves",
                        "partition-one-node",
                        "partition-one-way",
                        "partition-bridge",
                        "partition-ring",
                        "partition-store",
                        "store-slow");
    }

    @ParameterizedTest
    @EnumSource
    void a_cut_concerns_the_node_unless_it_leaves_out_exactly_that_one(Shape shape) {
        for (Link link : shape.links(2)) {
            boolean concerned = link.from() == 2 || link.to() == 2;
            if (shape != Shape.RING) assertThat(concerned).isEqualTo(shape != Shape.BRIDGE);
            assertThat(link.from()).isNotEqualTo(link.to());
        }
        assertThat(shape.links(2)).isNotEmpty();
    }

    @Test
    void one_way_cuts_no_link_in_both_directions_and_halves_cut_all_of_them_so() {
        assertThat(Shape.ONE_WAY.links(1))
                .noneMatch(link -> Shape.ONE_WAY.links(1).contains(link.reversed()));
        assertThat(Shape.HALVES.links(1))
                .hasSize(4)
                .allMatch(link -> Shape.HALVES.links(1).contains(link.reversed()));
    }
}
