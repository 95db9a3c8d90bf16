package io.alphaomega.saga.simulation;

import io.alphaomega.saga.Abort;
import io.alphaomega.saga.Decision;
import io.alphaomega.saga.FailureCode;
import io.alphaomega.saga.Outcome;
import io.alphaomega.saga.Refusal;
import io.alphaomega.saga.Reply;
import io.alphaomega.saga.SagaEvent;
import io.alphaomega.saga.SagaInput;
import io.alphaomega.saga.SagaState;
import io.alphaomega.saga.Suspension;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** What the histories have been through: a simulation that never suspends a saga proves nothing about it. */
final class Reached {
    /** Sagas are purged by the repository, long after a history is over; transcripts tell of that. */
    private static final List<Object> PURGING = List.of(Refusal.SAGA_PURGED, Abort.Cause.HISTORY_PURGED);

    /** Of stores that are set back, of which there are none here: the transcripts hold every saga in every state. */
    static final List<Object> HOLDING = List.of(
            SagaInput.Hold.class,
            SagaInput.AnswerFence.class,
            SagaEvent.Held.class,
            SagaEvent.FenceAnswered.class,
            SagaState.Held.class,
            Reply.NotNow.class);

    /** Of sagas in sagas; their own simulation tells of those. */
    static final List<Object> NESTING = List.of(
            SagaInput.BeginNested.class,
            SagaInput.Decide.class,
            SagaEvent.Prepared.class,
            SagaState.Prepared.class,
            Refusal.NESTED,
            Abort.Cause.PARENT);

    /** What the world does to a saga that no word of the vocabulary tells. */
    enum Happening {
        OWNER_DIED_AFTER_APPEND,
        OWNER_PAUSED,
        SEVERAL_INPUTS_IN_ONE_APPEND,
        APPEND_OF_UNKNOWN_OUTCOME_STORED,
        APPEND_OF_UNKNOWN_OUTCOME_NOT_STORED,
        APPEND_CONFLICTED,
        REFUSAL_FOUND_STALE,
        DECISION_AWAITED,
        SECOND_RUN_OF_A_BRANCH,
        LATE_RUN_BARRED,
        DIED_AFTER_CALLING_OTHERS,
        CALL_UNDER_ANOTHERS_NAME,
        COMPENSATED_WITHOUT_HAVING_RUN,
        COMPENSATED_BEFORE_ITS_END_WAS_KNOWN,
        CALLBACK_REPEATED,
        ORDER_FOUND_DONE,
        REOPENED,
        END_TRAVELLED_WITH_ANOTHERS,
        END_LOST_ON_ITS_WAY
    }

    private final Set<Object> words = ConcurrentHashMap.newKeySet();

    void input(SagaInput input, Decision decision) {
        add(input.getClass());
        add(decision.reply().getClass());
        if (decision.reply() instanceof Reply.Rejected rejected) add(rejected.reason());
    }

    void stored(SagaEvent event) {
        add(event.getClass());
        switch (event) {
            case SagaEvent.CallbackFailed failed -> add(failed.code());
            case SagaEvent.Suspended suspended -> add(suspended.suspension().reason());
            case SagaEvent.Aborted aborted -> add(aborted.abort().cause());
            case SagaEvent.Ended ended -> add(ended.outcome());
            case SagaEvent other -> {}
        }
    }

    void state(SagaState state) {
        add(state.getClass());
    }

    void happened(Happening happening) {
        add(happening);
    }

    List<Object> missing() {
        List<Object> all = new ArrayList<>();
        all.addAll(Arrays.asList(SagaInput.class.getPermittedSubclasses()));
        all.addAll(Arrays.asList(SagaEvent.class.getPermittedSubclasses()));
        all.addAll(Arrays.asList(Reply.class.getPermittedSubclasses()));
        all.addAll(Arrays.asList(SagaState.Known.class.getPermittedSubclasses()));
        all.addAll(Arrays.asList(Refusal.values()));
        all.addAll(Arrays.asList(FailureCode.values()));
        all.addAll(Arrays.asList(Suspension.Reason.values()));
        all.addAll(Arrays.asList(Abort.Cause.values()));
        all.addAll(Arrays.asList(Outcome.values()));
        all.addAll(Arrays.asList(Happening.values()));
        all.removeAll(PURGING);
        all.removeAll(NESTING);
        all.removeAll(HOLDING);
        all.removeAll(words);
        return all;
    }

    private void add(Object word) {
        if (!words.contains(word)) words.add(word);
    }
}
