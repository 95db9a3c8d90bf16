package io.alphaomega.server.wire;

import io.alphaomega.saga.FailureCode;
import io.alphaomega.saga.Outcome;
import io.alphaomega.server.wire.v1.Remoting;
import io.alphaomega.wire.WireTerms;

/** The words that only alpha nodes say to each other, both ways. */
final class NodeTerms {
    private NodeTerms() {}

    static FailureCode code(Remoting.CallbackFailed.Code node) {
        return switch (node) {
            case THREW -> FailureCode.THREW;
            case NO_ANSWER -> FailureCode.NO_ANSWER;
            case UNKNOWN_CALLBACK -> FailureCode.UNKNOWN_CALLBACK;
            case STREAM_LOST -> FailureCode.STREAM_LOST;
            case NO_PARTICIPANT -> FailureCode.NO_PARTICIPANT;
            case UNDECODABLE -> FailureCode.UNDECODABLE;
            case FORWARD_MISSING -> FailureCode.FORWARD_MISSING;
            case FENCE_ROW_MISSING -> FailureCode.FENCE_ROW_MISSING;
            case BUSY -> FailureCode.BUSY;
            case CODE_UNSPECIFIED, UNRECOGNIZED -> throw WireTerms.unknown("failure code", node.name());
        };
    }

    static Remoting.CallbackFailed.Code code(FailureCode code) {
        return switch (code) {
            case THREW -> Remoting.CallbackFailed.Code.THREW;
            case NO_ANSWER -> Remoting.CallbackFailed.Code.NO_ANSWER;
            case UNKNOWN_CALLBACK -> Remoting.CallbackFailed.Code.UNKNOWN_CALLBACK;
            case STREAM_LOST -> Remoting.CallbackFailed.Code.STREAM_LOST;
            case NO_PARTICIPANT -> Remoting.CallbackFailed.Code.NO_PARTICIPANT;
            case UNDECODABLE -> Remoting.CallbackFailed.Code.UNDECODABLE;
            case FORWARD_MISSING -> Remoting.CallbackFailed.Code.FORWARD_MISSING;
            case FENCE_ROW_MISSING -> Remoting.CallbackFailed.Code.FENCE_ROW_MISSING;
            case BUSY -> Remoting.CallbackFailed.Code.BUSY;
        };
    }

    static Outcome outcome(Remoting.Intervention.Outcome node) {
        return switch (node) {
            case COMMITTED -> Outcome.COMMITTED;
            case COMPENSATED -> Outcome.COMPENSATED;
            case OUTCOME_UNSPECIFIED, UNRECOGNIZED -> throw WireTerms.unknown("outcome", node.name());
        };
    }

    static Remoting.Intervention.Outcome outcome(Outcome outcome) {
        return switch (outcome) {
            case COMMITTED -> Remoting.Intervention.Outcome.COMMITTED;
            case COMPENSATED -> Remoting.Intervention.Outcome.COMPENSATED;
        };
    }

    static Outcome decided(Remoting.Decide.Outcome node) {
        return switch (node) {
            case COMMITTED -> Outcome.COMMITTED;
            case COMPENSATED -> Outcome.COMPENSATED;
            case OUTCOME_UNSPECIFIED, UNRECOGNIZED -> throw WireTerms.unknown("outcome", node.name());
        };
    }

    static Remoting.Decide.Outcome decided(Outcome outcome) {
        return switch (outcome) {
            case COMMITTED -> Remoting.Decide.Outcome.COMMITTED;
            case COMPENSATED -> Remoting.Decide.Outcome.COMPENSATED;
        };
    }
}
