package io.alphaomega.omega.test;

import io.alphaomega.saga.Abort;
import io.alphaomega.saga.BranchId;
import io.alphaomega.saga.CallbackKind;
import io.alphaomega.saga.SagaEvent;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** A journal in one short line per event, the same for each run of the same test: without ids and times. */
final class Story {
    private final Map<BranchId, String> operations = new HashMap<>();

    private final Set<BranchId> nested = new HashSet<>();

    private Story() {}

    static List<String> of(List<SagaEvent> journal) {
        Story story = new Story();
        return journal.stream().map(story::line).toList();
    }

    private String line(SagaEvent event) {
        return switch (event) {
            case SagaEvent.Begun begun ->
                begun.provisional() ? "a branch came first" : begun.initiator().operation() + " began";
            case SagaEvent.BeginCaughtUp begin -> begin.initiator().operation() + " began";
            case SagaEvent.BranchBegan began -> {
                operations.put(began.branch(), began.operation());
                if (began.nested().isPresent()) nested.add(began.branch());
                yield began.operation() + (began.nested().isPresent() ? " began a saga" : " began");
            }
            case SagaEvent.BranchEnded ended -> name(ended.branch()) + " ended";
            case SagaEvent.BranchFailed failed -> name(failed.branch()) + " failed: " + failed.cause();
            case SagaEvent.CommitRequested requested -> "commit asked for";
            case SagaEvent.Prepared prepared -> "prepared";
            case SagaEvent.Committed committed -> "committed";
            case SagaEvent.Aborted aborted -> "aborted: " + cause(aborted.abort());
            case SagaEvent.CallbackRequested requested ->
                "%s: %s asked for".formatted(name(requested.branch()), noun(requested.kind()));
            case SagaEvent.CallbackSucceeded succeeded -> name(succeeded.branch()) + " " + done(succeeded.kind());
            case SagaEvent.CallbackFailed failed ->
                "%s not %s: %s".formatted(name(failed.branch()), done(failed.kind()), failed.error());
            case SagaEvent.CallbackLost lost -> name(lost.branch()) + ": the stream broke";
            case SagaEvent.CallbackDeferred busy
            when nested.contains(busy.branch()) -> name(busy.branch()) + ": its saga is not over yet";
            case SagaEvent.CallbackDeferred deferred ->
                deferred.unable()
                        .map(by -> "%s: build %s of its service cannot, another is asked: %s"
                                .formatted(name(deferred.branch()), by.build(), by.error()))
                        .orElseGet(() -> name(deferred.branch()) + ": its service is busy");
            case SagaEvent.ParticipantMissed missed -> name(missed.branch()) + ": its service is away";
            case SagaEvent.Suspended suspended ->
                "suspended: " + suspended.suspension().reason();
            case SagaEvent.Held held -> "held: " + held.why();
            case SagaEvent.FenceAnswered answered ->
                name(answered.branch()) + ": its fence says "
                        + answered.evidence().finding();
            case SagaEvent.Resumed resumed ->
                resumed.operator().isPresent() ? "retried by an operator" : "goes on by itself";
            case SagaEvent.BranchSkipped skipped -> name(skipped.branch()) + " skipped by an operator";
            case SagaEvent.Ended ended ->
                "ended " + ended.outcome().name().toLowerCase(Locale.ROOT)
                        + (ended.operator().isPresent() ? " by an operator" : "");
        };
    }

    private String name(BranchId branch) {
        return operations.getOrDefault(branch, branch.value());
    }

    private static String cause(Abort abort) {
        return abort.cause() + (abort.text().isEmpty() ? "" : ", " + abort.text());
    }

    private static String noun(CallbackKind kind) {
        return switch (kind) {
            case COMPENSATION -> "compensation";
            case CONFIRMATION -> "confirmation";
        };
    }

    private static String done(CallbackKind kind) {
        return switch (kind) {
            case COMPENSATION -> "compensated";
            case CONFIRMATION -> "confirmed";
        };
    }
}
