package io.alphaomega.server.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Who is right when the nodes' clocks differ. */
class ClocksTest {
    private static final Duration QUICK = Duration.ofMillis(2);
    private static final Duration SLOW = Duration.ofSeconds(40);

    /** Of a node whose clock is that far ahead of the true time, by the answer to a question that took a while. */
    private record Node(double ahead, Duration error, boolean answers) {}

    private static Node at(double ahead) {
        return new Node(ahead, QUICK, true);
    }

    private static Node slow(double ahead) {
        return new Node(ahead, SLOW, true);
    }

    private static Node mute() {
        return new Node(0, QUICK, false);
    }

    /** Which of them are to leave, the oldest first: each says so of itself. */
    private static List<Integer> leave(Node... nodes) {
        List<Integer> leave = new ArrayList<>();
        for (int self = 0; self < nodes.length; self++) {
            if (wrong(self, false, nodes).isPresent()) leave.add(self);
        }
        return leave;
    }

    private static Optional<String> wrong(int self, boolean joins, Node... nodes) {
        List<Clocks.Reading> readings = new ArrayList<>();
        for (int i = 0; i < nodes.length; i++) {
            Duration ahead = Duration.ofMillis(Math.round((nodes[i].ahead() - nodes[self].ahead()) * 1_000));
            ClockOffset seen = i == self
                    ? ClockOffset.NONE
                    : new ClockOffset(ahead, longer(nodes[i].error(), nodes[self].error()));
            boolean known = i == self || nodes[i].answers();
            readings.add(new Clocks.Reading("node-" + i, i == self, known ? Optional.of(seen) : Optional.empty()));
        }
        return Clocks.wrong(readings, joins);
    }

    private static Duration longer(Duration one, Duration other) {
        return one.compareTo(other) > 0 ? one : other;
    }

    @Test
    void an_answer_was_given_between_the_question_and_its_arrival() {
        Instant sent = Instant.parse("2026-11-24T08:00:00Z");
        assertThat(ClockOffset.measured(sent, sent.plusMillis(30_005), sent.plusMillis(10)))
                .isEqualTo(new ClockOffset(Duration.ofSeconds(30), Duration.ofMillis(6)));
    }

    @Test
    void a_node_alone_is_right() {
        assertThat(leave(at(60))).isEmpty();
    }

    @Test
    void less_than_a_second_is_no_matter() {
        assertThat(leave(at(0), at(0.4), at(0.9))).isEmpty();
        assertThat(leave(at(0), at(-0.4), at(-0.9))).isEmpty();
    }

    @Test
    void most_nodes_are_right_whoever_is_the_oldest() {
        assertThat(leave(at(60), at(0), at(0.1))).containsExactly(0);
        assertThat(leave(at(0), at(-60), at(0.1))).containsExactly(1);
        assertThat(leave(at(0), at(0.1), at(2), at(0.2), at(-2))).containsExactly(2, 4);
    }

    @Test
    void of_two_the_oldest_is_right_and_where_no_two_agree_too() {
        assertThat(leave(at(0), at(60))).containsExactly(1);
        assertThat(leave(at(0), at(60), at(-60))).containsExactly(1, 2);
        assertThat(leave(at(0), at(60), at(0), at(60))).containsExactly(1, 3);
    }

    @Test
    void never_do_all_leave_and_never_two_because_of_each_other() {
        assertThat(leave(at(0), at(0.9), at(1.8))).as("a chain").doesNotContain(0, 1);
        assertThat(leave(at(1.8), at(0.9), at(0))).as("a chain").doesNotContain(0, 1);
        for (int seed = 0; seed < 3_000; seed++) {
            Random random = new Random(seed);
            Node[] nodes = new Node[1 + random.nextInt(6)];
            for (int i = 0; i < nodes.length; i++) nodes[i] = at(random.nextInt(8) * 0.7);
            assertThat(leave(nodes)).as("seed %d", seed).hasSizeLessThan(nodes.length);
        }
    }

    @Test
    void a_slow_answer_makes_nobody_wrong() {
        assertThat(leave(at(0), slow(30))).isEmpty();
        assertThat(leave(at(0), slow(30), slow(30))).isEmpty();
        assertThat(leave(at(60), slow(25), at(0))).isEmpty();
        assertThat(leave(at(60), at(0), slow(25), at(0), at(0))).containsExactly(0);
    }

    @Test
    void while_somebody_does_not_answer_only_a_majority_decides() {
        assertThat(wrong(1, false, at(60), at(0), mute())).isEmpty();
        assertThat(wrong(0, false, at(60), at(0), mute())).isEmpty();
        assertThat(wrong(0, false, at(60), at(0), at(0), mute(), at(0))).isPresent();
    }

    @Test
    void who_joins_is_refused_by_the_oldest_also_while_others_do_not_answer() {
        assertThat(wrong(1, true, at(0), at(-60), mute()))
                .contains(
                        "This node's clock is 60.0 s behind that of node-0, the oldest node of the cluster, and nodes of a cluster may be 1 s apart at most: set the clock of its machine, by NTP.");
        assertThat(wrong(2, true, at(0), at(0), at(60)))
                .contains(
                        "This node's clock is 60.0 s ahead of that of most nodes of the cluster, node-0, node-1, and nodes of a cluster may be 1 s apart at most: set the clock of its machine, by NTP.");
        assertThat(wrong(1, true, mute(), at(60))).isEmpty();
    }
}
