package io.alphaomega.saga.simulation;

import io.alphaomega.saga.CallbackKind;
import io.alphaomega.saga.CallbackOffer;
import io.alphaomega.saga.CallbackPolicy;
import io.alphaomega.saga.FailureCode;
import io.alphaomega.saga.Payload;
import io.alphaomega.saga.Policy;
import io.alphaomega.saga.SagaEvent;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** What the journal says of one branch, in plain variables: written to share no line and no idea with the rules. */
final class BranchAudit {
    enum Forward {
        RUNNING,
        UNKNOWN,
        ENDED,
        FAILED
    }

    enum Stage {
        IDLE,
        ASKED,
        RETRY,
        LOST,
        MISSED,
        GAVE_UP,
        DONE,
        SKIPPED
    }

    final SagaEvent.BranchBegan began;
    /** Its place in the journal. */
    final long beganAs;

    Forward forward = Forward.RUNNING;
    Payload result = Payload.EMPTY;
    long endedAs;

    Stage callback = Stage.IDLE;
    int attempt;
    int failures;
    int losses;
    boolean forwardEndedWhenAsked;
    Instant answerBy = Instant.MAX;
    Instant giveUpAt = Instant.MAX;
    Instant retryAt = Instant.MIN;
    /** Whether the participant was told that another attempt follows if this one throws. */
    boolean toldRetried;

    FailureCode failure = FailureCode.THREW;

    /** Builds that cannot run the callback, and what they have said, since the last failure that counts. */
    final Map<String, FailureCode> unable = new LinkedHashMap<>();

    /** Whether that failure was for lack of another build. */
    boolean lacksBuild;

    BranchAudit(SagaEvent.BranchBegan began, long beganAs) {
        this.began = began;
        this.beganAs = beganAs;
    }

    boolean isOpen() {
        return forward == Forward.RUNNING || forward == Forward.UNKNOWN;
    }

    boolean offers(CallbackKind kind) {
        return offer(kind).isPresent();
    }

    CallbackPolicy policy(CallbackKind kind, Policy saga) {
        return offer(kind).flatMap(CallbackOffer::policy).orElse(saga.callbacks());
    }

    /** To be asked again without anybody's help, but later. */
    boolean isWaiting() {
        return callback == Stage.RETRY || callback == Stage.LOST || callback == Stage.MISSED;
    }

    /** Asked, or to be asked again without anybody's help. */
    boolean isInFlight() {
        return callback == Stage.ASKED || isWaiting();
    }

    boolean isOver() {
        return callback == Stage.DONE || callback == Stage.SKIPPED;
    }

    /** Its end may be lost on its way, so nobody waits for it. */
    boolean isSilent() {
        return isOpen() && began.endTravels();
    }

    boolean isOverdue(Instant now) {
        return isOpen() && !now.isBefore(began.deadline());
    }

    /** Nobody can tell whether it took effect, and without a fence it is not safe to compensate. */
    boolean isUnknowable(Instant now) {
        return !began.fenced() && began.compensation().isPresent() && callback == Stage.IDLE && isOverdue(now);
    }

    private Optional<CallbackOffer> offer(CallbackKind kind) {
        return kind == CallbackKind.COMPENSATION ? began.compensation() : began.confirmation();
    }
}
