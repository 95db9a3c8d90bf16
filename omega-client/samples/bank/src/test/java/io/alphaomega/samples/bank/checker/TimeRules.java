package io.alphaomega.samples.bank.checker;

import static io.alphaomega.samples.bank.checker.Evidence.told;

import io.alphaomega.samples.bank.checker.History.Event;
import io.alphaomega.samples.bank.checker.History.SagaView;
import io.alphaomega.samples.bank.checker.History.Terms;
import java.time.Duration;
import java.time.Instant;

/** What must have happened by when. */
final class TimeRules {
    private TimeRules() {}

    static void check(SagaView saga, Evidence evidence) {
        decidedInTime(saga, evidence);
        switch (saga.state()) {
            case "COMMITTED", "COMPENSATED" -> {}
            case "SUSPENDED" -> suspended(saga, evidence);
            default ->
                evidence.found(
                        Rule.ENDED,
                        "Saga %s is still %s at %s, when everything had been mended; %s.",
                        saga.id(),
                        saga.state(),
                        evidence.history.terms().checkedAt(),
                        told(saga));
        }
    }

    private static void decidedInTime(SagaView saga, Evidence evidence) {
        Instant deadline = saga.deadline();
        if (deadline == null) return;
        Terms terms = evidence.history.terms();
        Instant decided = saga.history().stream()
                .filter(event ->
                        event.type().equals(Evidence.COMMITTED) || event.type().equals(Evidence.ABORTED))
                .map(Event::at)
                .findFirst()
                .orElse(terms.checkedAt());
        Duration late = evidence.unexcused(deadline, decided, terms.grace());
        if (late.compareTo(terms.grace()) > 0) {
            evidence.found(
                    Rule.DEADLINE,
                    "Saga %s had to be decided by %s and was not until %s, %d ms of it without a fault that explains it; %s.",
                    saga.id(),
                    deadline,
                    decided,
                    late.toMillis(),
                    told(saga));
        }
        if (Evidence.TIMED_OUT.equals(saga.abort()) && decided.isBefore(deadline)) {
            evidence.found(
                    Rule.DEADLINE,
                    "Saga %s was aborted at %s because its time was over, which it is at %s.",
                    saga.id(),
                    decided,
                    deadline);
        }
    }

    private static void suspended(SagaView saga, Evidence evidence) {
        String reason = String.valueOf(saga.suspension());
        boolean explained =
                evidence.disturbing(saga).anyMatch(fault -> fault.suspends().contains(reason));
        if (explained) return;
        evidence.found(
                Rule.ENDED,
                "Saga %s is suspended for %s, which no fault at that time explains; %s.",
                saga.id(),
                reason,
                told(saga));
    }
}
