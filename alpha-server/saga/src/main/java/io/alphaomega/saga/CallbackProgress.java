package io.alphaomega.saga;

import io.alphaomega.saga.Branch.Effort;
import io.alphaomega.saga.Branch.Progress;
import io.alphaomega.saga.SagaState.Known;
import org.jspecify.annotations.Nullable;

/** How events move the callbacks of branches on. */
final class CallbackProgress {
    private CallbackProgress() {}

    static Progress requested(Saga saga, SagaEvent.CallbackRequested event) {
        Branch branch = saga.branch(event.branch())
                .orElseThrow(() ->
                        new CorruptJournalException("saga %s has no branch %s".formatted(saga.id(), event.branch())));
        Effort before = branch.progress() instanceof Progress.GaveUp gaveUp
                ? gaveUp.effort().resumed(event.giveUpAt())
                : effort(branch.progress());
        Effort effort = before == null
                ? Effort.none(event.kind(), event.attempt(), event.giveUpAt())
                : before.again(event.attempt());
        return new Progress.Asked(effort, event.forwardEnded(), event.answerBy());
    }

    static Progress deferred(Saga saga, Effort effort, SagaEvent.CallbackDeferred deferred) {
        return deferred.unable()
                .map(unable -> new Progress.AwaitingRetry(effort.refused(unable), deferred.retryAt(), unable.error()))
                .orElseGet(() -> new Progress.AwaitingRetry(
                        effort.deferred(),
                        deferred.retryAt(),
                        Nesting.waitsFor(saga.branch(deferred.branch()).orElseThrow())));
    }

    static Progress failed(Effort effort, SagaEvent.CallbackFailed failed) {
        Effort spent = effort.failed(failed.at(), failed.code());
        return failed.retryAt()
                .<Progress>map(at -> new Progress.AwaitingRetry(spent, at, failed.error()))
                .orElseGet(() -> new Progress.GaveUp(spent, failed.code(), failed.error()));
    }

    static Effort effort(Known state, BranchId id, SagaEvent event) {
        Effort effort = state.saga().branch(id).map(b -> effort(b.progress())).orElse(null);
        if (effort == null) throw Fold.corrupt(state, event);
        return effort;
    }

    /** What it has cost since it is asked for; null while it is not, and when it is over. */
    static @Nullable Effort effort(Progress progress) {
        return switch (progress) {
            case Progress.Asked asked -> asked.effort();
            case Progress.AwaitingRetry awaiting -> awaiting.effort();
            case Progress.AwaitingParticipant awaiting -> awaiting.effort();
            case Progress.GaveUp gaveUp -> gaveUp.effort();
            case Progress.Idle idle -> null;
            case Progress.Done done -> null;
            case Progress.Skipped skipped -> null;
        };
    }

    /** Nobody needs to be asked any more. */
    static Progress calledOff(Progress progress) {
        return switch (progress) {
            case Progress.Asked asked -> new Progress.Idle(asked.effort().attempt());
            case Progress.AwaitingRetry awaiting ->
                new Progress.Idle(awaiting.effort().attempt());
            case Progress.AwaitingParticipant awaiting ->
                new Progress.Idle(awaiting.effort().attempt());
            case Progress.GaveUp gaveUp -> new Progress.Idle(gaveUp.effort().attempt());
            case Progress.Idle idle -> idle;
            case Progress.Done done -> done;
            case Progress.Skipped skipped -> skipped;
        };
    }

    /** What was given up on begins afresh. */
    static Saga retried(Saga saga) {
        return saga.with(saga.branches()
                .changingEach(b -> b.progress() instanceof Progress.GaveUp gaveUp
                        ? b.with(new Progress.Idle(gaveUp.effort().attempt()))
                        : b));
    }

    /** What waits for its next attempt begins afresh, as what was given up on does. */
    static Saga hurried(Saga saga) {
        return saga.with(saga.branches().changingEach(b -> switch (b.progress()) {
            case Progress.AwaitingRetry awaiting ->
                b.with(new Progress.Idle(awaiting.effort().attempt()));
            case Progress.AwaitingParticipant awaiting ->
                b.with(new Progress.Idle(awaiting.effort().attempt()));
            case Progress.Idle idle -> b;
            case Progress.Asked asked -> b;
            case Progress.GaveUp gaveUp -> b;
            case Progress.Done done -> b;
            case Progress.Skipped skipped -> b;
        }));
    }

    /** Whatever was asked, and whoever was waited for: nobody knows what came of it, and its time has passed. */
    static Saga afresh(Saga saga) {
        Saga hurried = hurried(retried(saga));
        return hurried.with(hurried.branches()
                .changingEach(b -> b.progress() instanceof Progress.Asked asked
                        ? b.with(new Progress.Idle(asked.effort().attempt()))
                        : b));
    }
}
