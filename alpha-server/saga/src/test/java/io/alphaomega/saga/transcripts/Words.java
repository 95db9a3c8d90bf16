package io.alphaomega.saga.transcripts;

import io.alphaomega.saga.Branch;
import io.alphaomega.saga.BranchCall;
import io.alphaomega.saga.BranchId;
import io.alphaomega.saga.CallbackKind;
import io.alphaomega.saga.CallbackOffer;
import io.alphaomega.saga.CallbackPolicy;
import io.alphaomega.saga.Evidence;
import io.alphaomega.saga.FailureCode;
import io.alphaomega.saga.Initiator;
import io.alphaomega.saga.Operator;
import io.alphaomega.saga.Outcome;
import io.alphaomega.saga.Parent;
import io.alphaomega.saga.Payload;
import io.alphaomega.saga.Policy;
import io.alphaomega.saga.Reply;
import io.alphaomega.saga.Restoration;
import io.alphaomega.saga.SagaEffect;
import io.alphaomega.saga.SagaEvent;
import io.alphaomega.saga.SagaId;
import io.alphaomega.saga.SagaInput;
import io.alphaomega.saga.SagaState;
import io.alphaomega.saga.Suspension;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/** Inputs from words, and events, effects and replies in words. */
final class Words {
    static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    /** The saga of the story is branch "trip" of saga "journey", if it is nested. */
    private static final Parent PARENT = new Parent(new SagaId("journey"), new BranchId("trip"));

    private Words() {}

    // ---- inputs

    static SagaInput input(List<String> words, SagaState state) {
        return switch (words.getFirst()) {
            case "with" -> carrying(words, state);
            case "begin" -> begin(words);
            case "begin-once" -> beginOnce(words);
            case "begin-nested" -> new SagaInput.BeginNested(nested(), policy(words));
            case "parent" ->
                new SagaInput.Decide(PARENT, "booking", "booking-1", "book", Outcome.valueOf(words.get(1)));
            case "end" -> new SagaInput.End(!words.contains("no-wait"));
            case "abort" -> new SagaInput.Abort(quoted(words));
            case "ask" -> new SagaInput.AskOutcome();
            case "branch" -> beginBranch(words);
            case "ended" -> new SagaInput.EndBranch(branch(words), payload(words), service(words, state));
            case "failed" ->
                new SagaInput.FailBranch(
                        branch(words), quoted(words), !words.contains("unknown"), service(words, state));
            case "ok" ->
                new SagaInput.SucceedCallback(branch(words), kind(state), attempt(words), service(words, state));
            case "nok" ->
                new SagaInput.FailCallback(
                        branch(words),
                        kind(state),
                        attempt(words),
                        code(words),
                        quoted(words),
                        service(words, state),
                        option(words, "build", ""));
            case "lost" -> new SagaInput.LoseCallback(branch(words), kind(state), attempt(words));
            case "busy" ->
                new SagaInput.DeferCallback(branch(words), kind(state), attempt(words), service(words, state));
            case "missing" -> new SagaInput.MissParticipant(branch(words), kind(state), attempt(words));
            case "no-other-build" -> new SagaInput.MissBuild(branch(words), kind(state), attempt(words));
            case "connected" ->
                new SagaInput.ConnectService(
                        words.get(1), Set.of(option(words, "builds", "1").split(",")));
            case "tick" -> new SagaInput.Tick();
            case "hold" -> new SagaInput.Hold(restoration(words));
            case "fence" -> new SagaInput.AnswerFence(branch(words), evidence(words), service(words, state));
            case "retry" -> new SagaInput.Retry(operator(words), sequence(words, state));
            case "skip" -> new SagaInput.Skip(operator(words), sequence(words, state), branch(words));
            case "resolve" ->
                new SagaInput.Resolve(operator(words), sequence(words, state), Outcome.valueOf(words.get(1)));
            case "operator-abort" -> new SagaInput.AbortByOperator(operator(words), sequence(words, state));
            default -> throw new IllegalArgumentException("no such input: " + words);
        };
    }

    /** {@code with [begin …] [ended=a,b] then INPUT} */
    private static SagaInput carrying(List<String> words, SagaState state) {
        int then = words.indexOf("then");
        List<String> carried = words.subList(1, then);
        List<BranchId> ended = Stream.of(option(carried, "ended", "").split(","))
                .filter(id -> !id.isEmpty())
                .map(BranchId::new)
                .toList();
        return new SagaInput.Carrying(
                carried.contains("begin") ? Optional.of(begin(carried)) : Optional.empty(),
                ended,
                input(words.subList(then + 1, words.size()), state));
    }

    private static SagaInput.Begin begin(List<String> words) {
        return new SagaInput.Begin(
                new Initiator("booking", "booking-1", "book", option(words, "key", ""), Map.of()), policy(words));
    }

    /** {@code begin-once START} */
    private static SagaInput beginOnce(List<String> words) {
        Initiator initiator =
                new Initiator("booking", "booking-1", "book", option(words, "key", ""), Map.of(), words.get(1));
        return new SagaInput.BeginOnce(initiator, policy(words));
    }

    private static Initiator nested() {
        return new Initiator("booking", "booking-1", "book", "", Map.of(), "", Optional.of(PARENT));
    }

    private static Policy policy(List<String> words) {
        return new Policy(
                duration(option(words, "timeout", "60s")),
                duration(option(words, "branch-timeout", "30s")),
                words.contains("parallel") ? Policy.Order.PARALLEL : Policy.Order.SEQUENTIAL,
                callbacks(words));
    }

    private static CallbackPolicy callbacks(List<String> words) {
        return new CallbackPolicy(
                Integer.parseInt(option(words, "attempts", "3")),
                duration(option(words, "within", "600s")),
                duration(option(words, "delay", "2s")),
                duration(option(words, "max-delay", "16s")),
                duration(option(words, "answer", "5s")));
    }

    private static SagaInput beginBranch(List<String> words) {
        String name = words.get(1);
        Optional<CallbackPolicy> own =
                words.toString().contains("attempts=") ? Optional.of(callbacks(words)) : Optional.empty();
        Optional<CallbackOffer> cancel = words.contains("uncompensated")
                ? Optional.empty()
                : Optional.of(new CallbackOffer(name + ".cancel", own));
        Optional<CallbackOffer> confirm =
                words.contains("confirmed") ? Optional.of(new CallbackOffer(name + ".confirm", own)) : Optional.empty();
        return new SagaInput.BeginBranch(
                new BranchCall(
                        new BranchId(name),
                        Optional.of(option(words, "parent", ""))
                                .filter(p -> !p.isEmpty())
                                .map(BranchId::new),
                        option(words, "service", name),
                        option(words, "service", name) + "-" + option(words, "instance", "1"),
                        option(words, "build", ""),
                        option(words, "operation", "book"),
                        cancel,
                        confirm,
                        !words.contains("unfenced"),
                        "",
                        words.contains("travels"),
                        payload(words),
                        "",
                        Optional.of(option(words, "nested", ""))
                                .filter(n -> !n.isEmpty())
                                .map(SagaId::new)),
                Optional.of(option(words, "timeout", ""))
                        .filter(t -> !t.isEmpty())
                        .map(Words::duration));
    }

    private static BranchId branch(List<String> words) {
        return new BranchId(words.get(1));
    }

    /** The branch's own, unless it is said otherwise. */
    private static String service(List<String> words, SagaState state) {
        String own = state instanceof SagaState.Known known
                ? known.saga().branch(branch(words)).map(Branch::service).orElse("")
                : "";
        return option(words, "service", own);
    }

    private static Payload payload(List<String> words) {
        byte[] bytes = new byte[Integer.parseInt(option(words, "payload", "0"))];
        Arrays.fill(bytes, Byte.parseByte(option(words, "of", "0")));
        return new Payload(bytes);
    }

    private static int attempt(List<String> words) {
        return Integer.parseInt(words.get(2).substring(1));
    }

    private static FailureCode code(List<String> words) {
        return words.get(3).startsWith("\"") ? FailureCode.THREW : FailureCode.valueOf(words.get(3));
    }

    private static CallbackKind kind(SagaState state) {
        return state instanceof SagaState.Known known && known.abort().isPresent()
                ? CallbackKind.COMPENSATION
                : CallbackKind.CONFIRMATION;
    }

    /** {@code hold +SECONDS "why"}: the store was set back before that time, at which it was found out as well. */
    private static Restoration restoration(List<String> words) {
        Instant found = START.plus(duration(words.get(1).substring(1)));
        return new Restoration(found, found, quoted(words));
    }

    /** {@code fence BRANCH FINDING [at=+SECONDS] ["why"]} */
    private static Evidence evidence(List<String> words) {
        String at = option(words, "at", "");
        boolean said = words.getLast().startsWith("\"");
        return new Evidence(
                Evidence.Finding.valueOf(words.get(2)),
                at.isEmpty() ? Optional.empty() : Optional.of(START.plus(duration(at.substring(1)))),
                said ? quoted(words) : "");
    }

    private static Operator operator(List<String> words) {
        return new Operator(option(words, "by", "ann"), quoted(words));
    }

    private static long sequence(List<String> words, SagaState state) {
        return Long.parseLong(option(words, "seen", Long.toString(state.sequence())));
    }

    private static String option(List<String> words, String name, String otherwise) {
        return words.stream()
                .filter(w -> w.startsWith(name + "="))
                .map(w -> w.substring(name.length() + 1))
                .findFirst()
                .orElse(otherwise);
    }

    private static String quoted(List<String> words) {
        return words.stream()
                .filter(w -> w.startsWith("\""))
                .map(w -> w.substring(1, w.length() - 1))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("a text in quotes is missing: " + words));
    }

    static Duration duration(String text) {
        return Duration.parse("PT" + text.toUpperCase(Locale.ROOT));
    }

    // ---- what happens

    static String of(SagaEvent event) {
        return switch (event) {
            case SagaEvent.Begun e ->
                "Begun deadline " + time(e.at().plus(e.policy().timeout())) + (e.provisional() ? " provisional" : "")
                        + e.initiator()
                                .parent()
                                .map(p -> " in branch %s of %s".formatted(p.branch(), p.saga()))
                                .orElse("");
            case SagaEvent.BeginCaughtUp e ->
                "BeginCaughtUp timeout " + e.policy().timeout().toSeconds() + "s";
            case SagaEvent.BranchBegan e ->
                "BranchBegan %s until %s".formatted(e.branch(), time(e.deadline()))
                        + e.nested().map(n -> ", which is saga " + n).orElse("");
            case SagaEvent.BranchEnded e -> "BranchEnded " + e.branch();
            case SagaEvent.BranchFailed e ->
                "BranchFailed %s \"%s\"%s".formatted(e.branch(), e.cause(), e.rolledBack() ? "" : " end unknown");
            case SagaEvent.CommitRequested e -> "CommitRequested";
            case SagaEvent.Prepared e -> "Prepared";
            case SagaEvent.Committed e -> "Committed";
            case SagaEvent.Aborted e ->
                "Aborted %s \"%s\"".formatted(e.abort().cause(), e.abort().text());
            case SagaEvent.CallbackRequested e ->
                "CallbackRequested %s %s #%d answer by %s%s"
                        .formatted(
                                e.branch(),
                                kind(e.kind()),
                                e.attempt(),
                                time(e.answerBy()),
                                e.forwardEnded() ? "" : ", end not seen");
            case SagaEvent.CallbackSucceeded e ->
                "CallbackSucceeded %s %s #%d".formatted(e.branch(), kind(e.kind()), e.attempt());
            case SagaEvent.CallbackFailed e ->
                "CallbackFailed %s %s #%d %s \"%s\", %s"
                        .formatted(
                                e.branch(),
                                kind(e.kind()),
                                e.attempt(),
                                e.code(),
                                e.error(),
                                e.retryAt().map(at -> "again at " + time(at)).orElse("gave up"));
            case SagaEvent.CallbackLost e ->
                "CallbackLost %s %s #%d".formatted(e.branch(), kind(e.kind()), e.attempt());
            case SagaEvent.CallbackDeferred e ->
                e.unable()
                        .map(by -> "CallbackDeferred %s %s #%d, build %s cannot, %s \"%s\""
                                .formatted(e.branch(), kind(e.kind()), e.attempt(), by.build(), by.code(), by.error()))
                        .orElseGet(() -> "CallbackDeferred %s %s #%d, again at %s"
                                .formatted(e.branch(), kind(e.kind()), e.attempt(), time(e.retryAt())));
            case SagaEvent.ParticipantMissed e ->
                "ParticipantMissed %s %s #%d, again at %s"
                        .formatted(e.branch(), kind(e.kind()), e.attempt(), time(e.retryAt()));
            case SagaEvent.Suspended e -> "Suspended " + of(e.suspension());
            case SagaEvent.Resumed e ->
                "Resumed" + e.operator().map(o -> " by " + o.who()).orElse("");
            case SagaEvent.Held e -> "Held \"%s\"".formatted(e.why());
            case SagaEvent.FenceAnswered e -> "FenceAnswered %s %s".formatted(e.branch(), of(e.evidence()));
            case SagaEvent.BranchSkipped e ->
                "BranchSkipped %s by %s".formatted(e.branch(), e.operator().who());
            case SagaEvent.Ended e ->
                "Ended " + e.outcome() + e.operator().map(o -> " by " + o.who()).orElse("");
        };
    }

    static String of(SagaEffect effect) {
        return switch (effect) {
            case SagaEffect.Call c ->
                "Call %s of %s, %s #%d%s"
                                .formatted(
                                        c.name(),
                                        c.instance(),
                                        kind(c.kind()),
                                        c.attempt(),
                                        c.forwardEnded() ? "" : ", end not seen")
                        + (c.build().isEmpty() ? "" : ", of build " + c.build())
                        + (c.unable().isEmpty()
                                ? ""
                                : ", but not of " + String.join(" or ", new TreeSet<>(c.unable())));
            case SagaEffect.Decide d ->
                "Decide %s: %s, #%d".formatted(d.saga(), d.decision().outcome(), d.attempt());
            case SagaEffect.AskFence f ->
                "AskFence of %s about %s, by %s".formatted(f.service(), f.branch(), f.callback());
            case SagaEffect.Alert a -> "Alert " + of(a.suspension());
        };
    }

    private static String of(Evidence evidence) {
        return evidence.finding()
                + evidence.at().map(at -> " at " + time(at)).orElse("")
                + (evidence.text().isEmpty() ? "" : " \"" + evidence.text() + "\"");
    }

    static String of(Reply reply) {
        return switch (reply) {
            case Reply.Accepted r -> "Accepted";
            case Reply.Committed r -> "Committed";
            case Reply.Pending r -> "Pending";
            case Reply.Aborted r -> "Aborted " + r.abort().cause();
            case Reply.NotNow r -> "NotNow \"%s\"".formatted(r.text());
            case Reply.Rejected r -> "Rejected %s \"%s\"".formatted(r.reason(), r.text());
        };
    }

    private static String of(Suspension suspension) {
        return "%s %s after %d attempts \"%s\""
                .formatted(suspension.reason(), suspension.branch(), suspension.attempts(), suspension.lastError());
    }

    private static String kind(CallbackKind kind) {
        return kind.name().toLowerCase(Locale.ROOT);
    }

    /** Seconds since the story began. */
    static String time(Instant at) {
        return "+" + Duration.between(START, at).toMillis() / 1000.0 + "s";
    }
}
