package io.alphaomega.server.console;

import io.alphaomega.saga.Branch.Forward;
import io.alphaomega.saga.Branch.Progress;
import io.alphaomega.saga.SagaState;
import io.alphaomega.saga.Stuck;
import io.alphaomega.server.queries.BranchDetail;
import io.alphaomega.server.queries.BranchDetail.CallbackDetail;
import io.alphaomega.server.queries.BranchView;
import io.alphaomega.server.queries.SagaDetail;
import io.alphaomega.server.queries.SagaDetail.SuspensionDetail;
import io.alphaomega.server.queries.SagaView;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Where a saga stands, for somebody who sees it for the first time.
 *
 * @param why it is where it is
 * @param next what happens next, and when
 * @param who must act; "nobody" is an answer
 */
record Situation(List<String> why, String next, String who) {

    static Situation of(SagaView view, Instant now, Words words) {
        return switch (view.detail().row().state()) {
            case ACTIVE -> active(view, now, words);
            case CONFIRMING, COMPENSATING -> decided(view, now, words);
            case SUSPENDED -> suspended(view.detail(), now, words);
            case COMMITTED, COMPENSATED -> ended(view.detail(), words);
        };
    }

    private static Situation active(SagaView view, Instant now, Words words) {
        SagaDetail.ParentDetail parent = view.detail().parent();
        if (view.state() instanceof SagaState.Prepared && parent != null) {
            String decides = words.say("situation.prepared", parent.saga());
            return new Situation(List.of(decides), words.say("situation.nothing"), words.say("who.nobody"));
        }
        List<String> why = new ArrayList<>();
        Optional<Instant> deadline = Optional.ofNullable(view.detail().deadline());
        for (BranchView each : view.branches()) {
            BranchDetail branch = each.detail();
            deadline = earlier(deadline, branch.forward().deadline());
            if (!(each.forward() instanceof Forward.Running)) continue;
            why.add(words.say(
                    "situation.runs", branch.operation(), branch.service(), words.since(branch.begunAt(), now)));
        }
        if (why.isEmpty()) {
            why.add(words.say(
                    "situation.idle", words.service(view.detail().row().service())));
        }
        String next =
                deadline.map(at -> inTime("situation.aborts", at, now, words)).orElse("");
        return new Situation(why, next, words.say("who.nobody"));
    }

    private static Situation decided(SagaView view, Instant now, Words words) {
        List<String> why = new ArrayList<>();
        why.add(decision(view.detail(), words));
        Optional<Instant> next = Optional.empty();
        String who = words.say("who.nobody");
        for (BranchView branch : view.branches()) {
            CallbackDetail callback = branch.detail().callback();
            why(branch, words).ifPresent(why::add);
            if (isForPeople(branch.progress()))
                who = words.say("who.people", branch.detail().service());
            if (isUntold(branch)) next = earlier(next, branch.detail().forward().deadline());
            next = earlier(earlier(next, callback.answerBy()), callback.retryAt());
        }
        String then = next.map(at -> inTime("situation.looks", at, now, words)).orElse(words.say("situation.at-once"));
        return new Situation(why, then, who);
    }

    private static Optional<String> why(BranchView view, Words words) {
        BranchDetail branch = view.detail();
        CallbackDetail callback = branch.callback();
        String kind = words.say("kind." + Objects.requireNonNullElse(callback.kind(), "CALLBACK"));
        return switch (view.progress()) {
            case Progress.Asked asked ->
                Optional.of(
                        words.say("situation.asked", branch.service(), kind, branch.operation(), callback.attempts()));
            case Progress.AwaitingRetry retry ->
                Optional.of(words.say(
                        "situation.failed",
                        branch.service(),
                        kind,
                        branch.operation(),
                        callback.attempts(),
                        retry.lastError()));
            case Progress.AwaitingParticipant awaiting ->
                Optional.of(words.say("situation.away", branch.service(), kind, branch.operation()));
            case Progress.Idle idle ->
                isUntold(view)
                        ? Optional.of(words.say("situation.untold", branch.operation(), branch.service()))
                        : Optional.empty();
            case Progress.GaveUp gaveUp -> Optional.empty();
            case Progress.Done done -> Optional.empty();
            case Progress.Skipped skipped -> Optional.empty();
        };
    }

    private static boolean isForPeople(Progress progress) {
        return progress instanceof Progress.AwaitingParticipant
                || (progress instanceof Progress.AwaitingRetry retry
                        && retry.effort().failures() >= Stuck.FAILURES);
    }

    /** Whether nobody has said yet if the call ended. */
    private static boolean isUntold(BranchView branch) {
        return branch.detail().forward().deadline() != null && branch.progress() instanceof Progress.Idle;
    }

    private static Situation suspended(SagaDetail saga, Instant now, Words words) {
        SuspensionDetail suspension = saga.suspension();
        if (suspension == null) {
            return new Situation(
                    List.of(saga.row().reason()), words.say("situation.nothing"), words.say("who.somebody"));
        }
        boolean readable = !suspension.service().isEmpty();
        List<String> why = new ArrayList<>();
        if (readable) why.add(decision(saga, words));
        String gaveUp = suspension.since() == null
                ? words.say("situation.gave-up", suspension.reason())
                : words.say("situation.gave-up.since", suspension.reason(), words.since(suspension.since(), now));
        why.add(
                suspension.attempts() == 0
                        ? words.say("situation.error", gaveUp, suspension.lastError())
                        : words.count(
                                "situation.error.attempts", suspension.attempts(), gaveUp, suspension.lastError()));
        String who = readable ? words.say("who.people", suspension.service()) : words.say("who.operator");
        return new Situation(why, words.say("situation.nothing.ordered"), who);
    }

    private static Situation ended(SagaDetail saga, Words words) {
        List<String> why = new ArrayList<>();
        why.add(decision(saga, words));
        if (saga.row().manual()) why.add(words.say("situation.by-hand"));
        return new Situation(why, words.say("situation.over"), words.say("who.nobody"));
    }

    private static String decision(SagaDetail saga, Words words) {
        SagaDetail.AbortDetail abort = saga.abort();
        return abort == null
                ? words.say("situation.committed")
                : words.say("situation.aborted", words.say("cause." + abort.cause()), abort.text());
    }

    /** A sentence of two: one for later, one for what is due. */
    private static String inTime(String key, Instant at, Instant now, Words words) {
        return at.isAfter(now) ? words.say(key, words.since(now, at)) : words.say(key + ".now");
    }

    private static Optional<Instant> earlier(Optional<Instant> one, @Nullable Instant other) {
        if (other == null) return one;
        return one.isPresent() && one.get().isBefore(other) ? one : Optional.of(other);
    }
}
