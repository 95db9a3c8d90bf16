package io.alphaomega.server.stream;

import static io.alphaomega.server.stream.TestOmega.abort;
import static io.alphaomega.server.stream.TestOmega.begin;
import static io.alphaomega.server.stream.TestOmega.beginBranch;
import static io.alphaomega.server.stream.TestOmega.end;
import static io.alphaomega.server.stream.TestOmega.endBranch;
import static io.alphaomega.server.stream.TestOmega.input;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.alphaomega.protocol.v1.Aborted;
import io.alphaomega.protocol.v1.Ack;
import io.alphaomega.protocol.v1.BeginBranch;
import io.alphaomega.protocol.v1.Callback;
import io.alphaomega.protocol.v1.CallbackFailure;
import io.alphaomega.protocol.v1.CallbackOffer;
import io.alphaomega.protocol.v1.CallbackPolicy;
import io.alphaomega.protocol.v1.FromAlpha;
import io.alphaomega.protocol.v1.GoAway;
import io.alphaomega.saga.SagaEvent;
import io.alphaomega.saga.SagaId;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Which instance of a service is asked for a callback, and who is asked when that is gone. */
class CallbackTest extends OnOneNode {
    @Test
    void a_finished_branch_of_an_aborted_saga_is_compensated_by_the_instance_that_ran_it() {
        TestOmega other = omega("h-0");
        TestOmega omega = omega("h-1");
        omega.ask(begin(1, saga));
        omega.run(saga, "b");

        Ack aborted = omega.ask(abort(3, saga));
        assertThat(aborted.getAborted().getCause()).isEqualTo(Aborted.Cause.INITIATOR);
        Callback callback = omega.callback();
        assertThat(callback.getName()).isEqualTo("cancel");
        assertThat(callback.getBranch()).isEqualTo("b");
        assertThat(callback.getForwardEnded()).isTrue();
        assertThat(callback.getAnswerWithinMillis()).isPositive();
        assertThat(hasEnded()).isFalse();
        omega.succeed(callback);

        await().until(this::hasEnded);
        assertThat(other.callbacks).isEmpty();
    }

    @Test
    void a_result_that_cannot_be_stored_now_is_stored_when_the_store_is_back() {
        TestOmega omega = omega("h-1");
        Callback callback = asked(omega);
        store.down = true;
        double before = alpha.node.count("alpha.saga.unavailable");
        omega.succeed(callback);
        await().until(() -> alpha.node.count("alpha.saga.unavailable") > before);
        store.down = false;

        await().until(this::hasEnded);
    }

    @Test
    void when_a_stream_is_lost_its_callbacks_go_to_another_instance() {
        TestOmega ran = omega("h-1");
        TestOmega other = omega("h-2");
        assertThat(asked(ran).getAttempt()).isEqualTo(1);

        ran.vanish();

        Callback again = other.callback();
        assertThat(again.getAttempt()).isEqualTo(2);
        other.succeed(again);
        await().until(this::hasEnded);
    }

    @Test
    void when_a_stream_is_lost_while_the_store_is_away_its_callbacks_go_to_another_instance_when_it_is_back() {
        TestOmega ran = omega("h-1");
        TestOmega other = omega("h-2");
        assertThat(asked(ran).getAttempt()).isEqualTo(1);
        store.down = true;
        double before = alpha.node.count("alpha.saga.unavailable");
        ran.vanish();
        await().until(() -> alpha.node.count("alpha.saga.unavailable") > before);

        store.down = false;

        await().until(() -> {
            // It may come twice: asked for by the saga, which was loaded again, and because it was lost.
            FromAlpha next = other.callbacks.poll();
            if (next != null) other.succeed(next.getCallback());
            return hasEnded();
        });
    }

    @Test
    void a_saga_that_waits_goes_on_although_the_store_does_not_say_at_first_who_waits() {
        TestOmega ran = omega("h-1");
        ran.ask(begin(1, saga));
        ran.ask(input(2, saga)
                .setBeginBranch(BeginBranch.newBuilder()
                        .setBranch("b")
                        .setOperation("Hotels.reserve")
                        .setCompensation(CallbackOffer.newBuilder()
                                .setName("cancel")
                                .setPolicy(askedAgainAfter(Duration.ofHours(1))))
                        .setFenced(true))
                .build());
        ran.ask(endBranch(3, saga, "b"));
        ran.vanish();
        abortedInVain();
        store.failingFinds.set(1);

        TestOmega successor = omega("h-2");

        successor.succeed(successor.callback());
        await().until(this::hasEnded);
        assertThat(store.failingFinds).hasValue(0);
    }

    @Test
    void a_saga_that_waits_for_a_service_goes_on_as_soon_as_an_instance_connects() {
        goesOnAsSoonAsAnInstanceConnectsAfter(TestOmega::vanish);
    }

    @Test
    void a_saga_that_waits_goes_on_as_soon_as_an_instance_connects_though_one_that_drains_is_still_there() {
        goesOnAsSoonAsAnInstanceConnectsAfter(TestOmega::drain);
    }

    private void goesOnAsSoonAsAnInstanceConnectsAfter(Consumer<TestOmega> leaving) {
        TestOmega ran = omega("h-1");
        ran.ask(begin(1, saga));
        ran.run(saga, "b");
        leaving.accept(ran);
        abortedInVain();

        TestOmega successor = omega("h-2");

        successor.succeed(successor.callback());
        await().until(this::hasEnded);
    }

    @Test
    void an_instance_that_drains_finishes_what_it_has_and_gets_nothing_new() {
        TestOmega leaving = omega("h-1");
        TestOmega staying = omega("h-2");
        leaving.ask(begin(1, saga));
        leaving.run(saga, "first");
        leaving.run(saga, "second");
        leaving.ask(abort(3, saga));
        Callback last = leaving.callback(); // The one that finished last comes first.
        leaving.drain();
        leaving.succeed(last);

        Callback next = staying.callback();
        assertThat(next.getBranch()).isEqualTo("first");
        staying.succeed(next);
        await().until(this::hasEnded);
        assertThat(leaving.callbacks).isEmpty();
    }

    @Test
    void an_instance_that_is_asked_to_move_finishes_what_it_has_and_gets_nothing_new() {
        TestOmega moving = omega("h-1");
        moving.ask(begin(1, saga));
        moving.run(saga, "first");
        moving.run(saga, "second");
        moving.ask(abort(3, saga));
        Callback last = moving.callback();

        alpha.server.move(Integer.MAX_VALUE);

        GoAway said = TestOmega.next(moving.others).getGoAway();
        assertThat(said.getReason()).contains("more than its share");
        assertThat(said.getReconnectAfterMillis()).isZero();
        TestOmega staying = omega("h-2");
        moving.succeed(last);
        Callback next = staying.callback();
        assertThat(next.getBranch()).isEqualTo("first");
        assertThat(moving.ask(end(4, saga, false)).hasAborted()).isTrue();
        alpha.server.move(1);
        assertThat(TestOmega.next(staying.others).hasGoAway())
                .as("who is moving already is not asked again")
                .isTrue();
        staying.succeed(next);
        await().until(this::hasEnded);
        assertThat(moving.callbacks).isEmpty();
        assertThat(moving.others).isEmpty();
        moving.out.onCompleted();
        assertThat(moving.status().isOk()).isTrue();
    }

    @Test
    void only_so_many_callbacks_are_under_way_over_one_stream_and_the_rest_waits_its_turn() {
        TestOmega omega = omega("h-1");
        int sagas = Participant.CAPACITY + 10;
        for (int i = 0; i < sagas; i++) {
            String one = saga + "-" + i;
            omega.send(begin(1, one), beginBranch(2, one, "b"), endBranch(3, one, "b"), abort(4, one));
        }
        omega.acks(4 * sagas);
        await().until(() ->
                alpha.node.meters.get("alpha.callbacks.queued").gauge().value() == 10);
        await().until(() -> omega.callbacks.size() == Participant.CAPACITY);

        omega.succeed(omega.callback());

        await().until(() -> omega.callbacks.size() == Participant.CAPACITY);
        for (int i = 1; i < sagas; i++) omega.succeed(omega.callback());
        await().untilAsserted(() ->
                assertThat(journal(saga + "-" + (sagas - 1))).last().isInstanceOf(SagaEvent.Ended.class));
    }

    @Test
    void a_participant_that_is_busy_is_asked_again_and_not_charged_for_it() {
        TestOmega omega = omega("h-1");
        omega.ask(begin(1, saga));
        omega.ask(input(2, saga)
                .setBeginBranch(BeginBranch.newBuilder()
                        .setBranch("b")
                        .setOperation("Hotels.reserve")
                        .setCompensation(CallbackOffer.newBuilder()
                                .setName("cancel")
                                .setPolicy(askedAgainAfter(Duration.ofMillis(10)).toBuilder()
                                        .setAttempts(2)))
                        .setFenced(true))
                .build());
        omega.ask(endBranch(3, saga, "b"));
        omega.ask(abort(4, saga));

        for (int attempt = 1; attempt <= 5; attempt++) {
            Callback callback = omega.callback();
            assertThat(callback.getAttempt()).isEqualTo(attempt);
            omega.fail(callback, CallbackFailure.Code.BUSY);
        }
        omega.succeed(omega.callback());

        await().until(this::hasEnded);
        assertThat(journal(saga))
                .filteredOn(SagaEvent.CallbackDeferred.class::isInstance)
                .hasSize(5);
        assertThat(journal(saga)).noneMatch(SagaEvent.CallbackFailed.class::isInstance);
    }

    /** For the compensation of a branch that it ran. */
    private Callback asked(TestOmega omega) {
        omega.ask(begin(1, saga));
        omega.run(saga, "b");
        omega.ask(abort(3, saga));
        return omega.callback();
    }

    /** While no instance of the service takes callbacks. */
    private void abortedInVain() {
        omega("booking-" + saga, "i-1").ask(abort(1, saga));
        await().until(() -> journal(saga).stream().anyMatch(SagaEvent.ParticipantMissed.class::isInstance));
    }

    private boolean hasEnded() {
        return journal(saga).stream().anyMatch(SagaEvent.Ended.class::isInstance);
    }

    private static List<SagaEvent> journal(String saga) {
        return store.journal(new SagaId(saga));
    }

    private static CallbackPolicy askedAgainAfter(Duration delay) {
        return CallbackPolicy.newBuilder()
                .setAttempts(10)
                .setWithinMillis(Duration.ofHours(24).toMillis())
                .setFirstDelayMillis(delay.toMillis())
                .setMaxDelayMillis(delay.toMillis())
                .setTimeoutMillis(Duration.ofSeconds(30).toMillis())
                .build();
    }
}
