package io.alphaomega.repository.kit;

import static io.alphaomega.repository.kit.Bench.BASE;
import static io.alphaomega.repository.kit.Bench.event;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.alphaomega.repository.Append;
import io.alphaomega.repository.AppendResult.Conflict;
import io.alphaomega.repository.Cursor;
import io.alphaomega.repository.Health;
import io.alphaomega.repository.Loaded;
import io.alphaomega.repository.RepositoryUnavailableException;
import io.alphaomega.repository.SagaQuery;
import io.alphaomega.repository.SagaRepository;
import io.alphaomega.repository.SagaSummary.State;
import io.alphaomega.repository.StoredEvent;
import io.alphaomega.repository.Version;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** What was stored is there for the next server; a closed repository says that it is closed. */
abstract class ReopeningContract {
    private final Bench bench;

    ReopeningContract(Bench bench) {
        this.bench = bench;
    }

    @Test
    void everything_is_still_there_byte_for_byte() {
        Draft saga = bench.saga()
                .reason("überbucht")
                .services(bench.service, "hotel")
                .wakeUpAt(BASE);
        byte[] bytes = new byte[256];
        for (int i = 0; i < bytes.length; i++) bytes[i] = (byte) i;
        Version first = bench.appended(saga.after(Version.NONE, event("a"), StoredEvent.of("bytes", bytes)));
        Version second = bench.appended(saga.after(first, event("c")));
        Draft ended = bench.saga().ended(State.COMMITTED, BASE);
        bench.begin(ended);
        bench.shows(() -> assertThat(bench.find(bench.mine())).hasSize(2));
        var counts = bench.repository().counts();

        SagaRepository reopened = bench.reopen();

        assertThat(reopened.load(saga.id()))
                .isEqualTo(new Loaded(List.of(event("a"), StoredEvent.of("bytes", bytes), event("c")), second));
        assertThat(bench.find(bench.mine())).containsExactlyInAnyOrder(saga.summary(), ended.summary());
        assertThat(bench.due(BASE, 100)).contains(saga.id()).doesNotContain(ended.id());
        assertThat(reopened.counts()).isEqualTo(counts);
    }

    @Test
    void the_fence_stands() {
        Draft saga = bench.saga();
        Version first = bench.begin(saga);
        Version second = bench.appended(saga.after(first, event("next")));
        bench.reopen();

        assertThat(bench.append(saga.after(first, event("stale")))).isEqualTo(new Conflict(second));
        bench.appended(saga.after(second, event("right")));
        assertThat(bench.journal(saga.id())).containsExactly(event("begun"), event("next"), event("right"));
    }

    @Test
    void what_was_purged_stays_away() {
        Draft saga = bench.saga().ended(State.COMMITTED, BASE.minusSeconds(1_000_000_000));
        bench.begin(saga);
        bench.shows(() -> assertThat(bench.find(bench.mine())).hasSize(1));
        bench.repository().purge(BASE.minusSeconds(999_999_999), SagaRepository.PAGE_MAX);

        Loaded tombstone = bench.reopen().load(saga.id());
        assertThat(tombstone.tombstone()).contains(State.COMMITTED);
        assertThat(bench.append(saga.after(Version.NONE, event("again")))).isEqualTo(new Conflict(tombstone.version()));

        bench.repository().forget(BASE.minusSeconds(999_999_999), SagaRepository.PAGE_MAX);
        assertThat(bench.reopen().load(saga.id())).isEqualTo(Loaded.NOTHING);
    }

    @Test
    void a_closed_repository_says_so() {
        SagaRepository closed = bench.repository();
        Append append = bench.saga().after(Version.NONE, event("a"));
        bench.begin(bench.saga());
        closed.close();

        List<Runnable> calls = List.of(
                () -> closed.append(List.of(append)),
                () -> closed.load(append.id()),
                () -> closed.due(BASE, Cursor.START, 1),
                () -> closed.find(SagaQuery.ALL, Cursor.START, 1),
                closed::counts,
                () -> closed.purge(BASE.minusSeconds(2_000_000_000), 1),
                () -> closed.forget(BASE.minusSeconds(2_000_000_000), 1),
                closed::notes,
                () -> closed.note("of-nobody", "never"));
        for (Runnable call : calls) {
            assertThatThrownBy(() -> Bench.within(Bench.DEADLINE, Executors.callable(call)))
                    .isInstanceOf(RepositoryUnavailableException.class);
        }
        assertThat(closed.check()).isInstanceOf(Health.Down.class);
        closed.close();

        assertThat(bench.reopen().load(append.id())).isEqualTo(Loaded.NOTHING);
    }

    @Test
    void what_was_appended_before_the_closing_is_there_after_it() throws Exception {
        SagaRepository closing = bench.repository();
        CountDownLatch writing = new CountDownLatch(1);
        AtomicBoolean closed = new AtomicBoolean();
        Draft saga = bench.saga();
        List<Version> appended = new ArrayList<>(List.of(Version.NONE));
        Callable<Void> writer = () -> {
            try {
                boolean lastWord = false;
                while (!lastWord) {
                    lastWord = closed.get();
                    appended.add(bench.appended(saga.after(appended.getLast(), event("a"), event("b"))));
                    writing.countDown();
                }
                throw new AssertionError("an append to the closed repository succeeded");
            } catch (RepositoryUnavailableException expected) {
                return null;
            }
        };
        Callable<Void> closer = () -> {
            writing.await();
            closing.close();
            closed.set(true);
            return null;
        };
        Bench.race(List.of(writer, closer));

        Loaded loaded = bench.reopen().load(saga.id());
        assertThat(loaded.version().sequence())
                .isBetween(appended.getLast().sequence(), appended.getLast().sequence() + 2)
                .isEven()
                .isEqualTo(loaded.events().size());
    }
}
