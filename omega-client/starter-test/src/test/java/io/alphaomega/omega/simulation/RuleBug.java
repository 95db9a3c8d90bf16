package io.alphaomega.omega.simulation;

import java.util.List;

/**
 * A mistake that somebody could well have made in omega's rules, as a change of their source.
 *
 * @param name what goes wrong, as a sentence
 * @param file of io.alphaomega.omega.rules, without its ending
 * @param found occurs there exactly once
 * @param instead what the mistaken author would have written
 */
record RuleBug(String name, String file, String found, String instead) {
    static List<RuleBug> all() {
        return List.of(
                new RuleBug(
                        "what throws outside of transactions has done nothing",
                        "BranchState",
                        "case NO_TRANSACTION -> terms.cleanOnException();",
                        "case NO_TRANSACTION -> true;"),
                new RuleBug(
                        "what throws when it is committed has done nothing",
                        "BranchState",
                        "case DONE, OPEN, COMMITTED, UNKNOWN -> false;\n        };\n    }\n\n    /** Whether nothing",
                        "case DONE, OPEN, COMMITTED, UNKNOWN -> true;\n        };\n    }\n\n    /** Whether nothing"),
                new RuleBug(
                        "a try of unknown outcome is followed by another without a fence",
                        "BranchState",
                        "case UNKNOWN -> fenced;",
                        "case UNKNOWN -> true;"),
                new RuleBug(
                        "what is done is tried again",
                        "BranchState",
                        "case DONE, OPEN, COMMITTED -> false;",
                        "case DONE, COMMITTED -> true; case OPEN -> false;"),
                new RuleBug(
                        "what is cancelled is always clean",
                        "BranchRules",
                        "case CANCELLED -> over.isUndone();",
                        "case CANCELLED -> true;"),
                new RuleBug(
                        "a future is clean if its caller's transaction is rolled back",
                        "BranchRules",
                        "case ROLLED_BACK -> over.terms().inside();",
                        "case ROLLED_BACK -> true;"),
                new RuleBug(
                        "a try forgets what the one before has left",
                        "BranchRules",
                        "boolean clean = state.clean() && (state.fenced() || state.leftNothing());",
                        "boolean clean = true;"),
                new RuleBug(
                        "what the tries before have left is not looked at in the end",
                        "BranchRules",
                        "return over.clean()\n                && switch (over.cause()) {",
                        "return switch (over.cause()) {"),
                new RuleBug(
                        "a failure is clean although another run was done",
                        "BranchRules",
                        "return clean && over.fenced()\n",
                        "return false\n"),
                new RuleBug(
                        "what the fence says of other runs is not heard",
                        "BranchRules",
                        "input == BranchInput.BARRED && !state.terms().compensateOnException();",
                        "!state.terms().compensateOnException();"),
                new RuleBug(
                        "what was rolled back has done nothing elsewhere",
                        "BranchRules",
                        "input == BranchInput.BARRED && !state.terms().compensateOnException();",
                        "input == BranchInput.BARRED;"),
                new RuleBug(
                        "that it begins is not noted",
                        "BranchRules",
                        "boolean noted = state.fenced() && state.terms().compensateOnException();",
                        "boolean noted = false;"),
                new RuleBug(
                        "what was given up runs all the same",
                        "BranchRules",
                        "state.cause() == Cause.NONE ? stay(state) : step(state, Act.STOP);",
                        "stay(state);"),
                new RuleBug(
                        "a former try runs beside the next one",
                        "BranchRules",
                        "return begins ? step(state, Act.STOP) : stay(state);",
                        "return stay(state);"),
                new RuleBug(
                        "a try that has thrown runs before the next one",
                        "BranchRules",
                        "state.phase() == Phase.PAUSING ? step(state, Act.STOP) : stay(local(state, input));",
                        "stay(local(state, input));"),
                new RuleBug(
                        "the end is reported before its caller's transaction has ended",
                        "BranchRules",
                        "if (!done.hasEnded()) return",
                        "if (done.tries() < 0) return"),
                new RuleBug(
                        "a transaction that is rolled back without an exception has ended the branch",
                        "BranchRules",
                        "if (cause == Cause.NONE && state.local() == Local.ROLLED_BACK) cause = Cause.ROLLED_BACK;",
                        ""),
                new RuleBug(
                        "one that is cancelled when it is done is left in the saga",
                        "BranchRules",
                        "state.unclaimed() ? step(state.claimed(true), Act.ABORT_SAGA) : stay(state);",
                        "stay(state);"),
                new RuleBug(
                        "a question is withdrawn, and its answer lets the business run",
                        "BranchRules",
                        "case LET_IN, UNAVAILABLE, WITHDRAWN -> {",
                        "case LET_IN -> step(state.in(Phase.PAUSING), new BranchEffect.TryAfter(0)); case UNAVAILABLE, WITHDRAWN -> {"),
                new RuleBug(
                        "what comes after the commit runs",
                        "BranchRules",
                        "case NOT_FOUND, THREW, THREW_FOR_GOOD -> notBegun(state, Act.TELL_THROWN);",
                        "case THREW, THREW_FOR_GOOD -> notBegun(state, Act.TELL_THROWN); case NOT_FOUND -> step(state.in(Phase.PAUSING), new BranchEffect.TryAfter(0));"));
    }
}
