package io.alphaomega.server.insight;

import static org.assertj.core.api.Assertions.assertThat;

import io.alphaomega.repository.SagaCounts;
import io.alphaomega.saga.Operator;
import io.alphaomega.saga.Stuck;
import io.alphaomega.server.bulk.BulkOrder;
import io.alphaomega.server.bulk.BulkStatus;
import io.alphaomega.server.bulk.BulkTask;
import io.alphaomega.server.meters.Waits;
import io.alphaomega.server.stream.CallbackNeeds.Lack;
import io.alphaomega.server.sweep.StuckSagas.Group;
import io.alphaomega.server.sweep.StuckSagas.Kind;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** What the nodes say, put together. */
class ClusterInsightTest {
    private static final Instant NOW = Instant.parse("2026-11-20T09:00:00Z");
    private static final Rates NO_RATES = new Rates(NOW.getEpochSecond(), List.of());

    private static Insight node(Optional<StuckView> stuck, Insight.Service... services) {
        return new Insight(
                List.of(services),
                NO_RATES,
                Waits.NONE,
                Waits.NONE,
                stuck,
                List.of(),
                Insight.RETRIES_ONLY,
                Optional.empty());
    }

    @Test
    void how_long_things_take_is_of_all_nodes() {
        Waits quick = new Waits(new TreeMap<>(Map.of(1_000L, 99L)));
        Waits slow = new Waits(new TreeMap<>(Map.of(10_000L, 1L)));
        ClusterInsight both = of(Optional.of(taking(quick)), Optional.of(taking(slow)));

        assertThat(both.acknowledged().counts()).containsExactly(Map.entry(1_000L, 99L), Map.entry(10_000L, 1L));
        assertThat(both.stored()).isEqualTo(both.acknowledged());
    }

    private static Insight taking(Waits waits) {
        return new Insight(
                List.of(), NO_RATES, waits, waits, Optional.empty(), List.of(), Insight.RETRIES_ONLY, Optional.empty());
    }

    private static Insight.Service hotel(String callback, Insight.Seen... instances) {
        return new Insight.Service("hotel", Set.of(callback), List.of(), List.of(instances), 0);
    }

    private static Insight.Seen seen(String name, int streams, Instant seen) {
        return seen(name, "", streams, seen);
    }

    private static Insight.Seen seen(String name, String build, int streams, Instant seen) {
        return new Insight.Seen(name, "1.0", build, streams, NOW.minusSeconds(60), seen);
    }

    private static StuckView stuck(Instant asOf, Group... groups) {
        return new StuckView(
                asOf,
                false,
                false,
                new SagaCounts(Map.of()),
                Optional.empty(),
                groups.length,
                List.of(groups),
                List.of(),
                Optional.empty(),
                List.of(),
                0);
    }

    private static Group waits(String service, String callback) {
        return new Group(
                new Kind(Stuck.Reason.NO_PARTICIPANT, "", service, Optional.of(callback)), 3, NOW.minusSeconds(90));
    }

    @SafeVarargs
    private static ClusterInsight of(Optional<Insight>... nodes) {
        Map<String, Optional<Insight>> byNode = new LinkedHashMap<>();
        for (int i = 0; i < nodes.length; i++) byNode.put("node-" + i, nodes[i]);
        return ClusterInsight.of(byNode, new Troubles(NOW), NOW);
    }

    @Test
    void an_instance_with_streams_to_two_nodes_is_one_and_those_that_are_there_come_first() {
        ClusterInsight insight = of(
                Optional.of(
                        node(Optional.empty(), hotel("a", seen("gone", 0, NOW.minusSeconds(1)), seen("both", 1, NOW)))),
                Optional.of(node(Optional.empty(), hotel("b", seen("both", 2, NOW)))));

        assertThat(insight.services()).singleElement().satisfies(hotel -> {
            assertThat(hotel.isConnected()).isTrue();
            assertThat(hotel.callbacks()).containsExactly("a", "b");
            assertThat(hotel.instances())
                    .extracting(ClusterInsight.Instance::name)
                    .containsExactly("both", "gone");
            assertThat(hotel.instances().getFirst().streams()).isEqualTo(3);
            assertThat(hotel.instances().getFirst().nodes()).containsExactly("node-0", "node-1");
        });
    }

    @Test
    void builds_side_by_side_are_told_apart_whatever_nodes_their_instances_have_streams_to() {
        ClusterInsight insight = of(
                Optional.of(node(
                        Optional.empty(),
                        hotel(
                                "a",
                                seen("old-1", "1.0-aaaa", 1, NOW),
                                seen("old-0", "0.9-aaaa", 0, NOW.minusSeconds(9))))),
                Optional.of(node(
                        Optional.empty(),
                        hotel(
                                "a",
                                seen("old-1", "1.0-aaaa", 2, NOW),
                                seen("old-2", "1.0-aaaa", 1, NOW),
                                seen("new-1", "1.1-bbbb", 1, NOW)))));

        assertThat(insight.services()).singleElement().satisfies(hotel -> {
            assertThat(hotel.builds()).containsExactly(Map.entry("1.0-aaaa", 2), Map.entry("1.1-bbbb", 1));
            assertThat(hotel.instances())
                    .filteredOn(each -> each.name().equals("old-0"))
                    .singleElement()
                    .returns("0.9-aaaa", ClusterInsight.Instance::build);
        });
    }

    @Test
    void a_build_that_an_older_node_does_not_say_is_known_from_another_or_not_at_all() {
        ClusterInsight insight = of(
                Optional.of(node(Optional.empty(), hotel("a", seen("both", "", 1, NOW), seen("alone", "", 1, NOW)))),
                Optional.of(node(Optional.empty(), hotel("a", seen("both", "1.0", 1, NOW)))));

        assertThat(insight.services())
                .singleElement()
                .satisfies(hotel -> assertThat(hotel.builds()).containsExactly(Map.entry("1.0", 1)));
    }

    @Test
    void a_service_that_nobody_has_seen_is_known_by_the_sagas_that_wait_for_it() {
        ClusterInsight insight = of(Optional.of(node(Optional.of(stuck(NOW, waits("car", "Cars.cancel"))))));

        assertThat(insight.services()).singleElement().satisfies(car -> {
            assertThat(car.name()).isEqualTo("car");
            assertThat(car.isConnected()).isFalse();
            assertThat(car.stuck()).isEqualTo(3);
            assertThat(car.missing()).containsExactly("Cars.cancel");
        });
    }

    @Test
    void a_callback_that_sagas_need_is_missing_if_no_connected_instance_offers_it() {
        ClusterInsight insight = of(Optional.of(node(
                Optional.of(stuck(NOW, waits("hotel", "Rooms.cancel"), waits("hotel", "Rooms.old"))),
                hotel("Rooms.cancel", seen("one", 1, NOW)))));

        assertThat(insight.services()).singleElement().satisfies(hotel -> {
            assertThat(hotel.missing()).containsExactly("Rooms.old");
            assertThat(hotel.stuck()).isEqualTo(6);
        });
    }

    @Test
    void a_callback_that_one_node_misses_is_not_missing_if_an_instance_at_another_offers_it() {
        Insight.Service here = new Insight.Service(
                "hotel",
                Set.of("Rooms.cancel"),
                List.of(new Lack("Rooms.free", 7, false), new Lack("Rooms.old", 2, false)),
                List.of(seen("new", 1, NOW)),
                0);
        Insight.Service there = new Insight.Service(
                "hotel",
                Set.of("Rooms.free"),
                List.of(new Lack("Rooms.old", 3, true)),
                List.of(seen("old", 1, NOW)),
                0);

        assertThat(of(Optional.of(node(Optional.empty(), here)), Optional.of(node(Optional.empty(), there)))
                        .services())
                .singleElement()
                .satisfies(hotel -> {
                    assertThat(hotel.missing()).containsExactly("Rooms.old");
                    assertThat(hotel.lacking()).containsExactly(new Lack("Rooms.old", 3, true));
                });
        assertThat(of(Optional.of(node(Optional.empty(), here)), Optional.empty())
                        .services())
                .as("while a node is silent")
                .singleElement()
                .satisfies(hotel -> assertThat(hotel.lacking()).isEmpty());
    }

    @Test
    void of_two_nodes_that_know_what_is_stuck_the_one_that_has_looked_later_is_believed() {
        ClusterInsight insight = of(
                Optional.of(node(Optional.of(stuck(NOW.minusSeconds(9), waits("car", "x"))))),
                Optional.of(node(Optional.of(stuck(NOW)))));

        assertThat(insight.stuck())
                .hasValueSatisfying(view -> assertThat(view.groups()).isEmpty());
    }

    @Test
    void a_node_that_does_not_answer_is_named() {
        assertThat(of(Optional.empty(), Optional.of(node(Optional.empty()))).silent())
                .containsExactly("node-0");
    }

    @Test
    void a_service_is_absent_if_every_node_has_answered_and_no_instance_is_connected() {
        Insight hotelIsThere = node(Optional.empty(), hotel("Rooms.cancel", seen("one", 1, NOW)));
        Insight hotelIsGone = node(Optional.empty(), hotel("Rooms.cancel", seen("one", 0, NOW)));
        List<String> asked = List.of("car", "hotel", "car");

        assertThat(of(Optional.of(hotelIsThere)).absent(asked)).containsExactly("car");
        assertThat(of(Optional.of(hotelIsGone)).absent(asked)).containsExactly("car", "hotel");
        assertThat(of(Optional.of(hotelIsGone), Optional.empty()).absent(asked)).isEmpty();
    }

    @Test
    void a_bulk_order_is_cancelled_as_soon_as_one_node_knows_that() {
        BulkTask task = new BulkTask.Abort(Optional.of("spa"), Optional.empty(), NOW);
        BulkOrder order = new BulkOrder("17", new Operator("ann", "closed"), task, NOW, 50, false);
        BulkStatus runs = new BulkStatus(order, Optional.of(new BulkStatus.Progress(3, 0, 9, false, false)));
        BulkStatus cancelled = new BulkStatus(order.cancel(), Optional.empty());

        for (List<BulkStatus> nodes : List.of(List.of(runs, cancelled), List.of(cancelled, runs))) {
            assertThat(of(Optional.of(node(nodes.getFirst())), Optional.of(node(nodes.getLast())))
                            .bulk())
                    .containsExactly(new BulkStatus(order.cancel(), runs.progress()));
        }
    }

    private static Insight node(BulkStatus bulk) {
        return new Insight(
                List.of(),
                NO_RATES,
                Waits.NONE,
                Waits.NONE,
                Optional.empty(),
                List.of(bulk),
                Insight.RETRIES_ONLY,
                Optional.empty());
    }
}
