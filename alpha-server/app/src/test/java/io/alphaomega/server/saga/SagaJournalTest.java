package io.alphaomega.server.saga;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.alphaomega.repository.RepositoryUnavailableException;
import io.alphaomega.saga.SagaId;
import io.alphaomega.saga.SagaState;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SagaJournalTest {
    private static final SagaId ID = new SagaId("s");

    @Test
    void of_the_loads_from_a_slow_store_few_are_under_way_some_wait_and_the_rest_are_refused_at_once() {
        FaultyRepository store = new FaultyRepository();
        Semaphore answers = new Semaphore(0);
        store.onLoad = loaded -> {
            answers.acquireUninterruptibly();
            return loaded;
        };
        SagaJournal journal =
                new SagaJournal(store, (append, waiter) -> {}, command -> Thread.startVirtualThread(command));
        List<CompletableFuture<SagaJournal.Read>> underWay = load(journal, SagaJournal.LOADS_MAX);
        await().until(() -> store.loads.get() == SagaJournal.LOADS_MAX);
        List<CompletableFuture<SagaJournal.Read>> waiting = load(journal, 2 * SagaJournal.WAITING_MAX);

        await().until(() -> refused(waiting) >= SagaJournal.WAITING_MAX / 2);
        assertThat(store.loads).hasValue(SagaJournal.LOADS_MAX);
        await().untilAsserted(() -> assertThat(waiting).allMatch(CompletableFuture::isDone));
        assertThat(refused(waiting)).isEqualTo(2 * SagaJournal.WAITING_MAX);
        answers.release(SagaJournal.LOADS_MAX + 1);
        assertThat(underWay).allSatisfy(read -> assertThat(read.join().state()).isInstanceOf(SagaState.Absent.class));
        assertThat(load(journal).join().state().id()).isEqualTo(ID);
    }

    private static List<CompletableFuture<SagaJournal.Read>> load(SagaJournal journal, int times) {
        return IntStream.range(0, times).mapToObj(i -> load(journal)).toList();
    }

    private static CompletableFuture<SagaJournal.Read> load(SagaJournal journal) {
        CompletableFuture<SagaJournal.Read> read = new CompletableFuture<>();
        journal.load(ID, read::complete, read::completeExceptionally);
        return read;
    }

    private static long refused(List<CompletableFuture<SagaJournal.Read>> loads) {
        return loads.stream()
                .filter(CompletableFuture::isCompletedExceptionally)
                .filter(load -> load.exceptionNow() instanceof RepositoryUnavailableException)
                .count();
    }
}
