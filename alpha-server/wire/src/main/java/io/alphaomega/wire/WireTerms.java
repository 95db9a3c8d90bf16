package io.alphaomega.wire;

import io.alphaomega.protocol.v1.Aborted;
import io.alphaomega.protocol.v1.FenceFinding;
import io.alphaomega.saga.Abort;
import io.alphaomega.saga.BranchId;
import io.alphaomega.saga.CallbackKind;
import io.alphaomega.saga.CallbackOffer;
import io.alphaomega.saga.CallbackPolicy;
import io.alphaomega.saga.Evidence;
import io.alphaomega.saga.Policy;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** The words that several messages share, both ways. */
public final class WireTerms {
    private WireTerms() {}

    public static IllegalArgumentException unknown(String what, String found) {
        return new IllegalArgumentException(
                "unknown %s in a message: %s; if the sender is newer, upgrade this alpha".formatted(what, found));
    }

    // ---- durations and policies: 0 is "alpha's default"

    public static Optional<Duration> duration(long millis) {
        return millis == 0 ? Optional.empty() : Optional.of(Duration.ofMillis(millis));
    }

    public static Policy policy(io.alphaomega.protocol.v1.Policy wire, Policy defaults) {
        Policy.Order order =
                switch (wire.getOrder()) {
                    case ORDER_UNSPECIFIED -> defaults.order();
                    case SEQUENTIAL -> Policy.Order.SEQUENTIAL;
                    case PARALLEL -> Policy.Order.PARALLEL;
                    case UNRECOGNIZED -> throw unknown("order", "number " + wire.getOrderValue());
                };
        return new Policy(
                duration(wire.getTimeoutMillis()).orElse(defaults.timeout()),
                duration(wire.getBranchTimeoutMillis()).orElse(defaults.branchTimeout()),
                order,
                wire.hasCallbacks() ? policy(wire.getCallbacks(), defaults.callbacks()) : defaults.callbacks());
    }

    /** A delay that is given alone pulls the default of the other one along: nobody asked for the contradiction. */
    public static CallbackPolicy policy(io.alphaomega.protocol.v1.CallbackPolicy wire, CallbackPolicy defaults) {
        Duration first = duration(wire.getFirstDelayMillis()).orElse(defaults.firstDelay());
        Duration max = duration(wire.getMaxDelayMillis()).orElse(defaults.maxDelay());
        if (wire.getFirstDelayMillis() == 0 && first.compareTo(max) > 0) first = max;
        if (wire.getMaxDelayMillis() == 0 && max.compareTo(first) < 0) max = first;
        return new CallbackPolicy(
                wire.getAttempts() == 0 ? defaults.attempts() : wire.getAttempts(),
                duration(wire.getWithinMillis()).orElse(defaults.within()),
                first,
                max,
                duration(wire.getTimeoutMillis()).orElse(defaults.timeout()));
    }

    public static io.alphaomega.protocol.v1.Policy policy(Policy policy) {
        return io.alphaomega.protocol.v1.Policy.newBuilder()
                .setTimeoutMillis(policy.timeout().toMillis())
                .setBranchTimeoutMillis(policy.branchTimeout().toMillis())
                .setOrder(
                        switch (policy.order()) {
                            case SEQUENTIAL -> io.alphaomega.protocol.v1.Policy.Order.SEQUENTIAL;
                            case PARALLEL -> io.alphaomega.protocol.v1.Policy.Order.PARALLEL;
                        })
                .setCallbacks(policy(policy.callbacks()))
                .build();
    }

    private static io.alphaomega.protocol.v1.CallbackPolicy policy(CallbackPolicy policy) {
        return io.alphaomega.protocol.v1.CallbackPolicy.newBuilder()
                .setAttempts(policy.attempts())
                .setWithinMillis(policy.within().toMillis())
                .setFirstDelayMillis(policy.firstDelay().toMillis())
                .setMaxDelayMillis(policy.maxDelay().toMillis())
                .setTimeoutMillis(policy.timeout().toMillis())
                .build();
    }

    public static CallbackOffer offer(io.alphaomega.protocol.v1.CallbackOffer wire, Policy defaults) {
        return new CallbackOffer(
                wire.getName(),
                wire.hasPolicy() ? Optional.of(policy(wire.getPolicy(), defaults.callbacks())) : Optional.empty());
    }

    public static io.alphaomega.protocol.v1.CallbackOffer offer(CallbackOffer offer) {
        var wire = io.alphaomega.protocol.v1.CallbackOffer.newBuilder().setName(offer.name());
        offer.policy().ifPresent(policy -> wire.setPolicy(policy(policy)));
        return wire.build();
    }

    // ---- enums

    public static CallbackKind kind(io.alphaomega.protocol.v1.CallbackKind wire) {
        return switch (wire) {
            case COMPENSATION -> CallbackKind.COMPENSATION;
            case CONFIRMATION -> CallbackKind.CONFIRMATION;
            case INQUIRY, CALLBACK_KIND_UNSPECIFIED, UNRECOGNIZED -> throw unknown("kind of callback", wire.name());
        };
    }

    public static Evidence evidence(FenceFinding wire) {
        Evidence.Finding finding =
                switch (wire.getFinding()) {
                    case NO_ROW -> Evidence.Finding.NO_ROW;
                    case RAN -> Evidence.Finding.RAN;
                    case NEVER_RAN -> Evidence.Finding.NEVER_RAN;
                    case UNDONE -> Evidence.Finding.UNDONE;
                    case CONFIRMED -> Evidence.Finding.CONFIRMED;
                    // What only a newer omega can say is for people.
                    case UNKNOWN, FINDING_UNSPECIFIED, UNRECOGNIZED -> Evidence.Finding.UNKNOWN;
                };
        Optional<Instant> at =
                wire.hasAtMillis() ? Optional.of(Instant.ofEpochMilli(wire.getAtMillis())) : Optional.empty();
        return new Evidence(finding, at, wire.getText());
    }

    public static FenceFinding evidence(Evidence evidence) {
        FenceFinding.Builder wire = FenceFinding.newBuilder()
                .setFinding(
                        switch (evidence.finding()) {
                            case NO_ROW -> FenceFinding.Finding.NO_ROW;
                            case RAN -> FenceFinding.Finding.RAN;
                            case NEVER_RAN -> FenceFinding.Finding.NEVER_RAN;
                            case UNDONE -> FenceFinding.Finding.UNDONE;
                            case CONFIRMED -> FenceFinding.Finding.CONFIRMED;
                            case UNKNOWN -> FenceFinding.Finding.UNKNOWN;
                        })
                .setText(evidence.text());
        evidence.at().ifPresent(at -> wire.setAtMillis(at.toEpochMilli()));
        return wire.build();
    }

    public static io.alphaomega.protocol.v1.CallbackKind kind(CallbackKind kind) {
        return switch (kind) {
            case COMPENSATION -> io.alphaomega.protocol.v1.CallbackKind.COMPENSATION;
            case CONFIRMATION -> io.alphaomega.protocol.v1.CallbackKind.CONFIRMATION;
        };
    }

    public static Abort abort(Aborted wire, Instant at) {
        Abort.Cause cause =
                switch (wire.getCause()) {
                    case BRANCH_FAILED -> Abort.Cause.BRANCH_FAILED;
                    case BRANCH_TIMED_OUT -> Abort.Cause.BRANCH_TIMED_OUT;
                    case SAGA_TIMED_OUT -> Abort.Cause.SAGA_TIMED_OUT;
                    case INITIATOR -> Abort.Cause.INITIATOR;
                    case OPERATOR -> Abort.Cause.OPERATOR;
                    case HISTORY_PURGED -> Abort.Cause.HISTORY_PURGED;
                    case PARENT -> Abort.Cause.PARENT;
                    case CAUSE_UNSPECIFIED, UNRECOGNIZED ->
                        throw unknown("cause of an abort", "number " + wire.getCauseValue());
                };
        return new Abort(
                cause,
                wire.getBranch().isEmpty() ? Optional.empty() : Optional.of(new BranchId(wire.getBranch())),
                wire.getText(),
                at);
    }

    public static Aborted aborted(Abort abort) {
        Aborted.Builder wire = Aborted.newBuilder()
                .setCause(
                        switch (abort.cause()) {
                            case BRANCH_FAILED -> Aborted.Cause.BRANCH_FAILED;
                            case BRANCH_TIMED_OUT -> Aborted.Cause.BRANCH_TIMED_OUT;
                            case SAGA_TIMED_OUT -> Aborted.Cause.SAGA_TIMED_OUT;
                            case INITIATOR -> Aborted.Cause.INITIATOR;
                            case OPERATOR -> Aborted.Cause.OPERATOR;
                            case HISTORY_PURGED -> Aborted.Cause.HISTORY_PURGED;
                            case PARENT -> Aborted.Cause.PARENT;
                        })
                .setText(abort.text());
        abort.branch().ifPresent(branch -> wire.setBranch(branch.value()));
        return wire.build();
    }
}
