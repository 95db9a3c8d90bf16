package io.alphaomega.server.console;

import io.alphaomega.repository.Attribute;
import io.alphaomega.repository.SagaSummary.State;
import io.alphaomega.saga.Branch.Progress;
import io.alphaomega.saga.FailureCode;
import io.alphaomega.saga.Outcome;
import io.alphaomega.saga.SagaState;
import io.alphaomega.server.insight.ClusterInsight;
import io.alphaomega.server.queries.BranchView;
import io.alphaomega.server.queries.SagaDetail;
import io.alphaomega.server.queries.SagaView;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One saga.
 *
 * @param absent services whose callbacks it waits for or has given up on, and of which no instance is connected
 */
record SagaPage(
        Words words,
        Instant now,
        SagaView view,
        Situation situation,
        Waterfall waterfall,
        WhatIfForm supposed,
        List<String> absent) {
    static SagaPage of(SagaView view, Instant now, Words words, WhatIfForm supposed, ClusterInsight insight) {
        return of(view, now, words, supposed, insight.absent(awaited(view)));
    }

    private static SagaPage of(SagaView view, Instant now, Words words, WhatIfForm supposed, List<String> absent) {
        Situation situation = Situation.of(view, now, words);
        return new SagaPage(words, now, view, situation, Waterfall.of(view, now, words), supposed, absent);
    }

    private static List<String> awaited(SagaView view) {
        return view.branches().stream()
                .filter(branch -> branch.progress() instanceof Progress.GaveUp || isAwaiting(branch))
                .map(branch -> branch.detail().service())
                .toList();
    }

    private static boolean isAwaiting(BranchView branch) {
        return branch.progress() instanceof Progress.AwaitingRetry
                || branch.progress() instanceof Progress.AwaitingParticipant;
    }

    /** The saga that the branch is, folded beneath it; its own parts are on its own page. Null if that is not known. */
    @Nullable
    SagaPage part(BranchView branch) {
        return view.nested().stream()
                .filter(part -> part.detail().row().id().equals(branch.detail().nested()))
                .findFirst()
                .map(part -> of(part, now, words, supposed, List.of()))
                .orElse(null);
    }

    SagaDetail saga() {
        return view.detail();
    }

    String id() {
        return saga().row().id();
    }

    /** Each as a search for it wants it. */
    List<String> attributes() {
        return List.copyOf(Attribute.texts(saga().attributes()));
    }

    State state() {
        return saga().row().state();
    }

    /** From its begin to its end, or until now. */
    String took() {
        Instant begun = saga().row().begunAt();
        if (begun == null) return "";
        Instant end = saga().row().endedAt() == null ? now : saga().row().endedAt();
        return words.took(Duration.between(begun, end));
    }

    boolean isSuspended() {
        return state() == State.SUSPENDED && !view.unreadable();
    }

    /** Whether it is held since the store was set back. */
    boolean isHeld() {
        return view.state() instanceof SagaState.Held && !view.unreadable();
    }

    /** Whether there is something to be asked for again, or sooner. */
    boolean mayBeRetried() {
        if (view.unreadable()) return false;
        if (isHeld()) return true;
        return view.branches().stream()
                .anyMatch(branch -> isSuspended() ? branch.progress() instanceof Progress.GaveUp : isAwaiting(branch));
    }

    boolean mayBeAborted() {
        return (state() == State.ACTIVE && !(view.state() instanceof SagaState.Prepared))
                || (isHeld() && saga().abort() == null);
    }

    /** The outcome that was decided, which is the only one that an operator may resolve it with; of a held one any may be. */
    List<Outcome> outcomes() {
        if (saga().abort() != null) return List.of(Outcome.COMPENSATED);
        return isHeld() ? List.of(Outcome.COMMITTED, Outcome.COMPENSATED) : List.of(Outcome.COMMITTED);
    }

    /** Which an operator may take as done by hand. */
    List<BranchView> skippable() {
        return view.branches().stream()
                .filter(branch -> branch.detail().nested() == null || hasRefused(branch))
                .filter(branch -> branch.progress() instanceof Progress.GaveUp || isWaitedFor(branch))
                .toList();
    }

    private boolean isWaitedFor(BranchView branch) {
        return view.state() instanceof SagaState.Suspended suspended
                && suspended
                        .suspension()
                        .branch()
                        .value()
                        .equals(branch.detail().id());
    }

    /** A saga that has refused what was decided: nothing is left open there. */
    private static boolean hasRefused(BranchView branch) {
        return branch.progress() instanceof Progress.GaveUp gaveUp && gaveUp.code() == FailureCode.FORWARD_MISSING;
    }

    /** How far the call got, in a word or two. */
    String forward(BranchView branch) {
        return words.say("forward." + branch.detail().forward().state());
    }

    /** How far the callback got, in a few words. */
    String callback(BranchView branch) {
        return switch (branch.progress()) {
            case Progress.Idle idle -> {
                boolean none = branch.detail().compensation() == null
                        && branch.detail().confirmation() == null;
                yield words.say(none ? "callback.none" : "callback.IDLE");
            }
            case Progress.Skipped skipped ->
                words.say("callback.SKIPPED", skipped.operator().who());
            case Progress.Asked asked -> attempted(branch);
            case Progress.AwaitingRetry awaiting -> attempted(branch);
            case Progress.AwaitingParticipant awaiting -> attempted(branch);
            case Progress.GaveUp gaveUp -> attempted(branch);
            case Progress.Done done -> attempted(branch);
        };
    }

    private String attempted(BranchView branch) {
        String state = words.say("callback." + branch.detail().callback().state());
        int attempts = branch.detail().callback().attempts();
        return attempts == 0
                ? state
                : words.say("callback.attempted", state, words.count("callback.attempts", attempts));
    }
}
