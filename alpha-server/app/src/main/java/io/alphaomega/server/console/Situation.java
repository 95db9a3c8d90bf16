package io.alphaomega.server.console;

import io.alphaomega.repository.SagaSummary.State;
import io.alphaomega.saga.Stuck;
import io.alphaomega.server.http.BranchDetail;
import io.alphaomega.server.http.BranchDetail.CallbackDetail;
import io.alphaomega.server.http.SagaDetail;
import io.alphaomega.server.http.SagaDetail.SuspensionDetail;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
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

    static Situation of(SagaDetail saga, Instant now) {
        State state = saga.row().state();
        return switch (state) {
            case ACTIVE -> active(saga, now);
            case CONFIRMING, COMPENSATING -> decided(saga, now);
            case SUSPENDED -> suspended(saga, now);
            case COMMITTED, COMPENSATED -> ended(saga);
        };
    }

    private static Situation active(SagaDetail saga, Instant now) {
        List<String> why = new ArrayList<>();
        for (BranchDetail branch : saga.branches()) {
            if (!branch.forward().state().equals("RUNNING")) continue;
            why.add("%s of %s has run for %s."
                    .formatted(branch.operation(), branch.service(), Words.ENGLISH.since(branch.begunAt(), now)));
        }
        if (why.isEmpty()) {
            why.add("No branch runs. It waits for %s to end it, or to call something else."
                    .formatted(Words.service(saga.row().service())));
        }
        Optional<Instant> deadline = Optional.ofNullable(saga.deadline());
        for (BranchDetail branch : saga.branches())
            deadline = earlier(deadline, branch.forward().deadline());
        String next = deadline.map(at -> inTime("It is aborted", at, now, "unless it goes on"))
                .orElse("");
        return new Situation(why, next, "nobody");
    }

    private static Situation decided(SagaDetail saga, Instant now) {
        List<String> why = new ArrayList<>();
        why.add(decision(saga));
        Optional<Instant> next = Optional.empty();
        String who = "nobody";
        for (BranchDetail branch : saga.branches()) {
            CallbackDetail callback = branch.callback();
            String kind = kind(callback);
            switch (callback.state()) {
                case "ASKED" ->
                    why.add("%s is asked for the %s of %s, attempt %d."
                            .formatted(branch.service(), kind, branch.operation(), callback.attempts()));
                case "AWAITING_RETRY" -> {
                    why.add("%s has not done the %s of %s, attempt %d: %s"
                            .formatted(
                                    branch.service(),
                                    kind,
                                    branch.operation(),
                                    callback.attempts(),
                                    callback.lastError()));
                    if (callback.failures() >= Stuck.FAILURES) who = "the people of " + branch.service();
                }
                case "AWAITING_PARTICIPANT" -> {
                    why.add("No instance of %s is connected, for the %s of %s."
                            .formatted(branch.service(), kind, branch.operation()));
                    who = "the people of " + branch.service();
                }
                default -> {
                    if (branch.forward().deadline() != null && callback.state().equals("IDLE")) {
                        why.add("Nobody has said yet whether %s of %s ended."
                                .formatted(branch.operation(), branch.service()));
                        next = earlier(next, branch.forward().deadline());
                    }
                }
            }
            next = earlier(earlier(next, callback.answerBy()), callback.retryAt());
        }
        String then = next.map(at -> inTime("Alpha looks again", at, now, "or as soon as it hears of it"))
                .orElse("Alpha goes on at once.");
        return new Situation(why, then, who);
    }

    private static Situation suspended(SagaDetail saga, Instant now) {
        SuspensionDetail suspension = saga.suspension();
        if (suspension == null) return new Situation(List.of(saga.row().reason()), "Nothing.", "somebody");
        List<String> why = new ArrayList<>();
        if (!suspension.service().isEmpty()) why.add(decision(saga));
        String since = suspension.since() == null ? "" : " " + Words.ENGLISH.since(suspension.since(), now) + " ago";
        why.add("%s: alpha gave up%s%s. %s"
                .formatted(
                        suspension.reason(),
                        since,
                        suspension.attempts() == 0
                                ? ""
                                : " after " + Words.plural(suspension.attempts(), "failed attempt", "failed attempts"),
                        suspension.lastError()));
        return new Situation(
                why,
                "Nothing, until somebody orders it.",
                suspension.service().isEmpty() ? "an operator of alpha" : "the people of " + suspension.service());
    }

    private static Situation ended(SagaDetail saga) {
        List<String> why = new ArrayList<>();
        why.add(decision(saga));
        if (saga.row().manual()) why.add("A person took what was left as done by hand.");
        return new Situation(why, "Nothing: it is over.", "nobody");
    }

    private static String decision(SagaDetail saga) {
        SagaDetail.AbortDetail abort = saga.abort();
        if (abort == null) return "It committed: whatever was done stays done.";
        return "It was aborted (%s): %s"
                .formatted(abort.cause().toLowerCase(Locale.ROOT).replace('_', ' '), abort.text());
    }

    private static String kind(CallbackDetail callback) {
        return callback.kind() == null ? "callback" : callback.kind().toLowerCase(Locale.ROOT);
    }

    private static String inTime(String what, Instant at, Instant now, String unless) {
        return at.isAfter(now)
                ? "%s in %s, %s.".formatted(what, Words.ENGLISH.since(now, at), unless)
                : "%s now.".formatted(what);
    }

    private static Optional<Instant> earlier(Optional<Instant> one, @Nullable Instant other) {
        if (other == null) return one;
        return one.isPresent() && one.get().isBefore(other) ? one : Optional.of(other);
    }
}
