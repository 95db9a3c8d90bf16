package io.alphaomega.server.journal;

import io.alphaomega.saga.Abort;
import io.alphaomega.saga.BranchCall;
import io.alphaomega.saga.BranchId;
import io.alphaomega.saga.CallbackKind;
import io.alphaomega.saga.CallbackOffer;
import io.alphaomega.saga.CallbackPolicy;
import io.alphaomega.saga.Evidence;
import io.alphaomega.saga.FailureCode;
import io.alphaomega.saga.Initiator;
import io.alphaomega.saga.Operator;
import io.alphaomega.saga.Outcome;
import io.alphaomega.saga.Parent;
import io.alphaomega.saga.Payload;
import io.alphaomega.saga.Policy;
import io.alphaomega.saga.SagaEvent;
import io.alphaomega.saga.SagaId;
import io.alphaomega.saga.Suspension;
import io.alphaomega.saga.Unable;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Events of every type and shape, by a name of their own: the corpus has the bytes of each. */
final class JournalSamples {
    private static final Instant AT = Instant.parse("2026-11-20T08:00:00.123Z");
    private static final Instant LATER = AT.plusSeconds(30);
    private static final BranchId CAR = new BranchId("0198f2c4-7d1e-7000-8000-00000000ca12");
    private static final BranchId HOTEL = new BranchId("b7");
    private static final Operator MAY = new Operator("may", "called the hotel, it is undone – ticket 42");
    private static final Initiator BOOKING =
            new Initiator("booking", "booking-1", "Trips.book", "order 7", Map.of("customer", "Müller"));
    private static final Initiator NESTED = new Initiator(
            "booking",
            "booking-1",
            "Rides.book",
            "",
            Map.of(),
            "",
            Optional.of(new Parent(new SagaId("s1"), new BranchId("car"))));
    private static final CallbackPolicy STUBBORN = new CallbackPolicy(
            100, Duration.ofDays(30), Duration.ofMillis(1), Duration.ofHours(1), Duration.ofMillis(2500));
    private static final String FENCE = "0198f2c4-7d1e-7000-8000-0000000fe9ce";
    private static final Payload PAYLOAD = new Payload("[\"grand\",2]".getBytes(StandardCharsets.UTF_8));

    private final Map<String, SagaEvent> all = new LinkedHashMap<>();

    private JournalSamples() {
        sagas();
        branches();
        callbacks();
        interventions();
    }

    static Map<String, SagaEvent> all() {
        return new JournalSamples().all;
    }

    private void sagas() {
        add("begun with the default policy", new SagaEvent.Begun(BOOKING, Policy.DEFAULT, false, AT));
        add(
                "begun by one of several starts",
                new SagaEvent.Begun(
                        new Initiator("booking", "booking-1", "Trips.book", "order 7", Map.of(), "start-1"),
                        Policy.DEFAULT,
                        false,
                        AT));
        add("begun by a branch", new SagaEvent.Begun(Initiator.UNKNOWN, Policy.DEFAULT, true, AT));
        add(
                "begun with a policy of its own, at the epoch",
                new SagaEvent.Begun(
                        BOOKING,
                        new Policy(Duration.ofMillis(1), Duration.ofHours(1), Policy.Order.PARALLEL, STUBBORN),
                        false,
                        Instant.EPOCH));
        add("begin caught up", new SagaEvent.BeginCaughtUp(BOOKING, Policy.DEFAULT, AT));
        add(
                "begin caught up without a word about it",
                new SagaEvent.BeginCaughtUp(
                        new Initiator("booking", "", "", "", Map.of()),
                        new Policy(Duration.ofDays(30), Duration.ofMinutes(1), Policy.Order.PARALLEL, STUBBORN),
                        AT));
        add("commit requested", new SagaEvent.CommitRequested(AT));
        add("commit requested at the epoch", new SagaEvent.CommitRequested(Instant.EPOCH));
        add("begun as a part of another", new SagaEvent.Begun(NESTED, Policy.DEFAULT, false, AT));
        add("prepared", new SagaEvent.Prepared(AT));
        add("prepared at the epoch", new SagaEvent.Prepared(Instant.EPOCH));
        add(
                "aborted by its parent",
                new SagaEvent.Aborted(new Abort(
                        Abort.Cause.PARENT, Optional.empty(), "saga s1, which it is a part of, was aborted", AT)));
        add("committed", new SagaEvent.Committed(AT));
        add("committed at the epoch", new SagaEvent.Committed(Instant.EPOCH));
        for (Abort.Cause cause : Abort.Cause.values()) {
            if (cause == Abort.Cause.HISTORY_PURGED) continue; // Told, never journaled.
            boolean blamed = cause == Abort.Cause.BRANCH_FAILED || cause == Abort.Cause.BRANCH_TIMED_OUT;
            add(
                    "aborted, " + cause,
                    new SagaEvent.Aborted(
                            new Abort(cause, blamed ? Optional.of(CAR) : Optional.empty(), "because of " + cause, AT)));
        }
        add(
                "aborted without a word",
                new SagaEvent.Aborted(new Abort(Abort.Cause.INITIATOR, Optional.empty(), "", AT)));
        for (Outcome outcome : Outcome.values()) {
            add("ended, " + outcome, new SagaEvent.Ended(outcome, Optional.empty(), AT));
            add("ended by hand, " + outcome, new SagaEvent.Ended(outcome, Optional.of(MAY), AT));
        }
    }

    private void branches() {
        add(
                "branch began, fenced, with a compensation",
                new SagaEvent.BranchBegan(
                        new BranchCall(
                                CAR,
                                Optional.empty(),
                                "car",
                                "car-1",
                                "Cars.reserve",
                                Optional.of(new CallbackOffer("Cars.cancel", Optional.empty())),
                                Optional.empty(),
                                true,
                                "",
                                false,
                                PAYLOAD,
                                "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"),
                        LATER,
                        AT));
        add(
                "branch began, try-confirm-cancel with policies of their own, under another branch",
                new SagaEvent.BranchBegan(
                        new BranchCall(
                                HOTEL,
                                Optional.of(CAR),
                                "hotel",
                                "hotel-2",
                                "Hotels.hold",
                                Optional.of(new CallbackOffer("release", Optional.of(CallbackPolicy.DEFAULT))),
                                Optional.of(new CallbackOffer("confirm", Optional.of(STUBBORN))),
                                false,
                                "",
                                false,
                                Payload.EMPTY,
                                ""),
                        LATER,
                        AT));
        add(
                "branch began, without any callback",
                new SagaEvent.BranchBegan(
                        new BranchCall(
                                HOTEL,
                                Optional.empty(),
                                "mail",
                                "mail-1",
                                "",
                                Optional.empty(),
                                Optional.empty(),
                                false,
                                "",
                                false,
                                Payload.EMPTY,
                                ""),
                        AT,
                        AT));
        add(
                "branch began behind a fence that says which it is",
                new SagaEvent.BranchBegan(
                        new BranchCall(
                                CAR,
                                Optional.empty(),
                                "car",
                                "car-1",
                                "Cars.reserve",
                                Optional.of(new CallbackOffer("Cars.cancel", Optional.empty())),
                                Optional.empty(),
                                true,
                                FENCE,
                                false,
                                PAYLOAD,
                                "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"),
                        LATER,
                        AT));
        add(
                "branch began whose end travels",
                new SagaEvent.BranchBegan(
                        new BranchCall(
                                CAR,
                                Optional.empty(),
                                "car",
                                "car-1",
                                "Cars.reserve",
                                Optional.of(new CallbackOffer("Cars.cancel", Optional.empty())),
                                Optional.empty(),
                                true,
                                FENCE,
                                true,
                                PAYLOAD,
                                ""),
                        LATER,
                        AT));
        add(
                "branch began that is a saga",
                new SagaEvent.BranchBegan(
                        new BranchCall(
                                CAR,
                                Optional.empty(),
                                "booking",
                                "booking-1",
                                "",
                                "Rides.book",
                                Optional.of(new CallbackOffer("abort", Optional.empty())),
                                Optional.of(new CallbackOffer("commit", Optional.empty())),
                                true,
                                "",
                                true,
                                Payload.EMPTY,
                                "",
                                Optional.of(new SagaId("s2"))),
                        LATER,
                        AT));
        add(
                "branch began of a build that says which it is",
                new SagaEvent.BranchBegan(
                        new BranchCall(
                                CAR,
                                Optional.empty(),
                                "car",
                                "car-1",
                                "1.4.2",
                                "Cars.reserve",
                                Optional.of(new CallbackOffer("Cars.cancel", Optional.empty())),
                                Optional.empty(),
                                true,
                                "",
                                false,
                                PAYLOAD,
                                "",
                                Optional.empty()),
                        LATER,
                        AT));
        add("branch ended with a result", new SagaEvent.BranchEnded(CAR, PAYLOAD, AT));
        add(
                "branch ended with bytes",
                new SagaEvent.BranchEnded(HOTEL, new Payload(new byte[] {0, -1, 127, -128}), AT));
        add("branch ended without a result", new SagaEvent.BranchEnded(HOTEL, Payload.EMPTY, AT));
        add("branch failed and rolled back", new SagaEvent.BranchFailed(CAR, "no car left", true, AT));
        add("branch failed, its commit is unknown", new SagaEvent.BranchFailed(CAR, "Überfällig: 漢字 💥", false, AT));
        add("branch failed without a word", new SagaEvent.BranchFailed(HOTEL, "", false, AT));
    }

    private void callbacks() {
        for (CallbackKind kind : CallbackKind.values()) {
            add("requested, " + kind, new SagaEvent.CallbackRequested(CAR, kind, 1, true, LATER, LATER, AT));
            add("succeeded, " + kind, new SagaEvent.CallbackSucceeded(CAR, kind, 3, AT));
            add("lost, " + kind, new SagaEvent.CallbackLost(HOTEL, kind, 1000, AT));
            add("deferred, " + kind, new SagaEvent.CallbackDeferred(HOTEL, kind, 3, LATER, AT));
            add(
                    "deferred for want of another build, " + kind,
                    new SagaEvent.CallbackDeferred(
                            HOTEL,
                            kind,
                            3,
                            AT,
                            Optional.of(new Unable("1.5.0", FailureCode.UNDECODABLE, "no such field")),
                            AT));
            add("participant missed, " + kind, new SagaEvent.ParticipantMissed(HOTEL, kind, 2, LATER, AT));
        }
        add(
                "requested of a branch whose end nobody saw",
                new SagaEvent.CallbackRequested(HOTEL, CallbackKind.COMPENSATION, 300, false, LATER, LATER, AT));
        for (FailureCode code : FailureCode.values()) {
            add(
                    "failed, " + code,
                    new SagaEvent.CallbackFailed(
                            CAR,
                            CallbackKind.COMPENSATION,
                            2,
                            code,
                            "it says " + code,
                            code.retried() ? Optional.of(LATER) : Optional.empty(),
                            AT));
        }
        add(
                "failed for the last time",
                new SagaEvent.CallbackFailed(
                        CAR, CallbackKind.CONFIRMATION, 10, FailureCode.THREW, "", Optional.empty(), AT));
    }

    private void interventions() {
        for (Suspension.Reason reason : Suspension.Reason.values()) {
            add(
                    "suspended, " + reason,
                    new SagaEvent.Suspended(new Suspension(reason, CAR, "car", 10, "it says " + reason, AT)));
        }
        add(
                "suspended before anything was tried",
                new SagaEvent.Suspended(
                        new Suspension(Suspension.Reason.BRANCH_END_UNKNOWN, HOTEL, "hotel", 0, "", AT)));
        add("resumed by an operator", new SagaEvent.Resumed(Optional.of(MAY), AT));
        add("resumed by itself", new SagaEvent.Resumed(Optional.empty(), AT));
        add(
                "held",
                new SagaEvent.Held(
                        AT.minusSeconds(60), AT.minusSeconds(3_600), "The store is older than stock has seen it.", AT));
        add("held without a word", new SagaEvent.Held(AT, AT, "", AT));
        for (Evidence.Finding finding : Evidence.Finding.values()) {
            add(
                    "the fence has said " + finding,
                    new SagaEvent.FenceAnswered(
                            CAR, new Evidence(finding, Optional.of(AT.minusSeconds(60)), "it says " + finding), AT));
        }
        add(
                "the fence has said little",
                new SagaEvent.FenceAnswered(HOTEL, new Evidence(Evidence.Finding.NO_ROW, Optional.empty(), ""), AT));
        add("branch skipped", new SagaEvent.BranchSkipped(CAR, MAY, AT));
        add("branch skipped in few words", new SagaEvent.BranchSkipped(HOTEL, new Operator("o", "w"), AT));
    }

    private void add(String name, SagaEvent event) {
        if (all.put(name, event) != null) throw new IllegalArgumentException("two samples are named " + name);
    }
}
