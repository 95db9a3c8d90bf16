package io.alphaomega.saga;

import io.alphaomega.saga.Branch.Forward;
import io.alphaomega.saga.Branch.Progress;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Whose callback comes next, once a saga is decided. */
final class CallbackSequence {
    private CallbackSequence() {}

    /**
     * The branch whose callback is asked next: compensations last-finished-first, then those whose end nobody reported
     * in time, which only a fence makes safe; confirmations first-finished-first. A branch whose end travels stands where
     * it must have finished if it has: after whatever it has called, and before whatever began later.
     */
    static @Nullable Branch next(Saga saga, CallbackKind kind, Instant now) {
        if (saga.policy().order() == Policy.Order.SEQUENTIAL && isBusy(saga)) return null;
        Branch next = saga.branches().firstInLine();
        if (kind != CallbackKind.COMPENSATION) return next;
        Branch overdue = null;
        boolean anyTravels = false;
        for (Branch branch : saga.branches().moving()) {
            if (!isSilent(branch, now)) continue;
            overdue = branch;
            anyTravels |= branch.endTravels();
        }
        if (!anyTravels) return next == null ? overdue : next;
        return lastToFinish(saga.branches(), next, now);
    }

    private static boolean isSilent(Branch branch, Instant now) {
        return branch.progress() instanceof Progress.Idle
                && branch.compensation().isPresent()
                && branch.fenced()
                && branch.isSilent(now);
    }

    /** Of those of which nothing is heard the one that can have finished last, unless {@code ended} must have later. */
    private static @Nullable Branch lastToFinish(Branches branches, @Nullable Branch ended, Instant now) {
        long[] signs = lastSigns(branches);
        Branch last = null;
        long lastSign = 0;
        for (int i = 0; i < branches.size(); i++) {
            Branch branch = branches.get(i);
            boolean later = signs[i] > lastSign; // Who called the others comes first, and has their sign.
            if (!later || !isSilent(branch, now)) continue;
            if (ended != null && (!branch.endTravels() || signs[i] < order(ended))) continue;
            last = branch;
            lastSign = signs[i];
        }
        return last == null ? ended : last;
    }

    /** By position, the sequence of the last event by which each branch, or one called in it, is known to have run. */
    private static long[] lastSigns(Branches branches) {
        long[] signs = new long[branches.size()];
        for (int i = branches.size() - 1; i >= 0; i--) {
            Branch branch = branches.get(i);
            long own = branch.forward() instanceof Forward.Ended ? order(branch) : branch.begunAs();
            signs[i] = Math.max(signs[i], own);
            int caller = branch.parent().map(branches::position).orElse(-1);
            // Whatever its begin says, who called it began before it.
            if (caller >= 0 && caller < i) signs[caller] = Math.max(signs[caller], signs[i]);
        }
        return signs;
    }

    private static long order(Branch ended) {
        return ((Forward.Ended) ended.forward()).order();
    }

    static boolean isBusy(Saga saga) {
        for (Branch branch : saga.branches().moving()) {
            boolean busy =
                    switch (branch.progress()) {
                        case Progress.Asked asked -> true;
                        case Progress.AwaitingRetry awaiting -> true;
                        case Progress.AwaitingParticipant awaiting -> true;
                        case Progress.GaveUp gaveUp -> true;
                        case Progress.Idle idle -> false;
                        case Progress.Done done -> false;
                        case Progress.Skipped skipped -> false;
                    };
            if (busy) return true;
        }
        return false;
    }
}
