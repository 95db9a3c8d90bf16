package io.alphaomega.repository.kit;

import static io.alphaomega.repository.kit.Bench.event;
import static org.assertj.core.api.Assertions.assertThat;

import io.alphaomega.repository.Loaded;
import io.alphaomega.repository.Version;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** A load sees every append that has returned, and only whole ones. */
abstract class LoadingContract {
    private static final int APPENDS = 50;

    private final Bench bench;

    LoadingContract(Bench bench) {
        this.bench = bench;
    }

    @Test
    void an_unknown_saga_has_nothing() {
        assertThat(bench.repository().load(Bench.newId())).isEqualTo(Loaded.NOTHING);
    }

    @Test
    void each_append_is_seen_once_it_has_returned() {
        Draft saga = bench.saga();
        Version version = Version.NONE;
        for (int i = 1; i <= APPENDS; i++) {
            version = bench.appended(saga.after(version, event("e" + i)));
            Loaded loaded = bench.repository().load(saga.id());
            assertThat(loaded.version()).isEqualTo(version);
            assertThat(loaded.events()).hasSize(i).endsWith(event("e" + i));
        }
    }

    @Test
    void who_loads_during_appends_sees_whole_ones() throws Exception {
        Draft saga = bench.saga();
        CountDownLatch writing = new CountDownLatch(1);
        Callable<Void> writer = () -> {
            Version version = Version.NONE;
            for (int i = 0; i < APPENDS; i++) {
                version = bench.appended(saga.after(version, event("a" + i), event("b" + i), event("c" + i)));
            }
            writing.countDown();
            return null;
        };
        Callable<Void> reader = () -> {
            long seen = 0;
            while (writing.getCount() > 0) {
                Loaded loaded = bench.repository().load(saga.id());
                assertThat(loaded.events()).hasSize((int) loaded.version().sequence());
                assertThat(loaded.version().sequence() % 3).isZero();
                assertThat(loaded.version().sequence()).isGreaterThanOrEqualTo(seen);
                seen = loaded.version().sequence();
            }
            return null;
        };
        Bench.race(List.of(writer, reader, reader));
    }
}
