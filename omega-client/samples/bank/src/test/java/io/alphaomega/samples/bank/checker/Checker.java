package io.alphaomega.samples.bank.checker;

import java.util.List;

/** Says which promises a history breaks. A function of the history: no clock, no I/O. */
public final class Checker {
    private Checker() {}

    /** One violation for each promise broken to each saga; empty if all were kept. */
    public static List<Violation> check(History history) {
        Evidence evidence = new Evidence(history);
        for (History.SagaView saga : evidence.sagas.values()) {
            JournalRules.check(saga, evidence);
            CallbackRules.check(saga, evidence);
            EffectRules.check(saga, evidence);
            TimeRules.check(saga, evidence);
        }
        CallbackRules.checkDelivered(evidence);
        CallerRules.check(evidence);
        BoundaryRules.check(evidence);
        return evidence.violations();
    }
}
