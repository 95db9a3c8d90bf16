package io.alphaomega.samples.bank.checker;

import static io.alphaomega.samples.bank.checker.Evidence.told;

import io.alphaomega.samples.bank.checker.History.Effect;
import io.alphaomega.samples.bank.checker.History.Kind;
import io.alphaomega.samples.bank.checker.History.SagaView;
import io.alphaomega.samples.bank.checker.History.Step;
import io.alphaomega.samples.bank.checker.History.Told;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Whether callers were told what is so. */
final class CallerRules {
    private static final Comparator<Step> BY_SERVICE =
            Comparator.comparing(Step::service).thenComparingLong(Step::amount);

    private CallerRules() {}

    static void check(Evidence evidence) {
        for (Told told : evidence.history.told()) {
            SagaView saga = told.saga() == null ? null : evidence.sagas.get(told.saga());
            if (told.answered() == null) {
                evidence.found(
                        Rule.TRUTH,
                        "Transfer %s in saga %s was asked for at %s and never answered.",
                        told.transfer(),
                        told.saga(),
                        told.asked());
                continue;
            }
            switch (told.answer()) {
                case COMMITTED -> committed(told, saga, evidence);
                case COMPENSATED -> undone(told, saga, evidence);
                case FAILED -> {
                    undone(told, saga, evidence);
                    excused(told, evidence);
                }
                case UNKNOWN -> excused(told, evidence);
            }
        }
    }

    private static void committed(Told told, @Nullable SagaView saga, Evidence evidence) {
        if (saga == null) {
            evidence.found(
                    Rule.TRUTH,
                    "The caller of transfer %s was told that saga %s is committed, which alpha does not know.",
                    told.transfer(),
                    told.saga());
            return;
        }
        if (!Evidence.isCommitted(saga) || Evidence.isAborted(saga)) {
            evidence.found(
                    Rule.TRUTH,
                    "The caller of transfer %s was told that saga %s is committed; %s.",
                    told.transfer(),
                    saga.id(),
                    told(saga));
        }
        List<Step> done = evidence.effects(saga.id()).stream()
                .filter(effect -> effect.kind() == Kind.FORWARD)
                .map(effect -> new Step(effect.service(), effect.amount()))
                .sorted(BY_SERVICE)
                .toList();
        if (!done.equals(told.steps().stream().sorted(BY_SERVICE).toList())) {
            evidence.found(
                    Rule.ATOMIC,
                    "The caller of transfer %s was told that saga %s is committed: expected %s, found %s.",
                    told.transfer(),
                    saga.id(),
                    told.steps(),
                    done);
        }
    }

    private static void undone(Told told, @Nullable SagaView saga, Evidence evidence) {
        if (saga != null && (Evidence.isCommitted(saga) || (Evidence.isOver(saga) && !Evidence.isAborted(saga)))) {
            evidence.found(
                    Rule.TRUTH,
                    "The caller of transfer %s was told that nothing of saga %s is left; %s.",
                    told.transfer(),
                    saga.id(),
                    told(saga));
        }
        List<Effect> left = saga == null ? evidence.effectsOf(told.transfer()) : evidence.effects(saga.id());
        long sum = left.stream()
                .mapToLong(effect -> effect.kind() == Kind.CONFIRMATION ? 0 : sign(effect))
                .sum();
        boolean mayStay = saga != null && saga.state().equals("SUSPENDED");
        if (sum != 0 && !mayStay) {
            evidence.found(
                    Rule.TRUTH,
                    "The caller of transfer %s was told that nothing is left of it, but there is %s.",
                    told.transfer(),
                    left);
        }
    }

    private static int sign(Effect effect) {
        return effect.kind() == Kind.FORWARD ? 1 : -1;
    }

    private static void excused(Told told, Evidence evidence) {
        Duration aftermath = evidence.history.terms().aftermath();
        if (told.answered() == null || evidence.isDisturbed(told.answered(), aftermath)) return;
        evidence.found(
                Rule.TRUTH,
                "The caller of transfer %s, asked for at %s in saga %s, was told %s at %s, but there was no fault for %s before.",
                told.transfer(),
                told.asked(),
                told.saga(),
                told.answer(),
                told.answered(),
                aftermath);
    }
}
