package io.alphaomega.repository.kit;

import static io.alphaomega.repository.kit.Bench.BASE;
import static io.alphaomega.repository.kit.Bench.DEADLINE;
import static io.alphaomega.repository.kit.Bench.event;
import static org.assertj.core.api.Assertions.assertThat;

import io.alphaomega.repository.Health;
import io.alphaomega.repository.Loaded;
import io.alphaomega.repository.RepositoryUnavailableException;
import io.alphaomega.repository.Version;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;

/** A store that is late is waited for; one that is much too late is away, until it no longer is. */
abstract class SlowContract {
    /** As another continent, or a disk under load. An operation may take several answers. */
    private static final Duration LATE = Duration.ofMillis(200);

    private static final Duration TOO_LATE = LATE.multipliedBy(100);

    private static final int CALLERS = 32;

    private final Bench bench;

    SlowContract(Bench bench) {
        this.bench = bench;
    }

    @Test
    void a_late_answer_is_waited_for() throws Exception {
        Draft saga = bench.saga().wakeUpAt(BASE);
        Version version = bench.begin(saga);
        bench.store().slowDown(LATE);

        Version next = Bench.within(DEADLINE, () -> bench.appended(saga.after(version, event("next"))));
        assertThat(Bench.within(DEADLINE, () -> bench.repository().load(saga.id())))
                .isEqualTo(new Loaded(List.of(event("begun"), event("next")), next));
        assertThat(Bench.within(DEADLINE, () -> bench.repository().check())).isInstanceOf(Health.Up.class);
        bench.store().slowDown(Duration.ZERO);
        bench.shows(() -> assertThat(bench.summary(saga.id())).contains(saga.summary()));
    }

    @Test
    void a_store_a_hundred_times_slower_is_away_and_works_again_right_after() throws Exception {
        Draft saga = bench.saga();
        Version version = bench.begin(saga);
        bench.store().slowDown(TOO_LATE);

        bench.assertUnavailable(() -> bench.append(saga.after(version, event("next"))));
        assertThat(Bench.within(DEADLINE, () -> bench.repository().check())).isInstanceOf(Health.Down.class);
        assertTrueOrUnavailable(saga, version);

        bench.store().slowDown(Duration.ZERO);
        bench.assertWorksAgain();
        Loaded loaded = bench.repository().load(saga.id());
        if (!loaded.version().equals(version)) {
            assertThat(loaded.events()).containsExactly(event("begun"), event("next"));
        }
        bench.appended(saga.after(loaded.version(), event("after")));
    }

    @Test
    void each_of_many_callers_is_told_within_the_deadline() throws Exception {
        List<Draft> sagas = bench.sagas(CALLERS, saga -> saga);
        bench.begin(bench.saga());
        bench.store().slowDown(TOO_LATE);

        List<Callable<Boolean>> callers = new ArrayList<>();
        for (Draft saga : sagas) {
            callers.add(() -> {
                bench.assertUnavailable(() -> bench.append(saga.after(Version.NONE, event("a"))));
                return true;
            });
        }
        assertThat(Bench.race(callers)).hasSize(CALLERS);

        bench.store().slowDown(Duration.ZERO);
        bench.assertWorksAgain();
        for (Draft saga : sagas) {
            assertThat(bench.whenBack(() -> bench.repository().load(saga.id())).events())
                    .isIn(List.of(), List.of(event("a")));
        }
    }

    private void assertTrueOrUnavailable(Draft saga, Version before) throws Exception {
        try {
            Loaded loaded = Bench.within(DEADLINE, () -> bench.repository().load(saga.id()));
            assertThat(loaded.version().sequence()).isBetween(before.sequence(), before.sequence() + 1);
        } catch (RepositoryUnavailableException expected) {
            assertThat(expected).hasMessageMatching("(?s).{10,}");
        }
    }
}
