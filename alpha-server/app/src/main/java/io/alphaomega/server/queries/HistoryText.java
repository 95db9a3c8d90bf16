package io.alphaomega.server.queries;

import io.alphaomega.saga.BranchId;
import io.alphaomega.saga.CallbackKind;
import io.alphaomega.saga.Evidence;
import io.alphaomega.saga.Initiator;
import io.alphaomega.saga.SagaEvent;
import io.alphaomega.saga.SagaId;
import io.alphaomega.server.text.Texts;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The journal of one saga told to people, event by event in order. */
final class HistoryText {
    /** What people call a branch; filled as branches begin. */
    private final Map<BranchId, String> names = new HashMap<>();

    /** Of them, those that are sagas. */
    private final Map<BranchId, SagaId> nested = new HashMap<>();

    private String parent = "";
    private final Texts texts;

    HistoryText(Texts texts) {
        this.texts = texts;
    }

    HistoryEntry of(long sequence, String type, SagaEvent event) {
        BranchId branch = branch(event);
        return new HistoryEntry(
                sequence, event.at(), type, branch == null ? null : branch.value(), text(event), payloadBytes(event));
    }

    private String text(SagaEvent event) {
        return switch (event) {
            case SagaEvent.Begun begun -> begun(begun);
            case SagaEvent.BeginCaughtUp begin -> texts.say("history.begun.late", text(begin.initiator()));
            case SagaEvent.BranchBegan began -> {
                names.put(began.branch(), began.service() + " " + began.operation());
                began.nested().ifPresent(saga -> nested.put(began.branch(), saga));
                yield began.nested()
                        .map(saga -> texts.say("history.began.nested", name(began.branch()), saga))
                        .orElseGet(() -> texts.say("history.began", name(began.branch())));
            }
            case SagaEvent.BranchEnded ended -> texts.say("history.ended", name(ended.branch()));
            case SagaEvent.BranchFailed failed ->
                texts.say(
                        failed.rolledBack() ? "history.failed" : "history.failed.unknown",
                        name(failed.branch()),
                        failed.cause());
            case SagaEvent.CommitRequested requested -> texts.say("history.commit");
            case SagaEvent.Prepared prepared -> texts.say("history.prepared", parent);
            case SagaEvent.Committed committed -> texts.say("history.committed");
            case SagaEvent.Aborted aborted ->
                texts.say(
                        "history.aborted",
                        aborted.abort().cause(),
                        aborted.abort().text());
            case SagaEvent.CallbackRequested requested ->
                texts.say(
                        "history.asked",
                        name(requested.branch()),
                        text(requested.kind()),
                        requested.attempt(),
                        requested.answerBy());
            case SagaEvent.CallbackSucceeded succeeded ->
                texts.say("history.did", name(succeeded.branch()), text(succeeded.kind()), succeeded.attempt());
            case SagaEvent.CallbackFailed failed ->
                texts.say(
                        "history.callback-failed",
                        name(failed.branch()),
                        text(failed.kind()),
                        failed.attempt(),
                        failed.code(),
                        failed.error(),
                        failed.retryAt()
                                .map(at -> texts.say("history.again", at))
                                .orElse(texts.say("history.gives-up")));
            case SagaEvent.CallbackLost lost ->
                texts.say("history.lost", name(lost.branch()), text(lost.kind()), lost.attempt());
            case SagaEvent.CallbackDeferred deferred
            when nested.containsKey(deferred.branch()) ->
                texts.say("history.waits", nested.get(deferred.branch()), deferred.retryAt());
            case SagaEvent.CallbackDeferred deferred -> deferred(deferred);
            case SagaEvent.ParticipantMissed missed ->
                texts.say("history.nobody", name(missed.branch()), text(missed.kind()), missed.retryAt());
            case SagaEvent.Suspended suspended ->
                texts.say(
                        "history.suspended",
                        suspended.suspension().reason(),
                        suspended.suspension().service(),
                        suspended.suspension().lastError());
            case SagaEvent.Resumed resumed ->
                resumed.operator()
                        .map(operator -> texts.say("history.retried", operator.who(), operator.why()))
                        .orElse(texts.say("history.resumed"));
            case SagaEvent.Held held -> texts.say("history.held", held.why());
            case SagaEvent.FenceAnswered answered -> found(answered);
            case SagaEvent.BranchSkipped skipped ->
                texts.say(
                        "history.skipped",
                        name(skipped.branch()),
                        skipped.operator().who(),
                        skipped.operator().why());
            case SagaEvent.Ended ended ->
                ended.operator()
                        .map(operator -> texts.say("history.over.by", ended.outcome(), operator.who(), operator.why()))
                        .orElse(texts.say("history.over", ended.outcome()));
        };
    }

    private String deferred(SagaEvent.CallbackDeferred deferred) {
        String name = name(deferred.branch());
        String kind = text(deferred.kind());
        return deferred.unable()
                .map(by ->
                        texts.say("history.unable", name, by.build(), kind, deferred.attempt(), by.code(), by.error()))
                .orElseGet(() -> texts.say("history.busy", name, kind, deferred.attempt(), deferred.retryAt()));
    }

    private String found(SagaEvent.FenceAnswered answered) {
        Evidence evidence = answered.evidence();
        String what = texts.say("history.fence." + evidence.finding(), name(answered.branch()), evidence.text());
        return evidence.at().map(at -> texts.say("history.fence.at", what, at)).orElse(what);
    }

    private String begun(SagaEvent.Begun begun) {
        if (begun.provisional()) return texts.say("history.begun.early");
        String by = text(begun.initiator());
        String within = texts.duration(begun.policy().timeout());
        return begun.initiator()
                .parent()
                .map(outer -> {
                    parent = outer.saga().value();
                    return texts.say("history.begun.nested", by, within, parent);
                })
                .orElseGet(() -> texts.say("history.begun", by, within));
    }

    private static @Nullable BranchId branch(SagaEvent event) {
        return switch (event) {
            case SagaEvent.BranchBegan began -> began.branch();
            case SagaEvent.BranchEnded ended -> ended.branch();
            case SagaEvent.BranchFailed failed -> failed.branch();
            case SagaEvent.CallbackRequested requested -> requested.branch();
            case SagaEvent.CallbackSucceeded succeeded -> succeeded.branch();
            case SagaEvent.CallbackFailed failed -> failed.branch();
            case SagaEvent.CallbackLost lost -> lost.branch();
            case SagaEvent.CallbackDeferred deferred -> deferred.branch();
            case SagaEvent.ParticipantMissed missed -> missed.branch();
            case SagaEvent.FenceAnswered answered -> answered.branch();
            case SagaEvent.BranchSkipped skipped -> skipped.branch();
            case SagaEvent.Suspended suspended -> suspended.suspension().branch();
            case SagaEvent.Aborted aborted -> aborted.abort().branch().orElse(null);
            case SagaEvent.Begun begun -> null;
            case SagaEvent.BeginCaughtUp begin -> null;
            case SagaEvent.CommitRequested requested -> null;
            case SagaEvent.Prepared prepared -> null;
            case SagaEvent.Committed committed -> null;
            case SagaEvent.Resumed resumed -> null;
            case SagaEvent.Held held -> null;
            case SagaEvent.Ended ended -> null;
        };
    }

    private static @Nullable Integer payloadBytes(SagaEvent event) {
        if (event instanceof SagaEvent.BranchBegan began)
            return began.arguments().size();
        return event instanceof SagaEvent.BranchEnded ended ? ended.result().size() : null;
    }

    private String name(BranchId branch) {
        return Optional.ofNullable(names.get(branch)).orElseGet(() -> texts.say("history.branch", branch));
    }

    private String text(Initiator initiator) {
        return initiator.businessKey().isEmpty()
                ? texts.say("history.initiator", initiator.service(), initiator.operation())
                : texts.say(
                        "history.initiator.key", initiator.service(), initiator.operation(), initiator.businessKey());
    }

    private String text(CallbackKind kind) {
        return texts.say("kind." + kind.name());
    }
}
