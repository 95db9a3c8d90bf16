package io.alphaomega.benchmark.load;

import io.alphaomega.benchmark.load.SagaOutcomes.Outcome;
import io.alphaomega.benchmark.load.SimulatedSaga.Decision;
import io.alphaomega.benchmark.measure.Outage;
import io.alphaomega.benchmark.plan.SagaScript;
import io.alphaomega.protocol.v1.Ack;
import io.alphaomega.protocol.v1.Callback;
import io.alphaomega.protocol.v1.CallbackKind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A lane's sagas that are under way, and the books on those that were. It belongs to the lane's thread. */
final class LiveSagas {
    /** Alpha answers within 10 s or says that it cannot; a saga of which nothing is heard for so long is given up. */
    static final Duration GIVE_UP_AFTER = Duration.ofSeconds(60);

    /** No alpha asks for more patience than this. */
    private static final Duration RETRY_AFTER_MAX = Duration.ofSeconds(5);

    private final LoadLane lane;
    private final LoadAssignment crew;
    private final int index;
    private final LaneRecorder recorder;
    private final boolean tcc;
    private final long giveUpNanos;
    private final Map<String, SimulatedSaga> live = new HashMap<>();
    final SagaOutcomes outcomes = new SagaOutcomes();
    final Witness witness = new Witness();
    final SagasToVerify oddities;

    /** Of those that are measured; as many at most as are asked about. */
    private final Set<Long> unknownMeasured = new HashSet<>();

    /** Set before the lane's first task, where sagas are left to alpha. */
    private @Nullable AbandonedSagas draining;

    LiveSagas(LoadLane lane, LoadAssignment crew, int index, LaneRecorder recorder) {
        this.lane = lane;
        this.crew = crew;
        this.index = index;
        this.recorder = recorder;
        this.tcc = crew.plan().shape().tcc();
        this.giveUpNanos = GIVE_UP_AFTER.plus(crew.plan().shape().thinkTime()).toNanos();
        this.oddities = new SagasToVerify(crew.plan().seed() + index);
    }

    int size() {
        return live.size();
    }

    void drain(AbandonedSagas left) {
        draining = left;
    }

    Optional<AbandonedSagas> draining() {
        return Optional.ofNullable(draining);
    }

    LaneRecorder recorder() {
        return recorder;
    }

    void error(long now) {
        recorder.error(now);
    }

    // ---- forward

    void begin(SimulatedSaga saga, long now) {
        live.put(saga.id, saga);
        outcomes.set(place(saga.ordinal), Outcome.LIVE);
        recorder.started(saga);
        advance(saga, now);
    }

    /** The saga's next step, or all those that go together. */
    private void advance(SimulatedSaga saga, long now) {
        List<SagaScript.Step> steps = saga.script.steps();
        do {
            saga.outstanding++;
            lane.hand(new UnacknowledgedInput(saga, steps.get(saga.next++), now));
        } while (saga.next > saga.script.together() && saga.hasStepsLeft());
    }

    void answered(UnacknowledgedInput pending, Ack ack, long now) {
        SimulatedSaga saga = pending.saga;
        if (saga.over) return;
        saga.touchedAt = now;
        switch (ack.getOutcomeCase()) {
            case ACCEPTED -> note(pending);
            case COMMITTED -> {
                note(pending);
                saga.decision = Decision.COMMITTED;
                saga.odd |= saga.aborts;
            }
            case ABORTED -> {
                note(pending);
                saga.aborted(ack.getAborted().getCause());
            }
            case UNAVAILABLE -> {
                Duration asked = Duration.ofMillis(ack.getUnavailable().getRetryAfterMillis());
                lane.unavailable(pending, asked.compareTo(RETRY_AFTER_MAX) < 0 ? asked : RETRY_AFTER_MAX);
                return;
            }
            case REJECTED -> {
                recorder.error(now);
                boolean unborn = pending.step.begins();
                leave(saga, unborn ? Outcome.REFUSED : Outcome.UNKNOWN, now);
                return;
            }
            case PENDING, OUTCOME_NOT_SET -> {
                recorder.error(now);
                leave(saga, Outcome.UNKNOWN, now);
                return;
            }
        }
        saga.outstanding--;
        recorder.acknowledged(saga, pending.queuedAt, now);
        lane.continuity().acknowledged(saga.id, pending.step.begins(), pending.queuedAt, now);
        if (saga.outstanding == 0 && saga.hasStepsLeft()) advance(saga, now);
        else conclude(saga, now);
    }

    private static void note(UnacknowledgedInput pending) {
        if (pending.step.ends() >= 0) pending.saga.ended.set(pending.step.ends());
    }

    // ---- back

    /** @param ordinal of the saga; -1 for one that is not of this run */
    void called(long ordinal, Callback callback, long now) {
        if (ordinal < 0) {
            witness.calledForStranger();
            return;
        }
        int branch = crew.names().branch(ordinal, callback.getBranch());
        SimulatedSaga saga = live.get(callback.getSaga());
        if (saga == null) {
            Outcome outcome = outcomes.get(place(ordinal));
            if (outcome == Outcome.KEPT_OPEN && draining != null) {
                undone(draining, ordinal, branch, callback, now);
                return;
            }
            boolean maybeRan = crew.branchEnds(ordinal, branch) || oddities.isOdd(ordinal);
            witness.calledLate(outcome, maybeRan, tcc, callback);
            if (outcome == Outcome.KEPT_OPEN) oddities.odd(ordinal);
            return;
        }
        saga.touchedAt = now;
        if (callback.getKind() == CallbackKind.COMPENSATION && branch >= 0) saga.undone(branch);
        witness.called(saga, branch, callback, callback.getArguments().equals(crew.messages().payload));
        if (crew.fails(ordinal, callback)) saga.failedAnswers++;
        else if (branch >= 0) saga.called.set(branch);
        conclude(saga, now);
    }

    private void undone(AbandonedSagas left, long ordinal, int branch, Callback callback, long now) {
        witness.undone(crew.branchEnds(ordinal, branch), callback);
        if (branch < 0 || !left.called(ordinal, branch, now)) return;
        outcomes.set(place(ordinal), Outcome.COMPENSATED);
        recorder.undone();
        oddities.sample(ordinal);
    }

    // ---- the end

    /** Takes the saga out of the books if nothing further is expected of it. */
    private void conclude(SimulatedSaga saga, long now) {
        if (saga.outstanding > 0 || saga.hasStepsLeft()) return;
        Outcome outcome = outcome(saga);
        if (outcome != null) leave(saga, outcome, now);
    }

    private @Nullable Outcome outcome(SimulatedSaga saga) {
        return switch (saga.decision) {
            case NONE -> saga.role == SimulatedSaga.Role.OPENS ? Outcome.KEPT_OPEN : Outcome.UNKNOWN;
            case COMMITTED -> !tcc || hasCalledAll(saga) ? Outcome.COMMITTED : null;
            case ABORTED -> {
                if (saga.failedAnswers >= Messages.ATTEMPTS) yield Outcome.SUSPENDED;
                yield hasCalledAll(saga) ? Outcome.COMPENSATED : null;
            }
        };
    }

    private static boolean hasCalledAll(SimulatedSaga saga) {
        for (int branch = saga.ended.nextSetBit(0); branch >= 0; branch = saga.ended.nextSetBit(branch + 1)) {
            if (!saga.called.get(branch)) return false;
        }
        return true;
    }

    private void leave(SimulatedSaga saga, Outcome outcome, long now) {
        saga.over = true;
        live.remove(saga.id);
        outcomes.set(place(saga.ordinal), outcome);
        recorder.settled(saga, outcome, now);
        boolean unknown = outcome == Outcome.UNKNOWN;
        if (unknown && saga.measured && unknownMeasured.size() < SagasToVerify.ODD_MAX)
            unknownMeasured.add(saga.ordinal);
        if (saga.odd || unknown) oddities.odd(saga.ordinal);
        else if (saga.measured && outcome != Outcome.REFUSED) oddities.sample(saga.ordinal);
        lane.pump(now);
    }

    /** @param all also those that were heard of: nobody will answer any more */
    void giveUpSilent(long now, boolean all) {
        List<SimulatedSaga> silent = new ArrayList<>();
        for (SimulatedSaga saga : live.values()) {
            if (all || now - saga.touchedAt > giveUpNanos) silent.add(saga);
        }
        for (SimulatedSaga saga : silent) leave(saga, Outcome.UNKNOWN, now);
    }

    /** What services have noticed, up to now. */
    Outage outage(long now) {
        for (SimulatedSaga saga : live.values()) {
            if (saga.outstanding > 0) lane.continuity().waited(saga.id, saga.touchedAt, now);
        }
        return lane.continuity().outage(now);
    }

    Outcome outcome(long ordinal) {
        return outcomes.get(place(ordinal));
    }

    /** What alpha says of one whose outcome was unknown. */
    boolean resolved(long ordinal, Outcome outcome) {
        outcomes.set(place(ordinal), outcome);
        recorder.resolved(unknownMeasured.remove(ordinal), outcome);
        return true;
    }

    private long place(long ordinal) {
        return ordinal / crew.laneCount();
    }

    long ordinal(long place) {
        return place * crew.laneCount() + index;
    }
}
