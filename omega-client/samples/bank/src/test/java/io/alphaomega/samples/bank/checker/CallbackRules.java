package io.alphaomega.samples.bank.checker;

import static io.alphaomega.samples.bank.checker.Evidence.told;

import io.alphaomega.samples.bank.checker.History.BranchView;
import io.alphaomega.samples.bank.checker.History.Delivered;
import io.alphaomega.samples.bank.checker.History.Event;
import io.alphaomega.samples.bank.checker.History.Kind;
import io.alphaomega.samples.bank.checker.History.SagaView;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What callbacks may be asked for, when, and in which order. */
final class CallbackRules {
    private CallbackRules() {}

    static void check(SagaView saga, Evidence evidence) {
        Map<String, Integer> attempts = new HashMap<>();
        for (Event event : saga.history()) {
            if (!event.type().startsWith("callback.") || event.branch() == null) continue;
            kindFits(saga, event, evidence);
            int before = attempts.getOrDefault(event.branch(), 0);
            boolean request = event.type().equals(Evidence.REQUESTED);
            if (request ? event.attempt() != before + 1 : event.attempt() > before) {
                evidence.found(
                        Rule.ORDER,
                        "Saga %s has event %d %s of branch %s, attempt %d, after %d requests; %s.",
                        saga.id(),
                        event.sequence(),
                        event.type(),
                        event.branch(),
                        event.attempt(),
                        before,
                        told(saga));
                return;
            }
            if (request) attempts.put(event.branch(), event.attempt());
        }
        lastFinishedFirst(saga, evidence);
    }

    private static void kindFits(SagaView saga, Event event, Evidence evidence) {
        if (event.kind() == null) return;
        boolean fits = event.kind() == Kind.CONFIRMATION ? Evidence.isCommitted(saga) : Evidence.isAborted(saga);
        if (fits) return;
        evidence.found(
                event.kind() == Kind.CONFIRMATION ? Rule.CONFIRMATION : Rule.COMPENSATION,
                "Saga %s has event %d %s, a %s, which its decision forbids; %s.",
                saga.id(),
                event.sequence(),
                event.type(),
                event.kind(),
                told(saga));
    }

    /** Of branches that had ended before the abort; what ends later takes its turn when it comes. */
    private static void lastFinishedFirst(SagaView saga, Evidence evidence) {
        List<String> finished = new ArrayList<>();
        List<String> undone = new ArrayList<>();
        boolean aborted = false;
        for (Event event : saga.history()) {
            String branch = event.branch();
            aborted |= event.type().equals(Evidence.ABORTED);
            if (branch == null) continue;
            if (event.type().equals(Evidence.BRANCH_ENDED) && !aborted && offersCompensation(saga, branch)) {
                finished.addFirst(branch);
            }
            boolean undoing = event.type().equals(Evidence.REQUESTED) && event.kind() == Kind.COMPENSATION;
            boolean first = undoing && event.attempt() == 1;
            if (first && finished.contains(branch)) undone.add(branch);
        }
        if (undone.equals(finished.subList(0, Math.min(undone.size(), finished.size())))) return;
        evidence.found(
                Rule.ORDER, "Saga %s was undone as %s, expected %s; %s.", saga.id(), undone, finished, told(saga));
    }

    private static boolean offersCompensation(SagaView saga, String branch) {
        return Evidence.branch(saga, branch).filter(BranchView::compensation).isPresent();
    }

    /** What reached participants must be what the histories say was asked, after they say so. */
    static void checkDelivered(Evidence evidence) {
        for (Delivered callback : evidence.history.callbacks()) {
            SagaView saga = evidence.sagas.get(callback.saga());
            if (saga == null) {
                evidence.found(Rule.CROSS_TALK, "A participant got %s, of a saga that alpha does not know.", callback);
                continue;
            }
            Optional<BranchView> branch = Evidence.branch(saga, callback.branch());
            if (branch.isEmpty() || !branch.get().service().equals(callback.service())) {
                evidence.found(
                        Rule.CROSS_TALK,
                        "Service %s got the %s of branch %s of saga %s, which is %s.",
                        callback.service(),
                        callback.kind(),
                        callback.branch(),
                        saga.id(),
                        branch.map(b -> "one of " + b.service()).orElse("none of its branches"));
                continue;
            }
            asked(saga, callback, evidence);
        }
    }

    private static void asked(SagaView saga, Delivered callback, Evidence evidence) {
        Optional<Event> request = saga.history().stream()
                .filter(event -> event.type().equals(Evidence.REQUESTED)
                        && callback.branch().equals(event.branch())
                        && callback.kind() == event.kind()
                        && callback.attempt() == event.attempt())
                .findFirst();
        if (request.isEmpty()) {
            evidence.found(
                    callback.kind() == Kind.CONFIRMATION ? Rule.CONFIRMATION : Rule.COMPENSATION,
                    "Service %s got the %s of branch %s of saga %s, attempt %d, which was never requested; %s.",
                    callback.service(),
                    callback.kind(),
                    callback.branch(),
                    saga.id(),
                    callback.attempt(),
                    told(saga));
            return;
        }
        Instant requested = request.get().at();
        Instant latest = callback.at().plus(evidence.history.terms().clocks());
        if (requested != null && requested.isAfter(latest)) {
            evidence.found(
                    Rule.ORDER,
                    "Service %s got the %s of branch %s of saga %s at %s, but it was requested at %s.",
                    callback.service(),
                    callback.kind(),
                    callback.branch(),
                    saga.id(),
                    callback.at(),
                    requested);
        }
    }
}
