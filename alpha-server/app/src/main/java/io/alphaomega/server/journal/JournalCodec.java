package io.alphaomega.server.journal;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.MessageLite;
import com.google.protobuf.UnsafeByteOperations;
import io.alphaomega.repository.StoredEvent;
import io.alphaomega.saga.CorruptJournalException;
import io.alphaomega.saga.SagaEvent;
import io.alphaomega.saga.SagaId;
import io.alphaomega.saga.SagaRules;
import io.alphaomega.saga.SagaState;
import io.alphaomega.server.journal.v1.Journal;
import java.io.IOException;
import java.util.List;

/**
 * The format of the journal: one protobuf message per event type, stored beside the type's name. The names are chosen
 * and never change; {@code journal.proto} says what may change in the messages. The repositories know none of it.
 *
 * <p>During a rolling upgrade a node may meet what a newer one has written. A field it does not know in a type it knows
 * may be ignored: only such fields are ever added. A type or an enum value it does not know may not, and makes the
 * event unreadable.
 */
public final class JournalCodec {
    private static final String BEGUN = "saga.begun.v1";
    private static final String BEGUN_NESTED = "saga.begun-nested.v1";
    private static final String BEGIN_CAUGHT_UP = "saga.begin-caught-up.v1";
    private static final String BRANCH_BEGAN = "branch.began.v1";
    private static final String BRANCH_BEGAN_NESTED = "branch.began-nested.v1";
    private static final String BRANCH_ENDED = "branch.ended.v1";
    private static final String BRANCH_FAILED = "branch.failed.v1";
    private static final String COMMIT_REQUESTED = "saga.commit-requested.v1";
    private static final String PREPARED = "saga.prepared.v1";
    private static final String COMMITTED = "saga.committed.v1";
    private static final String ABORTED = "saga.aborted.v1";
    private static final String CALLBACK_REQUESTED = "callback.requested.v1";
    private static final String CALLBACK_SUCCEEDED = "callback.succeeded.v1";
    private static final String CALLBACK_FAILED = "callback.failed.v1";
    private static final String CALLBACK_LOST = "callback.lost.v1";
    private static final String CALLBACK_DEFERRED = "callback.deferred.v1";
    private static final String PARTICIPANT_MISSED = "callback.participant-missed.v1";
    private static final String SUSPENDED = "saga.suspended.v1";
    private static final String RESUMED = "saga.resumed.v1";
    private static final String HELD = "saga.held.v1";
    private static final String FENCE_ANSWERED = "fence.answered.v1";
    private static final String BRANCH_SKIPPED = "branch.skipped.v1";
    private static final String ENDED = "saga.ended.v1";

    private JournalCodec() {}

    /**
     * The event as it is stored.
     *
     * @throws IllegalArgumentException if it would not come back as it is, such as an instant finer than a millisecond
     */
    public static StoredEvent encode(SagaEvent event) {
        return switch (event) {
            // An older version must not take a nested saga for another, nor a service's callback for what alpha does.
            case SagaEvent.Begun begun ->
                stored(begun.initiator().parent().isPresent() ? BEGUN_NESTED : BEGUN, Encoding.of(begun));
            case SagaEvent.BeginCaughtUp caughtUp -> stored(BEGIN_CAUGHT_UP, Encoding.of(caughtUp));
            case SagaEvent.BranchBegan began ->
                stored(began.nested().isPresent() ? BRANCH_BEGAN_NESTED : BRANCH_BEGAN, Encoding.of(began));
            case SagaEvent.BranchEnded ended -> stored(BRANCH_ENDED, Encoding.of(ended));
            case SagaEvent.BranchFailed failed -> stored(BRANCH_FAILED, Encoding.of(failed));
            case SagaEvent.CommitRequested requested -> stored(COMMIT_REQUESTED, Encoding.of(requested));
            case SagaEvent.Prepared prepared -> stored(PREPARED, Encoding.of(prepared));
            case SagaEvent.Committed committed -> stored(COMMITTED, Encoding.of(committed));
            case SagaEvent.Aborted aborted -> stored(ABORTED, Encoding.of(aborted));
            case SagaEvent.CallbackRequested requested -> stored(CALLBACK_REQUESTED, Encoding.of(requested));
            case SagaEvent.CallbackSucceeded succeeded -> stored(CALLBACK_SUCCEEDED, Encoding.of(succeeded));
            case SagaEvent.CallbackFailed failed -> stored(CALLBACK_FAILED, Encoding.of(failed));
            case SagaEvent.CallbackLost lost -> stored(CALLBACK_LOST, Encoding.of(lost));
            case SagaEvent.CallbackDeferred deferred -> stored(CALLBACK_DEFERRED, Encoding.of(deferred));
            case SagaEvent.ParticipantMissed missed -> stored(PARTICIPANT_MISSED, Encoding.of(missed));
            case SagaEvent.Suspended suspended -> stored(SUSPENDED, Encoding.of(suspended));
            case SagaEvent.Resumed resumed -> stored(RESUMED, Encoding.of(resumed));
            case SagaEvent.Held held -> stored(HELD, Encoding.of(held));
            case SagaEvent.FenceAnswered answered -> stored(FENCE_ANSWERED, Encoding.of(answered));
            case SagaEvent.BranchSkipped skipped -> stored(BRANCH_SKIPPED, Encoding.of(skipped));
            case SagaEvent.Ended ended -> stored(ENDED, Encoding.of(ended));
        };
    }

    private static StoredEvent stored(String type, MessageLite message) {
        return StoredEvent.of(type, message.toByteArray());
    }

    /**
     * The event that was stored.
     *
     * @throws JournalUnreadableException if it is damaged, or says what this version does not know
     */
    public static SagaEvent decode(StoredEvent stored) {
        if (!stored.isIntact()) {
            throw new JournalUnreadableException(
                    "A journal event of type '%s' does not match its checksum (%d bytes): the store has damaged it; restore it from a backup."
                            .formatted(stored.type(), stored.bytes().length));
        }
        try {
            CodedInputStream in =
                    UnsafeByteOperations.unsafeWrap(stored.bytes()).newCodedInput();
            // Payloads are copied once, out of these bytes, and not before.
            in.enableAliasing(true);
            return decode(stored.type(), in);
        } catch (IOException | IllegalArgumentException e) {
            throw new JournalUnreadableException(
                    "A journal event of type '%s' (%d bytes) cannot be read: %s. If a newer version has written it, upgrade this node."
                            .formatted(stored.type(), stored.bytes().length, e.getMessage()),
                    e);
        }
    }

    /**
     * What these events make of a saga.
     *
     * @throws JournalUnreadableException if one of them is damaged, or this version does not know it
     * @throws CorruptJournalException if one of them does not follow from those before it
     */
    public static SagaState state(SagaId saga, List<StoredEvent> events) {
        SagaState state = new SagaState.Absent(saga);
        for (StoredEvent event : events) state = SagaRules.evolve(state, decode(event));
        return state;
    }

    private static SagaEvent decode(String type, CodedInputStream in) throws IOException {
        return switch (type) {
            case BEGUN, BEGUN_NESTED -> Decoding.of(Journal.Begun.parseFrom(in));
            case BEGIN_CAUGHT_UP -> Decoding.of(Journal.BeginCaughtUp.parseFrom(in));
            case BRANCH_BEGAN, BRANCH_BEGAN_NESTED -> Decoding.of(Journal.BranchBegan.parseFrom(in));
            case BRANCH_ENDED -> Decoding.of(Journal.BranchEnded.parseFrom(in));
            case BRANCH_FAILED -> Decoding.of(Journal.BranchFailed.parseFrom(in));
            case COMMIT_REQUESTED -> Decoding.of(Journal.CommitRequested.parseFrom(in));
            case PREPARED -> Decoding.of(Journal.Prepared.parseFrom(in));
            case COMMITTED -> Decoding.of(Journal.Committed.parseFrom(in));
            case ABORTED -> Decoding.of(Journal.Aborted.parseFrom(in));
            case CALLBACK_REQUESTED -> Decoding.of(Journal.CallbackRequested.parseFrom(in));
            case CALLBACK_SUCCEEDED -> Decoding.of(Journal.CallbackSucceeded.parseFrom(in));
            case CALLBACK_FAILED -> Decoding.of(Journal.CallbackFailed.parseFrom(in));
            case CALLBACK_LOST -> Decoding.of(Journal.CallbackLost.parseFrom(in));
            case CALLBACK_DEFERRED -> Decoding.of(Journal.CallbackDeferred.parseFrom(in));
            case PARTICIPANT_MISSED -> Decoding.of(Journal.ParticipantMissed.parseFrom(in));
            case SUSPENDED -> Decoding.of(Journal.Suspended.parseFrom(in));
            case RESUMED -> Decoding.of(Journal.Resumed.parseFrom(in));
            case HELD -> Decoding.of(Journal.Held.parseFrom(in));
            case FENCE_ANSWERED -> Decoding.of(Journal.FenceAnswered.parseFrom(in));
            case BRANCH_SKIPPED -> Decoding.of(Journal.BranchSkipped.parseFrom(in));
            case ENDED -> Decoding.of(Journal.Ended.parseFrom(in));
            default -> throw new IllegalArgumentException("this version does not know the type");
        };
    }
}
