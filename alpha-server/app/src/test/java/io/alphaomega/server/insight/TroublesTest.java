package io.alphaomega.server.insight;

import static org.assertj.core.api.Assertions.assertThat;

import io.alphaomega.repository.SagaCounts;
import io.alphaomega.server.insight.Trouble.Kind;
import io.alphaomega.server.meters.Waits;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What a node says is amiss, and since when, by what all nodes say of themselves. */
class TroublesTest {
    private static final Instant NOW = Instant.parse("2026-11-20T09:00:00Z");
    private static final Optional<Standing> OLDER = Optional.empty();

    private final Troubles troubles = new Troubles(NOW);

    private static Insight node(Optional<Standing> standing, Optional<StuckView> stuck) {
        return new Insight(
                List.of(),
                new Rates(NOW.getEpochSecond(), List.of()),
                Waits.NONE,
                Waits.NONE,
                stuck,
                List.of(),
                Insight.RETRIES_ONLY,
                standing);
    }

    private static Optional<Insight> has(int shards) {
        return Optional.of(node(standing(shards, Optional.empty(), Map.of()), Optional.empty()));
    }

    /** One that also has looked for stuck sagas. */
    private static Optional<Insight> looked(int shards, Instant asOf, boolean stale) {
        return Optional.of(node(standing(shards, Optional.empty(), Map.of()), view(asOf, stale)));
    }

    private static Optional<Insight> storeless(int shards, Instant since) {
        return Optional.of(node(standing(shards, Optional.of(since), Map.of()), view(NOW, false)));
    }

    private static Optional<Insight> missing(int shards, String node, Instant since) {
        return Optional.of(node(standing(shards, Optional.empty(), Map.of(node, since)), view(NOW, false)));
    }

    private static Optional<Standing> standing(int shards, Optional<Instant> storeAway, Map<String, Instant> missing) {
        return Optional.of(new Standing(storeAway, shards, missing, Optional.empty()));
    }

    private static Optional<StuckView> view(Instant asOf, boolean stale) {
        return Optional.of(new StuckView(
                asOf,
                stale,
                false,
                new SagaCounts(Map.of()),
                Optional.empty(),
                0,
                List.of(),
                List.of(),
                Optional.empty(),
                List.of(),
                0));
    }

    @SafeVarargs
    private static Map<String, Optional<Insight>> nodes(Optional<Insight>... nodes) {
        Map<String, Optional<Insight>> byNode = new LinkedHashMap<>();
        for (int i = 0; i < nodes.length; i++) byNode.put("node-" + i, nodes[i]);
        return byNode;
    }

    @SafeVarargs
    private List<Trouble> found(Instant now, Optional<Insight>... nodes) {
        return troubles.look(nodes(nodes), now).troubles();
    }

    private static Trouble trouble(Kind kind, String subject, long count, Instant since) {
        return new Trouble(kind, subject, count, Optional.of(since));
    }

    @Test
    void a_cluster_that_is_whole_has_none() {
        assertThat(found(NOW.plusSeconds(60), looked(50, NOW.plusSeconds(58), false), has(50)))
                .isEmpty();
    }

    @Test
    void a_store_that_no_node_reaches_is_away_since_the_first_of_them_noticed() {
        assertThat(found(NOW, storeless(50, NOW.minusSeconds(3)), storeless(50, NOW.minusSeconds(7))))
                .containsExactly(trouble(Kind.STORE_AWAY, "", 0, NOW.minusSeconds(7)));
    }

    @Test
    void a_store_that_one_node_does_not_reach_is_away_for_that_one() {
        assertThat(found(NOW, storeless(50, NOW.minusSeconds(3)), has(50)))
                .containsExactly(trouble(Kind.STORE_AWAY, "node-0", 0, NOW.minusSeconds(3)));
    }

    @Test
    void a_node_that_does_not_answer_is_silent_since_it_was_first_seen_to_be_until_it_answers() {
        Optional<Insight> other = looked(100, NOW, false);
        assertThat(found(NOW, other, Optional.empty())).containsExactly(trouble(Kind.NODE_SILENT, "node-1", 0, NOW));
        assertThat(found(NOW.plusSeconds(5), other, Optional.empty()))
                .containsExactly(trouble(Kind.NODE_SILENT, "node-1", 0, NOW));
        assertThat(found(NOW.plusSeconds(6), other, has(0))).isEmpty();
        assertThat(found(NOW.plusSeconds(7), other, Optional.empty()))
                .containsExactly(trouble(Kind.NODE_SILENT, "node-1", 0, NOW.plusSeconds(7)));
    }

    @Test
    void a_node_that_is_missing_is_told_by_each_that_knows_it_and_no_more_once_it_is_a_member() {
        assertThat(found(NOW, missing(100, "node-1", NOW.minusSeconds(9))))
                .containsExactly(trouble(Kind.NODE_MISSING, "node-1", 0, NOW.minusSeconds(9)));
        assertThat(found(NOW, missing(100, "node-1", NOW.minusSeconds(9)), has(0)))
                .isEmpty();
    }

    @Test
    void shards_that_no_node_has_are_told_once_they_are_not_just_moving() {
        Optional<Insight> left = looked(70, NOW, false);
        assertThat(found(NOW, left)).isEmpty();
        assertThat(found(NOW.plusSeconds(5), left)).containsExactly(trouble(Kind.SHARDS_HOMELESS, "", 30, NOW));
        assertThat(found(NOW.plusSeconds(6), looked(100, NOW, false))).isEmpty();
    }

    @Test
    void of_a_node_that_does_not_say_how_many_shards_it_has_nobody_says_that_it_has_none() {
        Optional<Insight> older = Optional.of(node(OLDER, view(NOW, false)));
        assertThat(found(NOW, has(10), older)).isEmpty();
        assertThat(found(NOW.plusSeconds(5), has(10), older)).isEmpty();
    }

    @Test
    void what_is_stuck_is_unknown_from_the_last_look_on_whoever_has_looked() {
        Instant looked = NOW.plusSeconds(40);
        assertThat(troubles.look(nodes(looked(100, looked, false)), NOW.plusSeconds(41))
                        .stuckUnknown())
                .isEmpty();
        assertThat(troubles.look(nodes(looked(100, looked, true)), NOW.plusSeconds(45))
                        .stuckUnknown())
                .contains(looked);
        assertThat(troubles.look(nodes(has(100)), NOW.plusSeconds(48)).stuckUnknown())
                .as("the node that looked is gone")
                .contains(looked);
        assertThat(found(NOW.plusSeconds(60), has(100))).containsExactly(trouble(Kind.STUCK_UNKNOWN, "", 0, looked));
    }

    @Test
    void where_nobody_has_ever_looked_it_is_unknown_from_the_start() {
        assertThat(troubles.look(nodes(has(100)), NOW.plusSeconds(2)).stuckUnknown())
                .contains(NOW);
    }

    @Test
    void a_search_index_that_cannot_be_told_lacks_what_all_nodes_have_changed() {
        Insight late = node(
                Optional.of(new Standing(Optional.empty(), 50, Map.of(), Optional.of(new Standing.Backlog(7, true)))),
                view(NOW, false));
        Insight fine = node(
                Optional.of(new Standing(Optional.empty(), 50, Map.of(), Optional.of(new Standing.Backlog(5, false)))),
                Optional.empty());
        assertThat(found(NOW, Optional.of(late), Optional.of(fine))).isEmpty();
        assertThat(found(NOW.plusSeconds(10), Optional.of(late), Optional.of(fine)))
                .containsExactly(trouble(Kind.LIST_BEHIND, "", 12, NOW));
    }
}
