package io.alphaomega.samples.bank.checker;

import static io.alphaomega.samples.bank.checker.Evidence.count;
import static io.alphaomega.samples.bank.checker.Evidence.told;

import io.alphaomega.samples.bank.checker.History.BranchView;
import io.alphaomega.samples.bank.checker.History.Effect;
import io.alphaomega.samples.bank.checker.History.Kind;
import io.alphaomega.samples.bank.checker.History.SagaView;
import java.util.List;
import java.util.Map;

/** What the rows of business say of a saga: all or none, once, undone only what was done. */
final class EffectRules {
    private EffectRules() {}

    static void check(SagaView saga, Evidence evidence) {
        Map<String, List<Effect>> branches = evidence.byBranch(saga.id());
        branches.forEach((branch, effects) -> branch(saga, branch, effects, evidence));
        if (saga.state().equals("COMMITTED")) committed(saga, branches, evidence);
        if (saga.state().equals("COMPENSATED")) compensated(saga, branches, evidence);
    }

    private static void branch(SagaView saga, String branch, List<Effect> effects, Evidence evidence) {
        for (Kind kind : Kind.values()) {
            if (count(effects, kind) > 1) {
                evidence.found(
                        Rule.ONCE,
                        "Branch %s of saga %s took effect %d times as %s: %s.",
                        branch,
                        saga.id(),
                        count(effects, kind),
                        kind,
                        effects);
            }
        }
        if (effects.getFirst().kind() != Kind.FORWARD) {
            boolean confirmed = effects.getFirst().kind() == Kind.CONFIRMATION;
            evidence.found(
                    confirmed ? Rule.CONFIRMATION : Rule.COMPENSATION,
                    "Branch %s of saga %s was %s before it was done, or without: %s.",
                    branch,
                    saga.id(),
                    confirmed ? "confirmed" : "compensated",
                    effects);
        }
        if (count(effects, Kind.COMPENSATION) > 0 && !Evidence.isAborted(saga)) {
            evidence.found(
                    Rule.COMPENSATION,
                    "Branch %s of saga %s was compensated, but nobody aborted the saga; %s.",
                    branch,
                    saga.id(),
                    told(saga));
        }
        if (count(effects, Kind.CONFIRMATION) > 0 && !Evidence.isCommitted(saga)) {
            evidence.found(
                    Rule.CONFIRMATION,
                    "Branch %s of saga %s was confirmed, but nobody committed the saga; %s.",
                    branch,
                    saga.id(),
                    told(saga));
        }
    }

    private static void committed(SagaView saga, Map<String, List<Effect>> branches, Evidence evidence) {
        for (BranchView branch : saga.branches()) {
            List<Effect> effects = branches.getOrDefault(branch.id(), List.of());
            boolean confirmed = !branch.confirmation() || count(effects, Kind.CONFIRMATION) > 0;
            if (!Evidence.isLeft(effects) || !confirmed) {
                evidence.found(
                        Rule.ATOMIC,
                        "Saga %s is committed, but of branch %s in %s there is %s; %s.",
                        saga.id(),
                        branch.id(),
                        branch.service(),
                        effects.isEmpty() ? "nothing" : effects,
                        told(saga));
            }
        }
    }

    private static void compensated(SagaView saga, Map<String, List<Effect>> branches, Evidence evidence) {
        branches.forEach((id, effects) -> {
            boolean mustGo =
                    Evidence.branch(saga, id).map(BranchView::compensation).orElse(true);
            long sum = effects.stream()
                    .filter(effect -> effect.kind() != Kind.CONFIRMATION)
                    .mapToLong(Effect::amount)
                    .sum();
            if (mustGo && (Evidence.isLeft(effects) || sum != 0)) {
                evidence.found(
                        Rule.ATOMIC,
                        "Saga %s is compensated, but branch %s is left with %d: %s; %s.",
                        saga.id(),
                        id,
                        sum,
                        effects,
                        told(saga));
            }
        });
    }
}
