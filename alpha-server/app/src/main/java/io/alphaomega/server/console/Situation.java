package io.alphaomega.server.console;

import io.alphaomega.repository.SagaSummary.State;
import io.alphaomega.saga.Stuck;
import io.alphaomega.server.queries.BranchDetail;
import io.alphaomega.server.queries.BranchDetail.CallbackDetail;
import io.alphaomega.server.queries.SagaDetail;
import io.alphaomega.server.queries.SagaDetail.SuspensionDetail;
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

    static Situation of(SagaDetail saga, Instant now, Words words) {
        State state = saga.row().state();
        return switch (state) {
            case ACTIVE -> active(saga, now, words);
            case CONFIRMING, COMPENSATING -> decided(saga, now, words);
            case SUSPENDED -> suspended(saga, now, words);
            case COMMITTED, COMPENSATED -> ended(saga, words);
        };
    }

    private static Situation active(SagaDetail saga, Instant now, Words words) {
        SagaDetail.ParentDetail parent = saga.parent();
        if (saga.prepared() && parent != null) {
            String decides = words.say("situation.prepared", parent.saga());
            return new Situation(List.of(decides), words.say("situation.nothing"), words.say("who.nobody"));
        }
        List<String> why = new ArrayList<>();
        for (BranchDetail branch : saga.branches()) {
            if (!branch.forward().state().equals("RUNNING")) continue;
            why.add(words.say(
                    "situation.runs", branch.operation(), branch.service(), words.since(branch.begunAt(), now)));
        }
        if (why.isEmpty()) {
            why.add(words.say("situation.idle", words.service(saga.row().service())));
        }
        Optional<Instant> deadline = Optional.ofNullable(saga.deadline());
        for (BranchDetail branch : saga.branches())
            deadline = earlier(deadline, branch.forward().deadline());
        String next =
                deadline.map(at -> inTime("situation.aborts", at, now, words)).orElse("");
        return new Situation(why, next, words.say("who.nobody"));
    }

    private static Situation decided(SagaDetail saga, Instant now, Words words) {
        List<String> why = new ArrayList<>();
        why.add(decision(saga, words));
        Optional<Instant> next = Optional.empty();
        String who = words.say("who.nobody");
        for (BranchDetail branch : saga.branches()) {
            CallbackDetail callback = branch.callback();
            why(branch, words).ifPresent(why::add);
            if (isForPeople(callback)) who = words.say("who.people", branch.service());
            if (isUntold(branch)) next = earlier(next, branch.forward().deadline());
            next = earlier(earlier(next, callback.answerBy()), callback.retryAt());
        }
        String then = next.map(at -> inTime("situation.looks", at, now, words)).orElse(words.say("situation.at-once"));
        return new Situation(why, then, who);
    }

    private static Optional<String> why(BranchDetail branch, Words words) {
        CallbackDetail callback = branch.callback();
        String kind = words.say("kind." + Objects.requireNonNullElse(callback.kind(), "CALLBACK"));
        return switch (callback.state()) {
            case "ASKED" ->
                Optional.of(
                        words.say("situation.asked", branch.service(), kind, branch.operation(), callback.attempts()));
            case "AWAITING_RETRY" ->
                Optional.of(words.say(
                        "situation.failed",
                        branch.service(),
                        kind,
                        branch.operation(),
                        callback.attempts(),
                        String.valueOf(callback.lastError())));
            case "AWAITING_PARTICIPANT" ->
                Optional.of(words.say("situation.away", branch.service(), kind, branch.operation()));
            default ->
                isUntold(branch)
                        ? Optional.of(words.say("situation.untold", branch.operation(), branch.service()))
                        : Optional.empty();
        };
    }

    private static boolean isForPeople(CallbackDetail callback) {
        return callback.state().equals("AWAITING_PARTICIPANT")
                || (callback.state().equals("AWAITING_RETRY") && callback.failures() >= Stuck.FAILURES);
    }

    /** Whether nobody has said yet if the call ended. */
    private static boolean isUntold(BranchDetail branch) {
        return branch.forward().deadline() != null && branch.callback().state().equals("IDLE");
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
