package io.alphaomega.server.sweep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import akka.actor.testkit.typed.javadsl.TestProbe;
import akka.actor.typed.ActorRef;
import io.alphaomega.repository.Cursor;
import io.alphaomega.repository.Page;
import io.alphaomega.repository.RepositoryUnavailableException;
import io.alphaomega.repository.servers.Patience;
import io.alphaomega.saga.Reply;
import io.alphaomega.saga.SagaId;
import io.alphaomega.saga.SagaInput;
import io.alphaomega.server.saga.Deliver;
import io.alphaomega.server.saga.SagaBench;
import io.alphaomega.server.saga.SagaReply;
import io.alphaomega.server.saga.Sagas;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** How fast a sweep goes on; the test is every saga. */
class SweepTest {
    private final SagaBench bench = new SagaBench();
    private final TestProbe<Deliver> region = bench.kit.createTestProbe();
    private final Sagas sagas = new Sagas();
    private final AtomicInteger pages = new AtomicInteger();
    private final AtomicInteger looks = new AtomicInteger();
    private final AtomicInteger whole = new AtomicInteger();
    private volatile boolean room = true;

    @BeforeEach
    void open() {
        sagas.open(bench.kit.system(), region.getRef());
    }

    @AfterEach
    void close() {
        bench.close();
    }

    /** Without end. */
    private void sweep() {
        sweep(cursor -> page(pages.incrementAndGet()));
    }

    private ActorRef<Sweep.Command> sweep(Function<Cursor, Page<SagaId>> reading) {
        return bench.kit.spawn(Sweep.of(
                "The sweep of a test",
                reading,
                new SagaInput.Tick(),
                () -> {
                    looks.incrementAndGet();
                    return room;
                },
                sagas,
                bench.threads,
                whole::incrementAndGet));
    }

    private static Page<SagaId> lastPage() {
        return new Page<>(page(2).items(), Optional.empty());
    }

    private void isOver(ActorRef<Sweep.Command> sweep) {
        bench.kit.createTestProbe().expectTerminated(sweep, Patience.LIMIT);
    }

    private static Page<SagaId> page(int number) {
        List<SagaId> ids = IntStream.range(0, Sweep.PAGE)
                .mapToObj(i -> new SagaId(number + "-" + i))
                .toList();
        return new Page<>(ids, Optional.of(new Cursor(String.valueOf(number))));
    }

    private List<Deliver> told() {
        return region.receiveSeveralMessages(Sweep.PAGE, Patience.LIMIT);
    }

    private static void answer(List<Deliver> told) {
        told.forEach(deliver -> deliver.answer(new SagaReply.Outcome.Decided(new Reply.Accepted())));
    }

    @Test
    void as_fast_as_the_sagas_answer() {
        sweep();

        for (int i = 0; i < 10; i++) answer(told());

        assertThat(pages).hasValueBetween(10, 11);
    }

    @Test
    void while_there_is_no_room_for_what_the_sagas_will_ask_for_no_further_page_is_read() {
        room = false;
        sweep();
        answer(told());
        await().until(() -> looks.get() > 0);
        assertThat(pages).hasValue(1);

        room = true;

        await().untilAsserted(() -> {
            bench.time.timePasses(Sweep.PAUSE);
            assertThat(pages).hasValue(2);
        });
        assertThat(told()).hasSize(Sweep.PAGE);
    }

    @Test
    void who_does_not_answer_does_not_keep_the_others_waiting_for_long() {
        sweep();
        told();
        assertThat(pages).hasValue(1);

        bench.time.timePasses(Sweep.PATIENCE);

        assertThat(told()).hasSize(Sweep.PAGE);
    }

    @Test
    void it_is_whole_when_every_saga_has_answered_even_late() {
        ActorRef<Sweep.Command> sweep = sweep(cursor -> cursor.equals(Cursor.START) ? page(1) : lastPage());
        List<Deliver> first = told();
        bench.time.timePasses(Sweep.PATIENCE);
        List<Deliver> last = told();
        assertThat(whole).hasValue(0);

        answer(first);
        answer(last);

        isOver(sweep);
        assertThat(whole).hasValue(1);
    }

    @Test
    void it_is_not_whole_when_a_page_cannot_be_read() {
        ActorRef<Sweep.Command> sweep = sweep(cursor -> {
            if (cursor.equals(Cursor.START)) return page(1);
            throw new RepositoryUnavailableException("busy");
        });
        answer(told());

        isOver(sweep);
        assertThat(whole).hasValue(0);
    }

    @Test
    void it_is_not_whole_when_a_saga_could_not_store_what_it_was_told() {
        ActorRef<Sweep.Command> sweep = sweep(cursor -> lastPage());
        List<Deliver> told = told();
        told.getFirst().answer(new SagaReply.Outcome.Unavailable(Duration.ofSeconds(1), "busy"));
        answer(told.subList(1, told.size()));

        isOver(sweep);
        assertThat(whole).hasValue(0);
    }

    @Test
    void it_is_not_whole_when_a_saga_does_not_answer() {
        ActorRef<Sweep.Command> sweep = sweep(cursor -> lastPage());
        List<Deliver> told = told();
        answer(told.subList(1, told.size()));

        bench.time.timePasses(Sweep.PATIENCE);

        isOver(sweep);
        assertThat(whole).hasValue(0);
    }
}
