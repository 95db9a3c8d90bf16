package io.alphaomega.benchmark.load;

import io.alphaomega.benchmark.load.AlphaApi.BranchFacts;
import io.alphaomega.benchmark.load.AlphaApi.SagaFacts;
import io.alphaomega.benchmark.load.AlphaApi.State;
import io.alphaomega.benchmark.load.SagaOutcomes.Outcome;
import io.alphaomega.benchmark.measure.OutcomeCounts;
import io.alphaomega.benchmark.measure.Verification;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Compares what a generator wrote in its books with what alpha says and with what participants saw. Does no I/O. */
final class SagaAudit {
    /** What is wrong with the first twenty is wrong with the rest. */
    private static final int SENTENCES_MAX = 20;

    private final List<String> checked = new ArrayList<>();
    private final List<String> mismatches = new ArrayList<>();
    private int further;

    Verification verification() {
        List<String> all = new ArrayList<>(mismatches);
        if (further > 0) all.add("%d further mismatches of the kind.".formatted(further));
        return new Verification(checked, all);
    }

    void checked(String sentence) {
        checked.add(sentence);
    }

    void mismatch(String sentence) {
        if (mismatches.size() < SENTENCES_MAX) mismatches.add(sentence);
        else further++;
    }

    // ---- the books themselves

    /** @param keptOpen of all, those that are open on purpose */
    void books(OutcomeCounts all, long keptOpen) {
        long accounted = all.settled() + keptOpen;
        if (all.started() != accounted) {
            mismatch(
                    "%,d sagas were started, but %,d are accounted for: %,d committed, %,d compensated, %,d suspended, %,d unknown."
                            .formatted(
                                    all.started(),
                                    accounted,
                                    all.committed(),
                                    all.compensated(),
                                    all.suspended(),
                                    all.unknown()));
        } else {
            checked("Of %,d started sagas each is committed, compensated, suspended or unknown."
                    .formatted(all.started()));
        }
        if (all.unknown() > 0) {
            mismatch("%,d sagas have an outcome that was not known in time.".formatted(all.unknown()));
        }
    }

    // ---- what participants saw

    void seen(Witness.Seen seen) {
        seen.sentences().forEach(this::mismatch);
        further += (int) Math.max(0, seen.violations() - seen.sentences().size());
        if (seen.violations() == 0) {
            checked("Participants saw %,d compensations, %,d confirmations and %,d repeats, each where it belongs."
                    .formatted(seen.compensations(), seen.confirmations(), seen.repeats()));
        }
    }

    // ---- alpha's counts

    /** Whether somebody else's sagas were under way, so that counts tell nothing. */
    static boolean isShared(Map<State, Long> before) {
        return underWay(before) > 0;
    }

    /** Whether what came to alpha since {@code before} is what the books say; those whose fate is unknown may be anything. */
    static boolean agree(Map<State, Long> before, Map<State, Long> after, OutcomeCounts all, long keptOpen) {
        return differences(before, after, all, keptOpen).isEmpty();
    }

    void counts(Map<State, Long> before, Map<State, Long> after, OutcomeCounts all, long keptOpen) {
        if (isShared(before)) {
            checked("Alpha's counts were not compared: %,d sagas of others were under way."
                    .formatted(underWay(before)));
            return;
        }
        List<String> differences = differences(before, after, all, keptOpen);
        differences.forEach(this::mismatch);
        if (differences.isEmpty()) checked("Alpha counts as many sagas of each state.");
    }

    private static List<String> differences(
            Map<State, Long> before, Map<State, Long> after, OutcomeCounts all, long keptOpen) {
        List<String> found = new ArrayList<>();
        differ(found, "committed", more(before, after, State.COMMITTED), all.committed(), all.unknown());
        differ(found, "compensated", more(before, after, State.COMPENSATED), all.compensated(), all.unknown());
        differ(found, "suspended", more(before, after, State.SUSPENDED), all.suspended(), all.unknown());
        differ(found, "unfinished", underWay(after) - underWay(before), keptOpen, all.unknown());
        return found;
    }

    private static void differ(List<String> found, String what, long alpha, long books, long unknown) {
        if (alpha >= books && alpha <= books + unknown) return;
        found.add("Alpha has %,d %s sagas more than before, but the books have %,d%s."
                .formatted(alpha, what, books, unknown == 0 ? "" : ", and %,d unknown ones".formatted(unknown)));
    }

    private static long more(Map<State, Long> before, Map<State, Long> after, State state) {
        return after.getOrDefault(state, 0L) - before.getOrDefault(state, 0L);
    }

    private static long underWay(Map<State, Long> counts) {
        return counts.getOrDefault(State.ACTIVE, 0L)
                + counts.getOrDefault(State.CONFIRMING, 0L)
                + counts.getOrDefault(State.COMPENSATING, 0L);
    }

    // ---- single sagas

    /**
     * One saga in the books.
     *
     * @param ended the ids of the branches that ended, as planned; empty if it went otherwise than planned
     */
    record Entry(String id, Outcome outcome, boolean tcc, Optional<List<String>> ended) {}

    /** Whether alpha says the same of the saga. */
    static boolean agrees(Entry entry, Optional<SagaFacts> facts) {
        return disagreement(entry, facts).isEmpty();
    }

    void saga(Entry entry, Optional<SagaFacts> facts) {
        disagreement(entry, facts).ifPresent(this::mismatch);
    }

    private static Optional<String> disagreement(Entry entry, Optional<SagaFacts> facts) {
        if (facts.isEmpty()) {
            return Optional.of(
                    "Saga %s is %s in the books, but alpha does not know it.".formatted(entry.id, entry.outcome));
        }
        SagaFacts found = facts.get();
        State expected =
                switch (entry.outcome) {
                    case COMMITTED -> State.COMMITTED;
                    case COMPENSATED -> State.COMPENSATED;
                    case SUSPENDED -> State.SUSPENDED;
                    case KEPT_OPEN -> State.ACTIVE;
                    case NEVER_BEGUN, LIVE, UNKNOWN, REFUSED -> found.state();
                };
        if (found.state() != expected) {
            return Optional.of(
                    "Saga %s is %s in the books, but alpha says %s.".formatted(entry.id, entry.outcome, found.state()));
        }
        return callbacks(entry, found);
    }

    private static Optional<String> callbacks(Entry entry, SagaFacts found) {
        String wanted =
                switch (found.state()) {
                    case COMMITTED -> entry.tcc ? "CONFIRMATION DONE" : "";
                    case COMPENSATED -> "COMPENSATION DONE";
                    case ACTIVE, CONFIRMING, COMPENSATING, SUSPENDED -> null;
                };
        if (wanted == null) return Optional.empty();
        for (Map.Entry<String, BranchFacts> branch : found.branches().entrySet()) {
            BranchFacts facts = branch.getValue();
            boolean due = facts.forward().equals("ENDED");
            if (due
                    ? !facts.callback().equals(wanted)
                    : wanted.isEmpty() && !facts.callback().isEmpty()) {
                return Optional.of("Branch %s of %s saga %s should have '%s', but alpha says '%s'."
                        .formatted(branch.getKey(), found.state(), entry.id, wanted, facts.callback()));
            }
        }
        for (String id : entry.ended.orElse(List.of())) {
            BranchFacts facts = found.branches().get(id);
            if (facts == null || !facts.forward().equals("ENDED")) {
                return Optional.of("Branch %s of saga %s has ended, but alpha says %s."
                        .formatted(id, entry.id, facts == null ? "that there is none" : facts.forward()));
            }
        }
        return Optional.empty();
    }
}
