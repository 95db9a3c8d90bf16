package io.alphaomega.server.sweep;

import static io.alphaomega.server.saga.SagaBench.POLICY;
import static io.alphaomega.server.saga.SagaBench.begin;
import static io.alphaomega.server.saga.SagaBench.beginBranch;
import static io.alphaomega.server.saga.SagaBench.endBranch;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import akka.actor.testkit.typed.javadsl.TestProbe;
import akka.actor.typed.ActorRef;
import akka.actor.typed.javadsl.Behaviors;
import io.alphaomega.repository.servers.ServerProcess;
import io.alphaomega.saga.BranchId;
import io.alphaomega.saga.CallbackKind;
import io.alphaomega.saga.CallbackPolicy;
import io.alphaomega.saga.FailureCode;
import io.alphaomega.saga.Initiator;
import io.alphaomega.saga.Policy;
import io.alphaomega.saga.Reply;
import io.alphaomega.saga.SagaEvent;
import io.alphaomega.saga.SagaInput;
import io.alphaomega.server.saga.Deliver;
import io.alphaomega.server.saga.SagaBench;
import io.alphaomega.server.saga.SagaReply;
import io.alphaomega.server.saga.Sagas;
import io.alphaomega.server.saga.TestNode;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Whom the scanner wakes; the test is every saga, and counts the nodes that are gone. */
class DueScannerTest {
    private static final Duration INTERVAL = Duration.ofMillis(50);

    private final SagaBench bench = new SagaBench();
    private final TestProbe<Deliver> region = bench.kit.createTestProbe();
    private final Sagas sagas = new Sagas();
    private final AtomicLong departures = new AtomicLong();

    @AfterEach
    void close() {
        bench.close();
    }

    @Test
    void sagas_that_a_lost_node_was_to_bring_to_their_end_are_found_although_the_first_look_fails() {
        compensates();
        bench.store.failingFinds.set(1);
        departures.set(1);

        scans(); // The clock stands still: it is never due.

        wakesTheSaga();
    }

    @Test
    void a_suspended_saga_with_a_callback_under_way_is_found_too() {
        var saga = bench.owner();
        Policy atOnceAndOnce = new Policy(
                POLICY.timeout(),
                POLICY.branchTimeout(),
                Policy.Order.PARALLEL,
                new CallbackPolicy(
                        1,
                        POLICY.callbacks().within(),
                        POLICY.callbacks().firstDelay(),
                        POLICY.callbacks().maxDelay(),
                        POLICY.callbacks().timeout()));
        bench.decided(
                saga,
                new SagaInput.Begin(new Initiator("booking", "booking-1", "Trips.book", "", Map.of()), atOnceAndOnce));
        for (String branch : List.of("fails", "under-way")) {
            bench.decided(saga, beginBranch(branch));
            bench.decided(saga, endBranch(branch));
        }
        bench.decided(saga, new SagaInput.Abort("no room"));
        bench.decided(
                saga,
                new SagaInput.FailCallback(
                        new BranchId("fails"), CallbackKind.COMPENSATION, 1, FailureCode.THREW, "no", "hotel"));
        assertThat(bench.journal()).contains(SagaEvent.Suspended.class);
        isInNobodysMemory(saga);
        departures.set(1);

        scans();

        wakesTheSaga();
    }

    @Test
    void what_is_due_is_woken_although_nobody_can_look_at_what_a_lost_node_owed() {
        var saga = bench.owner();
        bench.decided(saga, begin());
        isInNobodysMemory(saga);
        bench.clock.advance(Duration.ofDays(1));
        bench.store.failingFinds.set(Integer.MAX_VALUE);
        departures.set(1);

        scans();

        wakesTheSaga();
    }

    @Test
    void a_saga_that_cannot_store_it_is_told_again() {
        compensates();
        departures.set(1);
        scans();

        wakesTheSaga().answer(new SagaReply.Outcome.Unavailable(INTERVAL, "busy"));

        wakesTheSaga().answer(new SagaReply.Outcome.Decided(new Reply.Accepted()));
        bench.time.timePasses(INTERVAL.multipliedBy(4));
        region.expectNoMessage(Duration.ofMillis(200));
    }

    @Test
    void a_node_that_leaves_in_order_counts_too() {
        int port = ServerProcess.freePort();
        try (TestNode one = node(port, port)) {
            TestNode other = node(ServerProcess.freePort(), port);
            assertThat(one.ownership.departures()).isZero();

            other.close();

            await().untilAsserted(() -> assertThat(one.ownership.departures()).isEqualTo(1));
            assertThat(one.meters.get("alpha.cluster.lost.nodes").gauge().value())
                    .isZero();
        }
    }

    private void compensates() {
        var saga = bench.owner();
        bench.decided(saga, begin());
        bench.decided(saga, beginBranch("b"));
        bench.decided(saga, endBranch("b"));
        bench.decided(saga, new SagaInput.Abort("no room"));
        isInNobodysMemory(saga);
    }

    /** From now on the saga is the region's, and no alarm of its owner is faster than the scanner. */
    private void isInNobodysMemory(ActorRef<?> saga) {
        bench.kit.stop(saga);
        sagas.open(bench.kit.system(), region.getRef());
    }

    private TestNode node(int port, int seedPort) {
        TestNode node = new TestNode(
                bench.store, TestNode.at(port, seedPort), new SimpleMeterRegistry(), self -> Behaviors.empty());
        node.cluster.start();
        return node;
    }

    private void scans() {
        bench.kit.spawn(DueScanner.create(new DueScanner.Settings(
                bench.store,
                () -> false,
                sagas,
                bench.clock,
                bench.threads,
                departures::get,
                Instant.EPOCH,
                INTERVAL,
                new DueLag(bench.meters, bench.clock))));
    }

    private Deliver wakesTheSaga() {
        AtomicReference<Deliver> woken = new AtomicReference<>();
        await().untilAsserted(() -> {
            bench.time.timePasses(INTERVAL.multipliedBy(2));
            Deliver told = region.receiveMessage(Duration.ofMillis(100));
            assertThat(told.saga()).isEqualTo(bench.id);
            assertThat(told.input()).isEqualTo(new SagaInput.Tick());
            woken.set(told);
        });
        return woken.get();
    }
}
