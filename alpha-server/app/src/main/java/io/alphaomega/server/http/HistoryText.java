package io.alphaomega.server.http;

import io.alphaomega.saga.BranchId;
import io.alphaomega.saga.CallbackKind;
import io.alphaomega.saga.Initiator;
import io.alphaomega.saga.SagaEvent;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The journal of one saga told to people, event by event in order. */
public final class HistoryText {
    /** What people call a branch; filled as branches begin. */
    private final Map<BranchId, String> names = new HashMap<>();

    HistoryEntry of(long sequence, String type, SagaEvent event) {
        BranchId branch = branch(event);
        return new HistoryEntry(
                sequence, event.at(), type, branch == null ? null : branch.value(), text(event), payloadBytes(event));
    }

    private String text(SagaEvent event) {
        return switch (event) {
            case SagaEvent.Begun begun ->
                begun.provisional()
                        ? "A branch came before the saga's begin."
                        : "Begun by " + text(begun.initiator()) + ", to end within "
                                + text(begun.policy().timeout()) + ".";
            case SagaEvent.BeginCaughtUp begin -> "The begin has come, by " + text(begin.initiator()) + ".";
            case SagaEvent.BranchBegan began -> {
                names.put(began.branch(), began.service() + " " + began.operation());
                yield name(began.branch()) + " began.";
            }
            case SagaEvent.BranchEnded ended -> name(ended.branch()) + " ended.";
            case SagaEvent.BranchFailed failed ->
                "%s failed%s: %s"
                        .formatted(
                                name(failed.branch()),
                                failed.rolledBack() ? "" : ", and nobody knows whether its work was committed",
                                failed.cause());
            case SagaEvent.CommitRequested requested ->
                "The initiator is done; the commit waits for branches that run.";
            case SagaEvent.Committed committed -> "Committed.";
            case SagaEvent.Aborted aborted ->
                "Aborted (%s): %s"
                        .formatted(aborted.abort().cause(), aborted.abort().text());
            case SagaEvent.CallbackRequested requested ->
                "%s is asked for its %s, attempt %d, answer by %s."
                        .formatted(
                                name(requested.branch()),
                                text(requested.kind()),
                                requested.attempt(),
                                requested.answerBy());
            case SagaEvent.CallbackSucceeded succeeded ->
                "%s did its %s, attempt %d."
                        .formatted(name(succeeded.branch()), text(succeeded.kind()), succeeded.attempt());
            case SagaEvent.CallbackFailed failed ->
                "%s failed at its %s, attempt %d (%s): %s%s"
                        .formatted(
                                name(failed.branch()),
                                text(failed.kind()),
                                failed.attempt(),
                                failed.code(),
                                failed.error(),
                                failed.retryAt()
                                        .map(at -> "; asked again at " + at)
                                        .orElse("; alpha gives up"));
            case SagaEvent.CallbackLost lost ->
                "The stream to %s broke during its %s, attempt %d; asked again at once."
                        .formatted(name(lost.branch()), text(lost.kind()), lost.attempt());
            case SagaEvent.CallbackDeferred deferred ->
                "The service of %s is busy, for its %s, attempt %d, which does not count; asked again at %s."
                        .formatted(
                                name(deferred.branch()), text(deferred.kind()), deferred.attempt(), deferred.retryAt());
            case SagaEvent.ParticipantMissed missed ->
                "No instance of the service of %s is connected, for its %s; asked again when one connects, at the latest at %s."
                        .formatted(name(missed.branch()), text(missed.kind()), missed.retryAt());
            case SagaEvent.Suspended suspended ->
                "Suspended (%s), a person of %s must act: %s"
                        .formatted(
                                suspended.suspension().reason(),
                                suspended.suspension().service(),
                                suspended.suspension().lastError());
            case SagaEvent.Resumed resumed ->
                resumed.operator()
                        .map(operator -> "Retried by %s: %s".formatted(operator.who(), operator.why()))
                        .orElse("Goes on: what it was suspended for is over.");
            case SagaEvent.BranchSkipped skipped ->
                "%s was taken as done by hand, by %s: %s"
                        .formatted(
                                name(skipped.branch()),
                                skipped.operator().who(),
                                skipped.operator().why());
            case SagaEvent.Ended ended ->
                ended.operator()
                        .map(operator -> "Ended %s by hand, by %s: %s"
                                .formatted(ended.outcome(), operator.who(), operator.why()))
                        .orElse("Ended " + ended.outcome() + ".");
        };
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
            case SagaEvent.BranchSkipped skipped -> skipped.branch();
            case SagaEvent.Suspended suspended -> suspended.suspension().branch();
            case SagaEvent.Aborted aborted -> aborted.abort().branch().orElse(null);
            case SagaEvent.Begun begun -> null;
            case SagaEvent.BeginCaughtUp begin -> null;
            case SagaEvent.CommitRequested requested -> null;
            case SagaEvent.Committed committed -> null;
            case SagaEvent.Resumed resumed -> null;
            case SagaEvent.Ended ended -> null;
        };
    }

    private static @Nullable Integer payloadBytes(SagaEvent event) {
        if (event instanceof SagaEvent.BranchBegan began)
            return began.arguments().size();
        return event instanceof SagaEvent.BranchEnded ended ? ended.result().size() : null;
    }

    private String name(BranchId branch) {
        return Optional.ofNullable(names.get(branch)).orElse("Branch " + branch);
    }

    /**
     * In hours, minutes and seconds, rounded up: what is left of five minutes when a begin that travelled has come is told
     * as five minutes.
     */
    public static String text(Duration time) {
        if (time.compareTo(Duration.ofSeconds(1)) < 0) return time.toMillis() + " ms";
        Duration rounded = time.plusNanos(999_999_999).truncatedTo(ChronoUnit.SECONDS);
        String hours = rounded.toHours() == 0 ? "" : rounded.toHours() + " h ";
        String minutes = rounded.toMinutesPart() == 0 ? "" : rounded.toMinutesPart() + " min ";
        String seconds = rounded.toSecondsPart() == 0 ? "" : rounded.toSecondsPart() + " s";
        return (hours + minutes + seconds).strip();
    }

    private static String text(Initiator initiator) {
        String key = initiator.businessKey().isEmpty() ? "" : " for " + initiator.businessKey();
        return initiator.service() + " " + initiator.operation() + key;
    }

    private static String text(CallbackKind kind) {
        return kind.name().toLowerCase(Locale.ROOT);
    }
}
