package io.alphaomega.repository.kit;

import static io.alphaomega.repository.kit.Bench.BASE;
import static io.alphaomega.repository.kit.Bench.event;
import static org.assertj.core.api.Assertions.assertThat;

import io.alphaomega.repository.SagaCounts;
import io.alphaomega.repository.SagaSummary.State;
import io.alphaomega.repository.Version;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** How many sagas are in each state. */
abstract class CountingContract {
    private final Bench bench;

    CountingContract(Bench bench) {
        this.bench = bench;
    }

    @Test
    void a_saga_counts_in_the_state_it_is_in() {
        SagaCounts before = settled();
        List<State> states = List.of(State.values());
        for (int i = 0; i < states.size(); i++) {
            State state = states.get(i);
            bench.begin(bench.sagas(i + 1, saga -> saga.state(state)));
        }
        bench.shows(() -> {
            SagaCounts after = bench.repository().counts();
            for (int i = 0; i < states.size(); i++) {
                State state = states.get(i);
                assertThat(after.in(state) - before.in(state)).as("%s", state).isEqualTo(i + 1);
            }
        });
    }

    @Test
    void a_saga_that_moves_counts_once() {
        Draft saga = bench.saga();
        SagaCounts before = settled();
        Version version = bench.begin(saga);
        bench.appended(saga.ended(State.COMMITTED, BASE).after(version, event("ended")));

        bench.shows(() -> {
            SagaCounts after = bench.repository().counts();
            assertThat(after.in(State.COMMITTED) - before.in(State.COMMITTED)).isEqualTo(1);
            assertThat(after.in(State.ACTIVE)).isEqualTo(before.in(State.ACTIVE));
        });
    }

    @Test
    void only_those_that_are_asked_for_are_counted() {
        bench.begin(bench.sagas(1, saga -> saga.state(State.SUSPENDED)));
        bench.begin(bench.sagas(1, saga -> saga.state(State.COMPENSATED)));
        Set<State> open = Set.of(State.ACTIVE, State.SUSPENDED);
        settled();

        SagaCounts all = bench.repository().counts();
        SagaCounts some = bench.repository().counts(open);
        for (State state : State.values()) {
            assertThat(some.in(state)).as("%s", state).isEqualTo(open.contains(state) ? all.in(state) : 0);
        }
    }

    /** The counts once they show what earlier tests have left. */
    private SagaCounts settled() {
        Draft marker = bench.saga();
        bench.begin(marker);
        bench.shows(() -> assertThat(bench.summary(marker.id())).isPresent());
        return bench.repository().counts();
    }
}
