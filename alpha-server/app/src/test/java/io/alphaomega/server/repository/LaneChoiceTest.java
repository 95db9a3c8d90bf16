package io.alphaomega.server.repository;

import static org.assertj.core.api.Assertions.assertThat;

import io.alphaomega.saga.SagaId;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class LaneChoiceTest {
    private static final int ITEMS_PER_LANE = 8;

    private final LaneChoice choice = new LaneChoice(3, ITEMS_PER_LANE);

    private static List<SagaId> sagas(String name, int count) {
        return IntStream.range(0, count).mapToObj(i -> new SagaId(name + i)).toList();
    }

    private List<Integer> enter(List<SagaId> sagas) {
        return sagas.stream().map(choice::enter).toList();
    }

    @Test
    void few_have_one_lane_more_have_more_and_few_again_have_one() {
        List<SagaId> first = sagas("first", ITEMS_PER_LANE);
        List<SagaId> second = sagas("second", ITEMS_PER_LANE);
        List<SagaId> many = sagas("many", 300);
        assertThat(enter(first)).containsOnly(0);
        assertThat(enter(second)).containsOnly(0, 1);
        List<Integer> lanes = enter(many);
        for (int lane = 0; lane < 3; lane++) {
            int each = lane;
            assertThat(lanes).filteredOn(used -> used == each).hasSizeBetween(60, 140);
        }

        List.of(first, second, many).forEach(left -> left.forEach(choice::leave));
        assertThat(enter(first)).containsOnly(0);
    }

    @Test
    void an_append_follows_those_of_its_saga_that_are_under_way() {
        List<SagaId> few = sagas("few", ITEMS_PER_LANE);
        enter(few);
        enter(sagas("many", 300));
        assertThat(enter(few)).as("though there is more than one lane by now").containsOnly(0);

        few.forEach(choice::leave);
        assertThat(enter(few)).as("the others are under way still").containsOnly(0);

        for (int i = 0; i < 2; i++) few.forEach(choice::leave);
        assertThat(enter(few)).as("nothing is").contains(1, 2);
    }
}
