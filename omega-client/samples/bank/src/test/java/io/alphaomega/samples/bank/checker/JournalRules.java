package io.alphaomega.samples.bank.checker;

import static io.alphaomega.samples.bank.checker.Evidence.told;

import io.alphaomega.samples.bank.checker.History.Acked;
import io.alphaomega.samples.bank.checker.History.Event;
import io.alphaomega.samples.bank.checker.History.SagaView;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** What a saga's history must look like: without gaps, causes first, decided once, with everything acknowledged. */
final class JournalRules {
    private JournalRules() {}

    static void check(SagaView saga, Evidence evidence) {
        gapless(saga, evidence);
        causal(saga, evidence);
        decidedOnce(saga, evidence);
        acknowledged(saga, evidence);
    }

    private static void gapless(SagaView saga, Evidence evidence) {
        List<Event> history = saga.history();
        Instant last = Instant.MIN;
        for (int i = 0; i < history.size(); i++) {
            Event event = history.get(i);
            if (event.sequence() != i + 1) {
                evidence.found(
                        Rule.ORDER,
                        "Saga %s has event %d where event %d should be; %s.",
                        saga.id(),
                        event.sequence(),
                        i + 1,
                        told(saga));
                return;
            }
            Instant at = event.at();
            if (at != null && at.isBefore(last)) {
                evidence.found(
                        Rule.ORDER,
                        "Saga %s has event %d at %s, before the one in front of it at %s.",
                        saga.id(),
                        event.sequence(),
                        at,
                        last);
            }
            if (at != null) last = at;
        }
        if (saga.sequence() != history.size()) {
            evidence.found(
                    Rule.ORDER,
                    "Saga %s is said to have %d events, its history has %d.",
                    saga.id(),
                    saga.sequence(),
                    history.size());
        }
    }

    private static void causal(SagaView saga, Evidence evidence) {
        Set<String> begun = new HashSet<>();
        Set<String> ended = new HashSet<>();
        boolean decided = false;
        for (Event event : saga.history()) {
            String type = event.type();
            String branch = event.branch() == null ? "" : event.branch();
            String wrong = "";
            if ((event.sequence() == 1) != isFirst(type)) wrong = "and a saga begins once, first";
            else if (type.equals(Evidence.BRANCH_BEGAN)) {
                if (!begun.add(branch)) wrong = "but it had begun before";
                else if (decided) wrong = "but the saga was decided before";
            } else if (type.startsWith("branch.") && !begun.contains(branch)) wrong = "but it never began";
            else if (type.equals(Evidence.BRANCH_ENDED) && !ended.add(branch)) wrong = "but it had ended before";
            else if (type.startsWith("callback.") && !decided) wrong = "but the saga was not decided";
            else if (type.startsWith("callback.") && !begun.contains(branch)) wrong = "but it never began";
            else if (type.equals(Evidence.ENDED) && !decided) wrong = "but it was never decided";
            if (isDecision(type)) decided = true;
            if (!wrong.isEmpty()) {
                evidence.found(
                        Rule.ORDER,
                        "Saga %s has event %d %s %s, %s; %s.",
                        saga.id(),
                        event.sequence(),
                        type,
                        branch,
                        wrong,
                        told(saga));
                return;
            }
        }
    }

    private static boolean isFirst(String type) {
        return type.equals(Evidence.BEGUN) || type.equals(Event.BEGUN_BY_BRANCH);
    }

    private static void decidedOnce(SagaView saga, Evidence evidence) {
        List<Event> decisions = saga.history().stream()
                .filter(event -> isDecision(event.type()))
                .toList();
        if (decisions.size() > 1) {
            evidence.found(Rule.DECISION, "Saga %s was decided %d times; %s.", saga.id(), decisions.size(), told(saga));
        }
        String expected = Evidence.isAborted(saga) ? "COMPENSATED" : "COMMITTED";
        if (Evidence.isOver(saga) && (decisions.isEmpty() || !saga.state().equals(expected))) {
            evidence.found(Rule.DECISION, "Saga %s is %s, but %s.", saga.id(), saga.state(), told(saga));
        }
        if (Evidence.isCommitted(saga) && Evidence.has(saga, "branch.failed.v1")) {
            evidence.found(Rule.ATOMIC, "Saga %s was committed although a branch failed; %s.", saga.id(), told(saga));
        }
    }

    private static boolean isDecision(String type) {
        return type.equals(Evidence.COMMITTED) || type.equals(Evidence.ABORTED);
    }

    private static void acknowledged(SagaView saga, Evidence evidence) {
        for (Acked ack : evidence.acks(saga.id())) {
            boolean there = saga.history().stream()
                    .anyMatch(event -> keeps(event.type(), ack.event())
                            && (ack.branch() == null || ack.branch().equals(event.branch())));
            if (there) continue;
            evidence.found(
                    Rule.ACKED,
                    "Saga %s lacks %s%s, which alpha acknowledged as number %d; %s.",
                    saga.id(),
                    ack.event(),
                    ack.branch() == null ? "" : " of branch " + ack.branch(),
                    ack.correlation(),
                    told(saga));
        }
    }

    /** A begin is also kept by the event of one that came after a branch of its saga. */
    private static boolean keeps(String type, String acknowledged) {
        return type.equals(acknowledged)
                || (acknowledged.equals(Evidence.BEGUN) && type.equals(Evidence.BEGIN_CAUGHT_UP));
    }
}
