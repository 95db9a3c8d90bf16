package io.alphaomega.samples.bank.checker;

import io.alphaomega.samples.bank.checker.History.Balance;
import io.alphaomega.samples.bank.checker.History.BranchView;
import io.alphaomega.samples.bank.checker.History.Effect;
import io.alphaomega.samples.bank.checker.History.FenceRow;
import io.alphaomega.samples.bank.checker.History.Kind;
import io.alphaomega.samples.bank.checker.History.Listed;
import io.alphaomega.samples.bank.checker.History.SagaView;
import io.alphaomega.samples.bank.checker.History.Told;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** That sagas and services keep to themselves, and that all of it adds up. */
final class BoundaryRules {
    private BoundaryRules() {}

    static void check(Evidence evidence) {
        evidence.history.effects().forEach(effect -> atHome(effect, evidence));
        oneSagaPerBranch(evidence);
        oneTransferPerSaga(evidence);
        fenced(evidence);
        listed(evidence);
        evidence.acksOfStrangers()
                .forEach(ack -> evidence.found(Rule.ACKED, "Alpha acknowledged %s, but knows no such saga.", ack));
        evidence.history.balances().forEach(balance -> balanced(balance, evidence));
    }

    private static void atHome(Effect effect, Evidence evidence) {
        SagaView saga = evidence.sagas.get(effect.saga());
        Optional<BranchView> branch = saga == null ? Optional.empty() : Evidence.branch(saga, effect.branch());
        if (branch.isPresent() && branch.get().service().equals(effect.service())) return;
        evidence.found(
                Rule.CROSS_TALK,
                "There is %s, but %s.",
                effect,
                saga == null
                        ? "alpha knows no such saga"
                        : branch.map(b -> "that branch is one of " + b.service())
                                .orElse("that saga has no such branch"));
    }

    private static void oneSagaPerBranch(Evidence evidence) {
        Map<String, String> homes = new HashMap<>();
        for (SagaView saga : evidence.sagas.values()) {
            for (BranchView branch : saga.branches()) {
                String other = homes.put(branch.id(), saga.id());
                if (other == null) continue;
                evidence.found(
                        Rule.CROSS_TALK,
                        "Branch %s is in saga %s and %s.",
                        branch.id(),
                        saga.id(),
                        other.equals(saga.id()) ? "there once more" : "in saga " + other);
            }
        }
    }

    private static void oneTransferPerSaga(Evidence evidence) {
        Map<String, Set<String>> transfers = new HashMap<>();
        for (Told told : evidence.history.told()) {
            if (told.saga() != null) {
                transfers.computeIfAbsent(told.saga(), s -> new HashSet<>()).add(told.transfer());
            }
        }
        for (Effect effect : evidence.history.effects()) {
            if (effect.transfer() != null) {
                transfers.computeIfAbsent(effect.saga(), s -> new HashSet<>()).add(effect.transfer());
            }
        }
        transfers.forEach((saga, its) -> {
            if (its.size() > 1) evidence.found(Rule.CROSS_TALK, "Saga %s is that of transfers %s.", saga, its);
        });
    }

    /** Every effect has its row, and what the fence kept out has none. */
    private static void fenced(Evidence evidence) {
        Map<String, Set<FenceRow>> rows =
                evidence.history.fence().stream().collect(Collectors.groupingBy(FenceRow::service, Collectors.toSet()));
        for (Effect effect : evidence.history.effects()) {
            Set<FenceRow> own = rows.get(effect.service());
            if (own == null) continue; // A service without a fence.
            String op = effect.kind().name().toLowerCase(Locale.ROOT);
            if (own.contains(new FenceRow(effect.service(), effect.saga(), effect.branch(), op, op))) continue;
            evidence.found(
                    effect.kind() == Kind.FORWARD ? Rule.ONCE : Rule.COMPENSATION,
                    "There is %s, but the fence of %s has no row %s of it.",
                    effect,
                    effect.service(),
                    op);
        }
    }

    private static void listed(Evidence evidence) {
        Map<String, String> states =
                evidence.history.list().stream().collect(Collectors.toMap(Listed::id, Listed::state, (a, b) -> a));
        for (SagaView saga : evidence.sagas.values()) {
            if (Objects.equals(states.get(saga.id()), saga.state())) continue;
            evidence.found(
                    Rule.ENDED,
                    "Saga %s is %s, but %s in the list of all.",
                    saga.id(),
                    saga.state(),
                    states.containsKey(saga.id()) ? states.get(saga.id()) : "missing");
        }
    }

    private static void balanced(Balance balance, Evidence evidence) {
        List<Effect> own = evidence.history.effects().stream()
                .filter(effect -> effect.service().equals(balance.service()))
                .toList();
        long expected =
                balance.opening() + own.stream().mapToLong(Effect::amount).sum();
        if (balance.now() == expected) return;
        evidence.found(
                Rule.MONEY,
                "The accounts of %s hold %d, expected %d: %d at first and the amounts of %d rows.",
                balance.service(),
                balance.now(),
                expected,
                balance.opening(),
                own.size());
    }
}
