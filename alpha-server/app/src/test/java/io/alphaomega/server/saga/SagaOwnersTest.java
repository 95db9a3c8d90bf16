package io.alphaomega.server.saga;

import static io.alphaomega.server.saga.SagaBench.ACCEPTED;
import static io.alphaomega.server.saga.SagaBench.abort;
import static io.alphaomega.server.saga.SagaBench.begin;
import static io.alphaomega.server.saga.SagaBench.beginBranch;
import static io.alphaomega.server.saga.SagaBench.endBranch;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import akka.actor.typed.ActorRef;
import io.alphaomega.repository.Loaded;
import io.alphaomega.repository.Version;
import io.alphaomega.saga.Initiator;
import io.alphaomega.saga.Policy;
import io.alphaomega.saga.Refusal;
import io.alphaomega.saga.Reply;
import io.alphaomega.saga.SagaEvent;
import io.alphaomega.saga.SagaInput;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** An actor of a saga and what others have done to that: another owner, a purge, somebody who holds it. */
class SagaOwnersTest {
    private final SagaBench bench = new SagaBench();

    @AfterEach
    void close() {
        bench.close();
    }

    @Test
    void an_owner_that_was_forestalled_reloads_and_decides_again() {
        ActorRef<SagaCommand> paused = bench.owner();
        ActorRef<SagaCommand> successor = bench.owner();
        bench.decided(paused, begin());
        bench.decided(successor, abort());

        Reply late = bench.decided(paused, beginBranch("b"));

        assertThat(late).isInstanceOf(Reply.Aborted.class);
        assertThat(bench.journal())
                .containsExactly(SagaEvent.Begun.class, SagaEvent.Aborted.class, SagaEvent.Ended.class);
        assertThat(bench.count("alpha.saga.conflicts")).isEqualTo(1);
    }

    @Test
    void a_refusal_is_checked_with_the_store_before_it_is_given() {
        ActorRef<SagaCommand> paused = bench.owner();
        ActorRef<SagaCommand> successor = bench.owner();
        bench.decided(paused, begin());
        bench.decided(successor, beginBranch("b"));

        assertThat(bench.decided(paused, endBranch("b"))).isEqualTo(ACCEPTED);
        assertThat(bench.decided(paused, endBranch("no-such-branch")))
                .isInstanceOfSatisfying(
                        Reply.Rejected.class,
                        rejected -> assertThat(rejected.reason()).isEqualTo(Refusal.UNKNOWN_BRANCH));
    }

    @Test
    void nobody_who_asks_is_told_that_a_saga_is_open_before_the_store_says_so() {
        ActorRef<SagaCommand> paused = bench.owner();
        ActorRef<SagaCommand> successor = bench.owner();
        bench.decided(paused, begin());
        assertThat(bench.decided(paused, new SagaInput.AskOutcome())).isEqualTo(new Reply.Pending());
        bench.decided(successor, abort());

        assertThat(bench.decided(paused, new SagaInput.AskOutcome())).isInstanceOf(Reply.Aborted.class);
    }

    @Test
    void a_saga_that_may_begin_only_once_is_begun_by_one_of_two_owners() {
        ActorRef<SagaCommand> paused = bench.owner();
        ActorRef<SagaCommand> successor = bench.owner();
        assertThat(bench.decided(paused, beginOnce("monday"))).isEqualTo(new Reply.Accepted());
        assertThat(bench.decided(successor, beginOnce("tuesday"))).isEqualTo(new Reply.Pending());
        assertThat(bench.decided(successor, beginOnce("monday"))).isEqualTo(new Reply.Accepted());
        bench.decided(successor, abort());

        assertThat(bench.decided(paused, beginOnce("tuesday"))).isInstanceOf(Reply.Aborted.class);
    }

    private static SagaInput beginOnce(String start) {
        Initiator initiator = new Initiator("booking", "booking-1", "Trips.book", "order 7", Map.of(), start);
        return new SagaInput.BeginOnce(initiator, Policy.DEFAULT);
    }

    @Test
    void what_is_settled_is_answered_without_a_look_at_the_store() {
        ActorRef<SagaCommand> saga = bench.owner();
        bench.decided(saga, begin());
        int loads = bench.store.loads.get();

        assertThat(bench.decided(saga, begin())).isEqualTo(ACCEPTED);

        assertThat(bench.store.loads).hasValue(loads);
        assertThat(bench.store.appends).hasSize(1);
    }

    @Test
    void who_loses_again_and_again_is_told_to_come_back() {
        ActorRef<SagaCommand> unlucky = bench.owner();
        ActorRef<SagaCommand> rival = bench.owner();
        bench.decided(unlucky, begin());
        for (int i = 0; i <= SagaActor.ROUNDS_MAX; i++) {
            SagaInput rivals = beginBranch("rival-" + i);
            bench.store.faults.add(FaultyRepository.Fault.after(() -> rivalAppends(rival, rivals)));
        }

        assertThat(bench.ask(unlucky, beginBranch("mine"))).isInstanceOf(SagaReply.Outcome.Unavailable.class);

        assertThat(bench.count("alpha.saga.conflicts")).isEqualTo(SagaActor.ROUNDS_MAX + 1);
        assertThat(bench.decided(unlucky, beginBranch("mine"))).isEqualTo(ACCEPTED);
    }

    /** The rival's own append must not meet the faults that wait for the unlucky one. */
    private void rivalAppends(ActorRef<SagaCommand> rival, SagaInput input) {
        List<FaultyRepository.Fault> rest = new ArrayList<>();
        for (FaultyRepository.Fault fault = bench.store.faults.poll();
                fault != null;
                fault = bench.store.faults.poll()) {
            rest.add(fault);
        }
        bench.decided(rival, input);
        bench.store.faults.addAll(rest);
    }

    @Test
    void a_saga_that_begins_is_not_looked_for_unless_somebody_has_begun_it_before() {
        assertThat(bench.decided(bench.owner(), begin())).isEqualTo(ACCEPTED);
        assertThat(bench.store.loads).hasValue(0);

        assertThat(bench.decided(bench.owner(), begin())).isEqualTo(ACCEPTED);
        assertThat(bench.store.loads).hasValue(1);
        assertThat(bench.journal()).containsExactly(SagaEvent.Begun.class);
    }

    @Test
    void a_store_that_has_lost_what_was_acknowledged_is_told_of() {
        ActorRef<SagaCommand> saga = bench.owner();
        bench.decided(saga, begin());
        bench.decided(saga, beginBranch("b"));
        bench.store.onLoad = loaded -> new Loaded(loaded.events().subList(0, 1), new Version(1, "restored"));

        bench.ask(saga, endBranch("no-such-branch")); // Not before it looks can it know.

        assertThat(bench.count("alpha.saga.lost.writes")).isEqualTo(1);
    }

    @Test
    void a_saga_that_was_purged_is_answered_as_it_ended_and_not_begun_anew() {
        bench.decided(bench.owner(), begin());
        ActorRef<SagaCommand> witness = bench.owner(); // Remembers what is purged behind its back.
        bench.decided(witness, beginBranch("b"));
        bench.decided(witness, endBranch("b"));
        bench.decided(witness, new SagaInput.End(true));
        assertThat(bench.store.purge(Instant.MAX, 1)).isEqualTo(1);

        assertThat(bench.decided(bench.owner(), begin())).isEqualTo(new Reply.Committed());
        assertThat(bench.decided(bench.owner(), beginBranch("late"))).isEqualTo(new Reply.Committed());
        assertThat(bench.decided(witness, endBranch("b"))).isEqualTo(new Reply.Committed());
        assertThat(bench.decided(witness, new SagaInput.Abort("late"))).isEqualTo(new Reply.Committed());
        assertThat(bench.journal()).isEmpty();
        assertThat(bench.count("alpha.saga.lost.writes")).isZero();
    }

    @Test
    void a_late_end_of_a_purged_saga_that_was_compensated_is_refused() {
        ActorRef<SagaCommand> saga = bench.owner();
        bench.decided(saga, begin());
        bench.decided(saga, abort());
        assertThat(bench.store.purge(Instant.MAX, 1)).isEqualTo(1);

        assertThat(bench.decided(bench.owner(), endBranch("late")))
                .isInstanceOfSatisfying(
                        Reply.Rejected.class,
                        rejected -> assertThat(rejected.reason()).isEqualTo(Refusal.SAGA_PURGED));
        assertThat(bench.journal()).isEmpty();
    }

    @Test
    void who_meets_a_saga_that_somebody_holds_for_a_moment_does_not_hear_of_it() {
        ActorRef<SagaCommand> successor = bench.owner();
        ActorRef<SagaCommand> paused = bench.owner();
        bench.decided(paused, begin());
        bench.decided(successor, beginBranch("a"));
        SagaInput last = abort();
        bench.store.faults.add((append, store) -> {
            rivalAppends(paused, last); // What he held is stored, and he is done.
            return FaultyRepository.Fault.LOCKED.append(append, store);
        });

        assertThat(bench.decided(successor, beginBranch("b"))).isInstanceOf(Reply.Aborted.class);
        assertThat(bench.count("alpha.saga.locked")).isEqualTo(1);
    }

    @Test
    void who_meets_a_saga_that_somebody_holds_for_longer_is_told_to_come_back_and_never_that_nobody_knows() {
        ActorRef<SagaCommand> saga = bench.owner();
        bench.decided(saga, begin());
        for (int i = 0; i < 2; i++) bench.store.faults.add(FaultyRepository.Fault.LOCKED);

        assertThat(bench.ask(saga, beginBranch("b")))
                .isInstanceOfSatisfying(SagaReply.Outcome.Unavailable.class, unavailable -> {
                    assertThat(unavailable.retryAfter()).isPositive();
                    assertThat(unavailable.text()).contains("locked", "nothing was stored");
                });
        assertThat(bench.count("alpha.saga.unknown.outcomes")).isZero();
        assertThat(bench.journal()).containsExactly(SagaEvent.Begun.class);

        assertThat(bench.decided(saga, beginBranch("b"))).isEqualTo(ACCEPTED);
        assertThat(bench.count("alpha.saga.locked")).isEqualTo(2);
    }

    @Test
    void a_deadline_of_a_saga_that_somebody_holds_is_seen_to_when_he_is_done() {
        ActorRef<SagaCommand> saga = bench.owner();
        bench.decided(saga, begin());
        for (int i = 0; i < 4; i++) bench.store.faults.add(FaultyRepository.Fault.LOCKED);
        bench.pass(Duration.ofHours(1));

        await().untilAsserted(() -> {
            bench.pass(Duration.ofSeconds(1));
            assertThat(bench.journal()).last().isEqualTo(SagaEvent.Ended.class);
        });
        assertThat(bench.count("alpha.saga.locked")).isEqualTo(4);
    }
}
