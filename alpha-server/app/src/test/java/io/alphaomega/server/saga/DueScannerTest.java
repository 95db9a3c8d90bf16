package io.alphaomega.server.saga;

import static io.alphaomega.server.saga.SagaBench.begin;
import static io.alphaomega.server.saga.SagaBench.beginBranch;
import static io.alphaomega.server.saga.SagaBench.endBranch;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import akka.actor.testkit.typed.javadsl.TestProbe;
import akka.actor.typed.ActorRef;
import io.alphaomega.saga.SagaInput;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Whom the scanner wakes; the test is every saga, and counts the nodes that are lost. */
class DueScannerTest {
    private static final Duration INTERVAL = Duration.ofMillis(50);

    private final SagaBench bench = new SagaBench();
    private final TestProbe<Deliver> region = bench.kit.createTestProbe();
    private final Sagas sagas = new Sagas();
    private final AtomicLong losses = new AtomicLong();

    @AfterEach
    void close() {
        bench.close();
    }

    @Test
    void sagas_that_a_lost_node_was_to_bring_to_their_end_are_found_although_the_first_look_fails() {
        ActorRef<SagaActor.Command> saga = bench.owner();
        bench.decided(saga, begin());
        bench.decided(saga, beginBranch("b"));
        bench.decided(saga, endBranch("b"));
        bench.decided(saga, new SagaInput.Abort("no room"));
        sagas.open(bench.kit.system(), region.getRef());
        bench.store.failingFinds.set(1);
        losses.set(1);

        scans(); // The clock stands still: it is never due.

        wakesTheSaga();
    }

    @Test
    void what_is_due_is_woken_although_nobody_can_look_at_what_a_lost_node_owed() {
        ActorRef<SagaActor.Command> saga = bench.owner();
        bench.decided(saga, begin());
        sagas.open(bench.kit.system(), region.getRef());
        bench.clock.advance(Duration.ofDays(1));
        bench.store.failingFinds.set(Integer.MAX_VALUE);
        losses.set(1);

        scans();

        wakesTheSaga();
    }

    private void scans() {
        bench.kit.spawn(DueScanner.create(new DueScanner.Settings(
                bench.store,
                () -> false,
                sagas,
                bench.clock,
                bench.threads,
                losses::get,
                Instant.EPOCH,
                INTERVAL,
                new DueLag(bench.meters, bench.clock))));
    }

    private void wakesTheSaga() {
        await().untilAsserted(() -> {
            bench.time.timePasses(INTERVAL.multipliedBy(2));
            Deliver told = region.receiveMessage(Duration.ofMillis(100));
            assertThat(told.saga()).isEqualTo(bench.id);
            assertThat(told.input()).isEqualTo(new SagaInput.Tick());
        });
    }
}
