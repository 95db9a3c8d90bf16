package io.alphaomega.server.stream;

import static io.alphaomega.server.stream.TestOmega.abort;
import static io.alphaomega.server.stream.TestOmega.begin;
import static io.alphaomega.server.stream.TestOmega.beginBranch;
import static io.alphaomega.server.stream.TestOmega.end;
import static io.alphaomega.server.stream.TestOmega.input;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.alphaomega.protocol.v1.BeginSaga;
import io.alphaomega.protocol.v1.CallbackFailure;
import io.alphaomega.protocol.v1.CallbackPolicy;
import io.alphaomega.protocol.v1.Carried;
import io.alphaomega.protocol.v1.FailBranch;
import io.alphaomega.protocol.v1.Input;
import io.alphaomega.repository.Cursor;
import io.alphaomega.repository.SagaQuery;
import io.alphaomega.repository.SagaSummary;
import io.alphaomega.saga.Abort;
import io.alphaomega.saga.Outcome;
import io.alphaomega.saga.SagaEvent;
import io.alphaomega.saga.SagaId;
import io.alphaomega.server.saga.FaultyRepository;
import io.alphaomega.server.saga.TestNode;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** What alpha counts is what the histories say: nothing is missed, and no restart counts anything again. */
class CountsTest {
    private static final int REPORTS_CARRIED = 2;
    private static final int SAGAS_OF_BOTH_LIVES = 1;

    private final FaultyRepository store = new FaultyRepository();

    @Test
    void the_counts_of_all_lives_of_an_alpha_add_up_to_the_histories() {
        TestAlpha first = new TestAlpha(store, TestNode.alone(), false);
        try (first;
                TestOmega hotel = omega(first, "hotel");
                TestOmega spa = omega(first, "spa");
                TestOmega car = TestOmega.welcomed(first.server.port(), "car", "car-2")) {
            commit(hotel, "committed");
            carry(hotel, "carried");
            compensate(hotel, "compensated");
            beBusy(hotel, "busy");
            failABranch(hotel, "failed");
            suspend(spa, "suspended");
            loseAStream(omega(first, "car"), car, "lost");
            missEverybody(first, hotel, "missed");
            hotel.ask(begin(1, "across"));
            hotel.run("across", "b");
            agree(first);
        }

        TestAlpha second = new TestAlpha(store, TestNode.alone(), false);
        try (second;
                TestOmega hotel = omega(second, "hotel")) {
            assertThat(hotel.ask(end(1, "across", true)).hasCommitted()).isTrue();
            commit(hotel, "committed-later");
            compensate(hotel, "compensated-later");
            agree(first, second);
        }
    }

    private static TestOmega omega(TestAlpha alpha, String service) {
        return TestOmega.welcomed(alpha.server.port(), service, service + "-1");
    }

    // ---- what happens to a saga

    private static void commit(TestOmega omega, String saga) {
        omega.ask(begin(1, saga));
        omega.run(saga, "b");
        assertThat(omega.ask(end(3, saga, true)).hasCommitted()).isTrue();
    }

    private static void carry(TestOmega omega, String saga) {
        Input.Builder branch = beginBranch(1, saga, "b").toBuilder();
        branch.getBeginBranchBuilder().setEndTravels(true);
        omega.ask(branch.setCarried(Carried.newBuilder()
                        .setService("hotel")
                        .setInstance("hotel-1")
                        .setBegin(BeginSaga.newBuilder().setOperation("Trips.book")))
                .build());
        assertThat(omega.ask(end(2, saga, true).toBuilder()
                                .setCarried(Carried.newBuilder().addEnded("b"))
                                .build())
                        .hasCommitted())
                .isTrue();
    }

    private static void compensate(TestOmega omega, String saga) {
        omega.ask(begin(1, saga));
        omega.run(saga, "b");
        assertThat(omega.ask(abort(3, saga)).hasAborted()).isTrue();
        omega.succeed(omega.callback());
    }

    private static void beBusy(TestOmega omega, String saga) {
        omega.ask(begin(1, saga));
        Input.Builder branch = beginBranch(2, saga, "b").toBuilder();
        branch.getBeginBranchBuilder()
                .getCompensationBuilder()
                .setPolicy(CallbackPolicy.newBuilder().setFirstDelayMillis(10).setMaxDelayMillis(10));
        omega.ask(branch.build());
        omega.ask(TestOmega.endBranch(3, saga, "b"));
        omega.ask(abort(4, saga));
        omega.fail(omega.callback(), CallbackFailure.Code.BUSY);
        omega.succeed(omega.callback());
    }

    private static void failABranch(TestOmega omega, String saga) {
        omega.ask(begin(1, saga));
        omega.run(saga, "done");
        omega.ask(beginBranch(3, saga, "failed"));
        omega.ask(input(4, saga)
                .setFailBranch(FailBranch.newBuilder()
                        .setBranch("failed")
                        .setCause("none left")
                        .setRolledBack(true))
                .build());
        omega.succeed(omega.callback());
    }

    private static void suspend(TestOmega omega, String saga) {
        omega.ask(begin(1, saga));
        omega.run(saga, "b");
        omega.ask(abort(3, saga));
        omega.fail(omega.callback(), CallbackFailure.Code.UNDECODABLE);
    }

    private static void loseAStream(TestOmega ran, TestOmega other, String saga) {
        ran.ask(begin(1, saga));
        ran.run(saga, "b");
        ran.ask(abort(3, saga));
        ran.callback();
        ran.vanish();
        other.succeed(other.callback());
    }

    private void missEverybody(TestAlpha alpha, TestOmega another, String saga) {
        try (TestOmega ran = omega(alpha, "boat")) {
            ran.ask(begin(1, saga));
            ran.run(saga, "b");
        }
        await().until(() -> streams(alpha) == 3);
        another.ask(abort(3, saga));
        await().until(() ->
                store.journal(new SagaId(saga)).stream().anyMatch(SagaEvent.ParticipantMissed.class::isInstance));
    }

    private static double streams(TestAlpha alpha) {
        return alpha.node.meters.get("alpha.stream.connections").gauge().value();
    }

    // ---- what is counted

    /** Soon: the answers to callbacks are not waited for. */
    private void agree(TestAlpha... lives) {
        await().untilAsserted(() -> {
            Map<String, Long> counted = new TreeMap<>();
            for (TestAlpha life : lives) count(life.node.meters, counted);
            Map<String, Long> expected = expected(lives.length);
            counted.keySet().retainAll(expected.keySet());
            assertThat(counted).isEqualTo(expected);
        });
    }

    /** By the meter's name and its tag. */
    private static void count(MeterRegistry meters, Map<String, Long> counted) {
        for (Meter meter : meters.getMeters()) {
            String name = meter.getId().getName();
            for (var tag : meter.getId().getTags()) name += " " + tag.getValue();
            long count = meter instanceof Timer timer
                    ? timer.count()
                    : (long) meter.measure().iterator().next().getValue();
            counted.merge(name, count, Long::sum);
        }
    }

    private Map<String, Long> expected(int lives) {
        History said = new History(store.find(SagaQuery.ALL, Cursor.START, 100).items().stream()
                .map(SagaSummary::id)
                .flatMap(saga -> store.journal(saga).stream())
                .toList());
        long committed = said.ended(Outcome.COMMITTED);
        long compensated = said.ended(Outcome.COMPENSATED);
        Map<String, Long> expected = new TreeMap<>();
        expected.put("alpha.sagas begun", said.count(SagaEvent.Begun.class));
        expected.put("alpha.sagas committed", committed);
        expected.put("alpha.sagas compensated", compensated);
        expected.put("alpha.sagas suspended", said.count(SagaEvent.Suspended.class));
        expected.put("alpha.saga.duration committed", committed);
        expected.put("alpha.saga.duration compensated", compensated);
        expected.put("alpha.saga.store", committed + compensated - (lives > 1 ? SAGAS_OF_BOTH_LIVES : 0));
        expected.put("alpha.saga.decisions", (long) store.appends.size());
        expected.put("alpha.repository.append.wait", (long) store.appends.size());

        long missed = said.count(SagaEvent.ParticipantMissed.class);
        expected.put("alpha.callbacks sent", said.count(SagaEvent.CallbackRequested.class) - missed - said.unable());
        expected.put("alpha.callbacks unable", said.unable());
        expected.put("alpha.callbacks missed", missed);
        expected.put("alpha.callbacks lost", said.count(SagaEvent.CallbackLost.class));
        expected.put("alpha.callbacks deferred", said.count(SagaEvent.CallbackDeferred.class) - said.unable());

        Map<String, Long> inputs = said.inputs();
        inputs.forEach((kind, count) -> expected.put("alpha.input " + kind, count));
        long read = inputs.values().stream().mapToLong(Long::longValue).sum() - REPORTS_CARRIED;
        expected.put("alpha.stream.inputs well-formed", read);
        expected.put("alpha.saga.handoff", read);
        return expected;
    }

    /** All events of all sagas. */
    private record History(List<SagaEvent> events) {
        long count(Class<? extends SagaEvent> kind) {
            return count(kind::isInstance);
        }

        private long count(Predicate<SagaEvent> kind) {
            return events.stream().filter(kind).count();
        }

        /** No other build of the service is connected, so what one cannot fails without a further answer. */
        long unable() {
            return count(event -> event instanceof SagaEvent.CallbackDeferred deferred
                    && deferred.unable().isPresent());
        }

        long ended(Outcome outcome) {
            return count(event -> event instanceof SagaEvent.Ended ended && ended.outcome() == outcome);
        }

        /** What omegas have said, each thing once. */
        Map<String, Long> inputs() {
            return Map.of(
                    "begin", count(SagaEvent.Begun.class),
                    "branch", count(SagaEvent.BranchBegan.class),
                    "branch-ended", count(SagaEvent.BranchEnded.class),
                    "branch-failed", count(SagaEvent.BranchFailed.class),
                    "end", count(SagaEvent.Committed.class),
                    "abort",
                            count(event -> event instanceof SagaEvent.Aborted aborted
                                    && aborted.abort().cause() == Abort.Cause.INITIATOR),
                    "callback-answer",
                            count(SagaEvent.CallbackSucceeded.class)
                                    + count(SagaEvent.CallbackFailed.class)
                                    - unable()
                                    + count(SagaEvent.CallbackDeferred.class));
        }
    }
}
