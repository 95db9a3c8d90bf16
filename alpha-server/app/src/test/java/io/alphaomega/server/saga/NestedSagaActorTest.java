package io.alphaomega.server.saga;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import akka.actor.testkit.typed.javadsl.TestProbe;
import akka.actor.typed.ActorRef;
import io.alphaomega.repository.servers.Patience;
import io.alphaomega.saga.BranchId;
import io.alphaomega.saga.CallbackKind;
import io.alphaomega.saga.Initiator;
import io.alphaomega.saga.Outcome;
import io.alphaomega.saga.Parent;
import io.alphaomega.saga.Payload;
import io.alphaomega.saga.Reply;
import io.alphaomega.saga.SagaEvent;
import io.alphaomega.saga.SagaId;
import io.alphaomega.saga.SagaInput;
import io.alphaomega.server.http.WrittenSaga;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** How a saga's actor and that of a saga nested in it talk to each other; the test is the other one. */
class NestedSagaActorTest {
    private static final BranchId RIDE = new BranchId("ride");
    private static final SagaId INNER = new SagaId("inner");
    private static final SagaId OUTER = new SagaId("outer");

    private final SagaBench bench = new SagaBench();
    private final TestProbe<Deliver> others = bench.kit.createTestProbe();

    @BeforeEach
    void open() {
        bench.sagas.open(bench.kit.system(), others.getRef());
    }

    @AfterEach
    void close() {
        bench.close();
    }

    /** A saga that is committed and has told the one in it. */
    private ActorRef<SagaCommand> committed() {
        ActorRef<SagaCommand> saga = bench.owner();
        bench.decided(saga, SagaBench.begin());
        bench.decided(saga, WrittenSaga.nestedBranch(RIDE, INNER));
        bench.decided(saga, new SagaInput.EndBranch(RIDE, Payload.EMPTY, "booking"));
        assertThat(bench.decided(saga, new SagaInput.End(true))).isEqualTo(new Reply.Committed());
        return saga;
    }

    private Deliver toldInner(int attempt) {
        Deliver told = others.receiveMessage(Patience.LIMIT);
        assertThat(told.saga()).isEqualTo(INNER);
        assertThat(told.correlation()).isEqualTo(attempt);
        assertThat(told.input())
                .isEqualTo(new SagaInput.Decide(
                        new Parent(bench.id, RIDE), "booking", "booking-1", "Rides.book", Outcome.COMMITTED));
        return told;
    }

    private void awaitDeferrals(int count) {
        await().until(() -> bench.store.journal(bench.id).stream()
                        .filter(SagaEvent.CallbackDeferred.class::isInstance)
                        .count()
                == count);
    }

    @Test
    void a_nested_saga_that_is_not_over_or_not_there_is_told_again_and_that_counts_for_nothing() {
        ActorRef<SagaCommand> saga = committed();
        Deliver first = toldInner(1);
        first.answer(SagaBench.decided(new Reply.Accepted()));
        awaitDeferrals(1);
        first.answer(SagaBench.decided(new Reply.Committed())); // Of an attempt that is over: nobody waits for it.

        bench.pass(Duration.ofSeconds(15));
        Deliver second = toldInner(2);
        second.answer(new SagaReply.Outcome.Unavailable(Duration.ofSeconds(1), "the store is away"));
        awaitDeferrals(2);

        bench.pass(Duration.ofSeconds(15));
        toldInner(3).answer(SagaBench.decided(new Reply.Committed()));
        await().until(() -> bench.journal().contains(SagaEvent.Ended.class));
        assertThat(bench.journal()).doesNotContain(SagaEvent.CallbackFailed.class);
        assertThat(saga).isNotNull();
    }

    @Test
    void whoever_takes_the_saga_over_tells_the_nested_one_again() {
        ActorRef<SagaCommand> saga = committed();
        toldInner(1);
        saga.tell(SagaCommand.Signal.LEAVE);
        bench.kit.createTestProbe().expectTerminated(saga);

        ActorRef<SagaCommand> next = bench.owner();
        bench.decided(next, new SagaInput.AskOutcome());
        toldInner(1).answer(SagaBench.decided(new Reply.Committed()));
        await().until(() -> bench.journal().contains(SagaEvent.Ended.class));
    }

    @Test
    void who_waits_for_the_end_of_a_nested_saga_hears_that_it_is_prepared_and_its_parent_hears_that_it_is_over() {
        ActorRef<SagaCommand> saga = bench.owner();
        Parent parent = new Parent(OUTER, RIDE);
        Initiator initiator =
                new Initiator("booking", "booking-1", "Rides.book", "", Map.of(), "", Optional.of(parent));
        bench.decided(saga, new SagaInput.BeginNested(initiator, SagaBench.POLICY));
        bench.decided(saga, SagaBench.beginBranch("b"));
        bench.tell(saga, new SagaInput.End(true), 7);
        bench.decided(saga, SagaBench.endBranch("b"));
        assertThat(bench.outcomes(1)).containsExactly(SagaBench.decided(SagaBench.ACCEPTED));

        Reply decided = bench.decided(
                saga, new SagaInput.Decide(parent, "booking", "booking-1", "Rides.book", Outcome.COMMITTED));
        assertThat(decided).isEqualTo(new Reply.Committed());
        Deliver told = others.receiveMessage(Patience.LIMIT);
        assertThat(told.saga()).isEqualTo(OUTER);
        assertThat(told.input()).isEqualTo(new SagaInput.SucceedCallback(RIDE, CallbackKind.CONFIRMATION, 1, ""));
    }
}
