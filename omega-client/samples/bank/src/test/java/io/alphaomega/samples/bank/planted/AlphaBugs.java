package io.alphaomega.samples.bank.planted;

import io.alphaomega.samples.bank.checker.Rule;
import io.alphaomega.samples.bank.planted.PlantedBug.Change;
import io.alphaomega.samples.bank.planted.PlantedBug.Edit;
import io.alphaomega.samples.bank.planted.PlantedBug.Trouble;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Bugs of the coordinator. */
final class AlphaBugs {
    private static final String RULES = "alpha-server/saga/src/main/java/io/alphaomega/saga/";
    private static final String SHELL = "alpha-server/app/src/main/java/io/alphaomega/server/";
    private static final String REDIS =
            "alpha-server/repository-redis/src/main/resources/io/alphaomega/repository/redis/";

    private AlphaBugs() {}

    static List<PlantedBug> all() {
        List<PlantedBug> all = new ArrayList<>(ofOwners());
        all.addAll(ofDecisions());
        all.addAll(ofCallbacks());
        all.addAll(ofTime());
        return all;
    }

    private static List<PlantedBug> ofOwners() {
        return List.of(
                bug(
                        "alpha acknowledges before the append is stored",
                        Trouble.POWER_CUT,
                        Set.of(Rule.ACKED),
                        change(
                                SHELL + "saga/SagaActor.java",
                                "shared.journal().append(saga.version(), batch.events(), (SagaState.Known) batch.after(), append);",
                                "pending.answer(batch);\n        shared.journal().append(saga.version(), batch.events(), (SagaState.Known) batch.after(), append);")),
                bug(
                        "what is owed is made to happen before the append is stored",
                        Trouble.POWER_CUT,
                        Set.of(Rule.ORDER),
                        change(
                                SHELL + "saga/SagaActor.java",
                                "phase = append;",
                                "phase = append;\n        outstanding.perform(batch.after());")),
                bug(
                        "an append that another owner forestalled counts as stored",
                        Trouble.RIVALS,
                        Set.of(Rule.ACKED),
                        change(
                                SHELL + "saga/SagaActor.java",
                                "        return again(batch);\n    }\n\n    private Behavior<SagaCommand> notStored",
                                "        return stored(batch, actual);\n    }\n\n    private Behavior<SagaCommand> notStored")),
                bug(
                        "an append that another owner forestalled is made again behind what is there",
                        Trouble.RIVALS,
                        Set.of(Rule.ORDER, Rule.DECISION),
                        change(
                                SHELL + "saga/SagaActor.java",
                                "        return again(batch);\n    }\n\n    private Behavior<SagaCommand> notStored",
                                "        saga.become(saga.state(), actual);\n        return saving(batch);\n    }\n\n    private Behavior<SagaCommand> notStored")),
                bug(
                        "the store takes what a stale owner appends",
                        Trouble.RIVALS,
                        Set.of(Rule.ENDED, Rule.ORDER, Rule.DECISION),
                        change(REDIS + "append.lua", "if actual ~= ARGV[3 * i - 2] or type", "if type")));
    }

    private static List<PlantedBug> ofDecisions() {
        return List.of(
                bug(
                        "a saga is committed while a branch has failed",
                        Trouble.NONE,
                        Set.of(Rule.ATOMIC),
                        change(
                                RULES + "Obligations.java",
                                "case Forward.Failed failed -> {\n                    return aborted(Abort.Cause.BRANCH_FAILED, branch, \"failed: \" + failed.cause(), now);\n                }",
                                "case Forward.Failed failed -> {}")),
                bug(
                        "whoever ends an aborted saga is told that it is committed",
                        Trouble.NONE,
                        Set.of(Rule.TRUTH),
                        change(
                                RULES + "SagaRules.java",
                                "case Compensating compensating -> new Reply.Aborted(compensating.decision());",
                                "case Compensating compensating -> new Reply.Committed();")),
                bug(
                        "a repeated begin of a branch is a new branch",
                        Trouble.NONE,
                        Set.of(Rule.ORDER),
                        change(
                                RULES + "SagaRules.java",
                                "if (known.isPresent())\n            return known.get().isRepeatedBy(begin) ? null : InputRefusals.conflict(state, known.get(), begin);",
                                "if (known.isPresent() && !known.get().isRepeatedBy(begin)) return InputRefusals.conflict(state, known.get(), begin);")));
    }

    private static List<PlantedBug> ofCallbacks() {
        return List.of(
                bug(
                        "what finished first is undone first",
                        Trouble.NONE,
                        Set.of(Rule.ORDER),
                        change(
                                RULES + "Branches.java",
                                "case COMPENSATION -> order(one) > order(other);",
                                "case COMPENSATION -> order(one) < order(other);")),
                bug(
                        "a compensation that was given up counts as done",
                        Trouble.NONE,
                        Set.of(Rule.ATOMIC),
                        change(
                                RULES + "CallbackProgress.java",
                                ".orElseGet(() -> new Progress.GaveUp(spent, failed.code(), failed.error()));",
                                ".orElseGet(() -> new Progress.Done(effort.kind(), effort.attempt()));")),
                bug(
                        "an aborted saga is confirmed",
                        Trouble.NONE,
                        Set.of(Rule.CONFIRMATION),
                        change(
                                RULES + "Obligations.java",
                                "return decided.abort().isPresent() ? CallbackKind.COMPENSATION : CallbackKind.CONFIRMATION;",
                                "return decided.saga().branches().stream().allMatch(b -> b.confirmation().isEmpty())\n                ? CallbackKind.COMPENSATION : CallbackKind.CONFIRMATION;")),
                bug(
                        "the result of a callback counts for the one that was sent last",
                        Trouble.NONE,
                        Set.of(Rule.ATOMIC, Rule.TRUTH),
                        change(
                                SHELL + "stream/Conversation.java",
                                "private boolean looking;",
                                "private boolean looking;\n    private Callback latest = Callback.getDefaultInstance();",
                                "if (outbox.callback(callback)) {",
                                "latest = callback;\n        if (outbox.callback(callback)) {",
                                "SagaId saga = new SagaId(result.getSaga());",
                                "result = result.toBuilder().setSaga(latest.getSaga()).setBranch(latest.getBranch()).setKind(latest.getKind()).setAttempt(latest.getAttempt()).build();\n            SagaId saga = new SagaId(result.getSaga());")),
                bug(
                        "callbacks go to whoever is connected, of whatever service",
                        Trouble.NONE,
                        Set.of(Rule.CROSS_TALK),
                        change(
                                SHELL + "stream/CallbackRouter.java",
                                "participants.computeIfAbsent(service, this::meet)",
                                "participants.computeIfAbsent(\"service\", this::meet)"),
                        change(
                                SHELL + "stream/Participant.java",
                                "if (own != null && first) return own;\n        if (same.isEmpty() && first && hasOpenOfItsBuild(call)) return null;\n        List<Seat> among = same.isEmpty() || call.attempt() % ANY_BUILD_EACH == 0 ? able : same;",
                                "List<Seat> among = able;")));
    }

    private static List<PlantedBug> ofTime() {
        return List.of(
                bug(
                        "the deadline of a saga passes unnoticed",
                        Trouble.NONE,
                        Set.of(Rule.ENDED, Rule.DEADLINE),
                        change(
                                RULES + "Obligations.java",
                                "if (isDue(saga.deadline(), now)) {",
                                "if (isDue(Instant.MAX, now)) {")),
                bug(
                        "the scan for due sagas leaves out the first one of each page",
                        Trouble.KILL,
                        Set.of(Rule.ENDED, Rule.DEADLINE),
                        change(
                                SHELL + "sweep/Sweep.java",
                                "for (SagaId saga : page.items()) task.sagas()",
                                "for (SagaId saga : page.items().stream().skip(1).toList()) task.sagas()")));
    }

    static PlantedBug bug(String name, Trouble trouble, Set<Rule> rules, Change... changes) {
        return new PlantedBug(name, trouble, rules, List.of(changes));
    }

    /** @param words found, instead, found, instead … */
    static Change change(String file, String... words) {
        List<Edit> edits = new ArrayList<>();
        for (int i = 0; i < words.length; i += 2) edits.add(new Edit(words[i], words[i + 1]));
        return new Change(file, edits);
    }
}
