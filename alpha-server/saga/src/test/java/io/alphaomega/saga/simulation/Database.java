package io.alphaomega.saga.simulation;

import io.alphaomega.saga.BranchId;
import io.alphaomega.saga.CallbackKind;
import io.alphaomega.saga.FailureCode;
import io.alphaomega.saga.Payload;
import io.alphaomega.saga.simulation.Reached.Happening;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** The participants' databases: the fence rows and what the business did, changed together in local transactions. */
final class Database {
    private final Map<BranchId, Rows> branches = new HashMap<>();
    private final Map<String, Integer> effects = new HashMap<>();
    private final Reached reached;

    Database(Reached reached) {
        this.reached = reached;
    }

    /** Fence rows, and beneath them how often each kind of business took effect. */
    static final class Rows {
        private boolean forwardRow;
        private boolean barred;
        private boolean compensationRow;
        private boolean confirmationRow;
        int forwards;
        int compensations;
        int confirmations;
        /** Of the run that took effect. */
        Payload arguments = Payload.EMPTY;

        @Override
        public String toString() {
            return "forwards " + forwards + ", compensations " + compensations + ", confirmations " + confirmations;
        }
    }

    Rows of(BranchId branch) {
        return branches.computeIfAbsent(branch, b -> new Rows());
    }

    /** Runs and commits the business; false if a compensation came first, so that it must not run any more. */
    boolean forward(Plan.Call call) {
        Rows rows = of(call.branch());
        if (!call.fenced()) {
            effect(rows, call);
            return true;
        }
        if (rows.barred) {
            reached.happened(Happening.LATE_RUN_BARRED);
            return false;
        }
        if (rows.forwardRow) {
            reached.happened(Happening.SECOND_RUN_OF_A_BRANCH);
        } else {
            rows.forwardRow = true;
            effect(rows, call);
        }
        return true;
    }

    private void effect(Rows rows, Plan.Call call) {
        rows.forwards++;
        rows.arguments = call.arguments();
        effects.merge(call.label(), 1, Integer::sum);
    }

    /** How often the business of each call took effect, under whatever branch, by the call's label. */
    Map<String, Integer> effects() {
        return effects;
    }

    /** Every branch of which there is, or might have been, a row. */
    Map<BranchId, Rows> branches() {
        return branches;
    }

    /** Keeps other runs of the business from committing; false if one of them has. */
    boolean bar(Plan.Call call) {
        Rows rows = of(call.branch());
        if (!call.fenced()) return true;
        if (!rows.forwardRow) rows.barred = true;
        return !rows.forwardRow;
    }

    /** Runs and commits a callback; or says why not. */
    Optional<FailureCode> callback(BranchId branch, CallbackKind kind, boolean fenced, boolean forwardEnded) {
        Rows rows = of(branch);
        return switch (kind) {
            case COMPENSATION -> compensate(rows, fenced, forwardEnded);
            case CONFIRMATION -> confirm(rows, fenced);
        };
    }

    /** The fence's row is purged too early. */
    void purge(BranchId branch) {
        of(branch).forwardRow = false;
    }

    private Optional<FailureCode> compensate(Rows rows, boolean fenced, boolean forwardEnded) {
        if (!fenced) {
            rows.compensations++;
            return Optional.empty();
        }
        if (rows.compensationRow) {
            reached.happened(Happening.CALLBACK_REPEATED);
            return Optional.empty();
        }
        if (!rows.forwardRow && !rows.barred) {
            if (forwardEnded) return Optional.of(FailureCode.FENCE_ROW_MISSING);
            rows.barred = true;
            reached.happened(Happening.COMPENSATED_WITHOUT_HAVING_RUN);
        } else if (!rows.barred) {
            rows.compensations++;
            if (!forwardEnded) reached.happened(Happening.COMPENSATED_BEFORE_ITS_END_WAS_KNOWN);
        }
        rows.compensationRow = true;
        return Optional.empty();
    }

    private static Optional<FailureCode> confirm(Rows rows, boolean fenced) {
        if (fenced && !rows.forwardRow) return Optional.of(FailureCode.FORWARD_MISSING);
        if (!fenced || !rows.confirmationRow) rows.confirmations++;
        rows.confirmationRow = true;
        return Optional.empty();
    }
}
