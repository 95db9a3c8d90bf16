package io.alphaomega.saga;

import io.alphaomega.saga.SagaState.Known;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Why an input is refused: each a sentence for its sender. Those that may find nothing wrong return null then. */
final class InputRefusals {
    private InputRefusals() {}

    static @Nullable Reply overLimit(SagaInput.BeginBranch begin, int branches, int bytes) {
        if (branches >= Limits.BRANCHES) {
            return new Reply.Rejected(
                    Refusal.TOO_MANY_BRANCHES, "a saga has at most %d branches".formatted(Limits.BRANCHES));
        }
        if (begin.arguments().size() > Limits.PAYLOAD_BYTES) return payloadTooLarge("arguments", begin.arguments());
        int total = bytes + begin.call().bytes();
        return total > Limits.SAGA_BYTES ? sagaTooLarge(total) : null;
    }

    static Reply payloadTooLarge(String what, Payload payload) {
        return new Reply.Rejected(
                Refusal.PAYLOAD_TOO_LARGE,
                "the %s of a branch may have %d bytes but have %d: keep the data in the participant's own database and pass its key"
                        .formatted(what, Limits.PAYLOAD_BYTES, payload.size()));
    }

    static Reply sagaTooLarge(int total) {
        return new Reply.Rejected(
                Refusal.SAGA_TOO_LARGE,
                "a saga may hold %d bytes of arguments and results but would hold %d"
                        .formatted(Limits.SAGA_BYTES, total));
    }

    static Reply unknownSaga(SagaState state) {
        return new Reply.Rejected(Refusal.UNKNOWN_SAGA, "saga %s has not begun".formatted(state.id()));
    }

    static Reply unknownBranch(Known state, BranchId branch) {
        return new Reply.Rejected(Refusal.UNKNOWN_BRANCH, "saga %s has no branch %s".formatted(state.id(), branch));
    }

    /** Null if {@code service} may speak of the branch, as any instance of its service may; and if nobody knows whose it is. */
    static @Nullable Reply otherService(Known state, BranchId id, String service) {
        Branch branch = state.saga().branch(id).orElse(null);
        if (branch == null || service.isEmpty() || branch.service().equals(service)) return null;
        return new Reply.Rejected(
                Refusal.OTHER_SERVICE,
                "branch %s of saga %s is of service %s, and service %s cannot say what became of it"
                        .formatted(id, state.id(), branch.service(), service));
    }

    /** As {@link #otherService}, of a callback's answer: for a nested saga only alpha answers. */
    static @Nullable Reply otherAnswer(Known state, BranchId id, String service) {
        Reply refused = Nesting.otherAnswer(state, id, service);
        return refused != null ? refused : otherService(state, id, service);
    }

    /** Never shows arguments, which may hold secrets. */
    static Reply conflict(Known state, Branch known, SagaInput.BeginBranch begin) {
        String was = call(known.operation(), known.service(), known.parent());
        String is = call(begin.operation(), begin.service(), begin.parent());
        String others = known.arguments().equals(begin.arguments()) ? "" : " with other arguments";
        return new Reply.Rejected(
                Refusal.BRANCH_CONFLICT,
                "branch %s of saga %s is %s and has come again as %s%s: only the same call may come again under its id"
                        .formatted(begin.branch(), state.id(), was, is, others));
    }

    private static String call(String operation, String service, Optional<BranchId> parent) {
        return operation + " of " + service + parent.map(id -> " within " + id).orElse("");
    }

    static Reply stale(Known state, BranchId branch, CallbackKind kind, int attempt) {
        return new Reply.Rejected(
                Refusal.STALE_ANSWER,
                "attempt %d of the %s of branch %s of saga %s is not under way"
                        .formatted(attempt, kind.name().toLowerCase(Locale.ROOT), branch, state.id()));
    }
}
