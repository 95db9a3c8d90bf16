package io.alphaomega.server.console;

import io.alphaomega.repository.Attribute;
import io.alphaomega.repository.SagaSummary.State;
import io.alphaomega.saga.FailureCode;
import io.alphaomega.saga.Stuck;
import io.alphaomega.server.insight.ClusterInsight;
import io.alphaomega.server.queries.BranchDetail;
import io.alphaomega.server.queries.SagaDetail;
import io.alphaomega.wire.WireAnswers;
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
        SagaDetail saga,
        Situation situation,
        Waterfall waterfall,
        WhatIfForm supposed,
        List<SagaDetail> nested,
        List<String> absent) {
    /** @param nested sagas that are parts of it */
    static SagaPage of(
            SagaDetail saga,
            Instant now,
            Words words,
            WhatIfForm supposed,
            List<SagaDetail> nested,
            ClusterInsight insight) {
        return of(saga, now, words, supposed, nested, insight.absent(awaited(saga)));
    }

    private static SagaPage of(
            SagaDetail saga,
            Instant now,
            Words words,
            WhatIfForm supposed,
            List<SagaDetail> nested,
            List<String> absent) {
        Situation situation = Situation.of(saga, now, words);
        return new SagaPage(words, now, saga, situation, Waterfall.of(saga, now, words), supposed, nested, absent);
    }

    private static List<String> awaited(SagaDetail saga) {
        return saga.branches().stream()
                .filter(branch -> branch.callback().state().equals("GAVE_UP")
                        || branch.callback().state().startsWith("AWAITING"))
                .map(BranchDetail::service)
                .toList();
    }

    /** The saga that the branch is, folded beneath it; its own parts are on its own page. Null if that is not known. */
    @Nullable
    SagaPage part(BranchDetail branch) {
        return nested.stream()
                .filter(part -> part.row().id().equals(branch.nested()))
                .findFirst()
                .map(part -> of(part, now, words, supposed, List.of(), List.of()))
                .orElse(null);
    }

    String id() {
        return saga.row().id();
    }

    /** Each as a search for it wants it. */
    List<String> attributes() {
        return List.copyOf(Attribute.texts(saga.attributes()));
    }

    State state() {
        return saga.row().state();
    }

    /** From its begin to its end, or until now. */
    String took() {
        Instant begun = saga.row().begunAt();
        if (begun == null) return "";
        Instant end = saga.row().endedAt() == null ? now : saga.row().endedAt();
        return words.took(Duration.between(begun, end));
    }

    boolean isSuspended() {
        return state() == State.SUSPENDED && !isUnreadable();
    }

    boolean isUnreadable() {
        return saga.suspension() != null && saga.suspension().reason().equals(WireAnswers.JOURNAL_UNREADABLE);
    }

    /** Whether it is held since the store was set back. */
    boolean isHeld() {
        return saga.suspension() != null && saga.suspension().reason().equals(Stuck.RESTORED);
    }

    /** Whether there is something to be asked for again, or sooner. */
    boolean mayBeRetried() {
        if (isUnreadable()) return false;
        if (isHeld()) return true;
        String wanted = isSuspended() ? "GAVE_UP" : "AWAITING";
        return saga.branches().stream()
                .anyMatch(branch -> branch.callback().state().startsWith(wanted));
    }

    boolean mayBeAborted() {
        return (state() == State.ACTIVE && !saga.prepared()) || (isHeld() && saga.abort() == null);
    }

    /** The outcome that was decided, which is the only one that an operator may resolve it with; of a held one any may be. */
    List<String> outcomes() {
        if (saga.abort() != null) return List.of("COMPENSATED");
        return isHeld() ? List.of("COMMITTED", "COMPENSATED") : List.of("COMMITTED");
    }

    /** Which an operator may take as done by hand. */
    List<BranchDetail> skippable() {
        return saga.branches().stream()
                .filter(branch -> branch.nested() == null || hasRefused(branch))
                .filter(branch -> branch.callback().state().equals("GAVE_UP")
                        || (saga.suspension() != null
                                && branch.id().equals(saga.suspension().branch())))
                .toList();
    }

    /** A saga that has refused what was decided: nothing is left open there. */
    private static boolean hasRefused(BranchDetail branch) {
        String error = branch.callback().lastError();
        return error != null && error.startsWith(FailureCode.FORWARD_MISSING.name());
    }

    /** How far the call got, in a word or two. */
    String forward(BranchDetail branch) {
        return words.say("forward." + branch.forward().state());
    }

    /** How far the callback got, in a few words. */
    String callback(BranchDetail branch) {
        BranchDetail.CallbackDetail callback = branch.callback();
        return switch (callback.state()) {
            case "IDLE" ->
                words.say(
                        branch.compensation() == null && branch.confirmation() == null
                                ? "callback.none"
                                : "callback.IDLE");
            case "SKIPPED" -> words.say("callback.SKIPPED", String.valueOf(callback.operator()));
            default -> {
                String state = words.say("callback." + callback.state());
                yield callback.attempts() == 0
                        ? state
                        : words.say("callback.attempted", state, words.count("callback.attempts", callback.attempts()));
            }
        };
    }
}
