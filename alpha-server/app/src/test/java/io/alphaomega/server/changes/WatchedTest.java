package io.alphaomega.server.changes;

import static org.assertj.core.api.Assertions.assertThat;

import io.alphaomega.repository.RepositoryUnavailableException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** One look serves all, and none is made for nobody. */
class WatchedTest {
    private final Watchers watchers = new Watchers();
    private final AtomicInteger looks = new AtomicInteger();

    @Test
    void of_many_who_watch_one_looks_for_all() throws Exception {
        Watched<Integer> watched = new Watched<>(looks::incrementAndGet, watchers);
        CountDownLatch together = new CountDownLatch(1);
        List<Future<Look<Integer>>> second = new ArrayList<>();
        Look<Integer> first = watched.after(null).orElseThrow();
        try (var readers = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 20; i++) {
                second.add(readers.submit(() -> {
                    together.await();
                    return watched.after(first).orElseThrow();
                }));
            }
            together.countDown();
            for (Future<Look<Integer>> look : second)
                assertThat(look.get().at()).isGreaterThan(first.at());
        }

        // On a machine that is busy for seconds one more becomes due.
        assertThat(looks.get()).isBetween(2, 10);
    }

    @Test
    void a_store_that_is_away_is_told_and_looked_at_again() throws Exception {
        Watched<Integer> watched = new Watched<>(
                () -> {
                    if (looks.incrementAndGet() == 1) throw new RepositoryUnavailableException("away");
                    return looks.get();
                },
                watchers);

        Look<Integer> first = watched.after(null).orElseThrow();
        Look<Integer> second = watched.after(first).orElseThrow();

        assertThat(first).isInstanceOf(Look.Failed.class);
        assertThat(second)
                .isInstanceOfSatisfying(
                        Look.Found.class, found -> assertThat(found.what()).isEqualTo(2));
    }

    @Test
    void nobody_waits_for_a_look_once_the_node_stops() throws Exception {
        Watched<Integer> watched = new Watched<>(looks::incrementAndGet, watchers);
        Look<Integer> first = watched.after(null).orElseThrow();

        watchers.stop();

        assertThat(watched.after(first)).isEqualTo(Optional.empty());
        assertThat(looks).hasValue(1);
    }
}
