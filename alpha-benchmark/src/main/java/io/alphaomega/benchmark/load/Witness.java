package io.alphaomega.benchmark.load;

import io.alphaomega.benchmark.load.SagaOutcomes.Outcome;
import io.alphaomega.protocol.v1.Callback;
import io.alphaomega.protocol.v1.CallbackKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What the simulated participants of a lane saw that must not be: a committed saga compensated, a branch undone that never
 * ended, compensations in the wrong order. Repeats of what was asked before are allowed, because streams break.
 */
final class Witness {
    /** One sentence tells what is wrong; a hundred thousand of the kind tell no more. */
    private static final int SENTENCES_MAX = 20;

    private final List<String> sentences = new ArrayList<>();
    private long violations;
    private long compensations;
    private long confirmations;
    private long repeats;

    /** What participants saw altogether. */
    record Seen(long compensations, long confirmations, long repeats, long violations, List<String> sentences) {
        Seen plus(Seen other) {
            List<String> both = new ArrayList<>(sentences);
            both.addAll(other.sentences);
            return new Seen(
                    compensations + other.compensations,
                    confirmations + other.confirmations,
                    repeats + other.repeats,
                    violations + other.violations,
                    both);
        }

        static final Seen NOTHING = new Seen(0, 0, 0, 0, List.of());
    }

    Seen seen() {
        return new Seen(compensations, confirmations, repeats, violations, List.copyOf(sentences));
    }

    /** A callback of a saga that lives. */
    void called(SimulatedSaga saga, int branch, Callback callback, boolean argumentsRight) {
        if (branch < 0) {
            violation(callback, "although the saga has no such branch");
            return;
        }
        count(callback, saga.called.get(branch));
        if (!argumentsRight) violation(callback, "came with other arguments than the branch began with");
        switch (callback.getKind()) {
            case COMPENSATION -> {
                if (saga.decision == SimulatedSaga.Decision.COMMITTED)
                    violation(callback, "although the saga has committed");
                // The fence allows alpha to undo a branch of which it has heard nothing, where things went wrong.
                if (!saga.reported.get(branch) && !saga.odd) violation(callback, "although the branch has not ended");
                int later = saga.ended.nextSetBit(branch + 1);
                while (later >= 0 && saga.called.get(later)) later = saga.ended.nextSetBit(later + 1);
                if (later >= 0 && saga.script.together() == saga.script.steps().size() - 1 && !saga.odd) {
                    violation(callback, "before the branch that ended after it");
                }
            }
            case CONFIRMATION -> {
                if (saga.decision == SimulatedSaga.Decision.ABORTED)
                    violation(callback, "although the saga was aborted");
            }
            case INQUIRY -> violation(callback, "although this service has not said that it answers inquiries");
            case CALLBACK_KIND_UNSPECIFIED, UNRECOGNIZED -> violation(callback, "of a kind that nobody knows");
        }
    }

    /** A callback of a saga that has left the books: right if it repeats what must have been asked before. */
    void calledLate(Outcome outcome, boolean branchEnded, boolean tcc, Callback callback) {
        count(callback, true);
        boolean compensation = callback.getKind() == CallbackKind.COMPENSATION;
        switch (outcome) {
            case COMMITTED -> {
                if (compensation) violation(callback, "although the saga has committed");
                else if (!tcc) violation(callback, "although nobody offered one");
            }
            case COMPENSATED, SUSPENDED -> {
                if (!compensation) violation(callback, "although the saga was aborted");
                else if (!branchEnded) violation(callback, "although the branch has not ended");
            }
            case NEVER_BEGUN -> violation(callback, "although the saga was never begun");
            case KEPT_OPEN -> violation(callback, "although the saga is open");
            case LIVE, UNKNOWN, REFUSED -> {} // Nobody here can say.
        }
    }

    /** A callback of a saga that was left to alpha. */
    void undone(boolean branchEnded, Callback callback) {
        count(callback, false);
        if (callback.getKind() != CallbackKind.COMPENSATION) violation(callback, "although nobody committed the saga");
        if (!branchEnded) violation(callback, "although the branch has not ended");
    }

    /** A callback of a saga that is none of this run's. */
    void calledForStranger() {
        repeats++;
    }

    private void count(Callback callback, boolean again) {
        if (again) repeats++;
        else if (callback.getKind() == CallbackKind.COMPENSATION) compensations++;
        else confirmations++;
    }

    private void violation(Callback callback, String what) {
        violations++;
        if (sentences.size() < SENTENCES_MAX) {
            sentences.add("The %s of branch %s of saga %s was called %s."
                    .formatted(
                            callback.getKind().name().toLowerCase(Locale.ROOT),
                            callback.getBranch(),
                            callback.getSaga(),
                            what));
        }
    }
}
