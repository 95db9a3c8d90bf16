package io.alphaomega.omega.fence;

import static io.alphaomega.omega.fence.FenceRow.BEGIN;
import static io.alphaomega.omega.fence.FenceRow.COMPENSATION;
import static io.alphaomega.omega.fence.FenceRow.CONFIRMATION;
import static io.alphaomega.omega.fence.FenceRow.FAILURE;
import static io.alphaomega.omega.fence.FenceRow.FORWARD;
import static io.alphaomega.omega.fence.FenceRow.SEQUEL;

import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * The rules of the fence for one branch, as {@link Fence} describes them, in steps over its rows: the same through JDBC and
 * through R2DBC, and with the answers of {@code fence.lua}.
 *
 * <p>An insert comes first wherever one decides: of two transactions that insert the same row the second waits for the
 * first, and a transaction whose snapshot is too old to show a row still meets it.
 *
 * @param readsLatest whether a row is found that was committed since the transaction began
 */
record FenceRules(String saga, String branch, boolean readsLatest) {

    Step<Boolean> begin() {
        return insert(BEGIN, BEGIN, FenceRules::done);
    }

    Step<Forward> forward() {
        return insert(FORWARD, FORWARD, first -> first ? done(Forward.RUN) : again());
    }

    Step<Forward> again() {
        // What a compensation has undone is not there to be returned: the branch is over, whichever came first.
        return isThere(FORWARD, ran -> ran ? find(COMPENSATION, this::again) : done(Forward.REFUSED));
    }

    private Step<Forward> again(boolean undone) {
        if (undone) return done(Forward.REFUSED);
        return new Step.Read<>(FenceRow.forward(saga, branch), stored -> done(Forward.duplicate(stored.orElse(null))));
    }

    Step<Boolean> storeResult(byte[] result) {
        if (result.length > Fence.RESULT_BYTES) {
            throw new IllegalArgumentException("The result of branch " + branch + " of saga " + saga + " has "
                    + result.length + " bytes, the fence keeps at most " + Fence.RESULT_BYTES
                    + ": return a key and keep the rest in a table of your own.");
        }
        return new Step.Store<>(FenceRow.forward(saga, branch), result, stored -> {
            if (stored) return done(true);
            throw new IllegalStateException("Branch " + branch + " of saga " + saga
                    + " has no forward row in omega_fence: Fence.forward must come first, in the same transaction.");
        });
    }

    Step<Boolean> bar() {
        return insert(FORWARD, FAILURE, first -> first ? done(true) : find(FORWARD, ran -> done(!ran)));
    }

    Step<Compensation> compensation(boolean forwardEnded) {
        return insert(FORWARD, COMPENSATION, neverRan -> {
            if (!neverRan) return find(FORWARD, ran -> compensation(forwardEnded, ran));
            if (!forwardEnded) return compensation(false, false);
            return delete(FORWARD, COMPENSATION, Compensation.FENCE_ROW_MISSING);
        });
    }

    private Step<Compensation> compensation(boolean forwardEnded, boolean ran) {
        if (ran) return undo(true);
        if (forwardEnded) return done(Compensation.FENCE_ROW_MISSING);
        return insert(BEGIN, COMPENSATION, neverBegan -> neverBegan ? undo(false) : find(BEGIN, this::undo));
    }

    private Step<Compensation> undo(boolean begun) {
        Compensation first = begun ? Compensation.RUN : Compensation.NOTHING_TO_UNDO;
        return insert(COMPENSATION, COMPENSATION, isFirst -> done(isFirst ? first : Compensation.DONE_BEFORE));
    }

    Step<Confirmation> confirmation(boolean fenced) {
        return insert(CONFIRMATION, CONFIRMATION, first -> {
            if (!first) return done(Confirmation.DONE_BEFORE);
            return fenced ? isThere(FORWARD, this::confirm) : done(Confirmation.RUN);
        });
    }

    private Step<Confirmation> confirm(boolean ran) {
        return ran ? done(Confirmation.RUN) : delete(CONFIRMATION, CONFIRMATION, Confirmation.FORWARD_MISSING);
    }

    Step<Boolean> sequel() {
        return insert(SEQUEL, SEQUEL, first -> first ? isUndone(this::find, this::sequel) : done(false));
    }

    private Step<Boolean> sequel(boolean undone) {
        if (undone) return done(true);
        return isThere(CONFIRMATION, yes -> yes ? done(true) : isUndone(this::isThere, FenceRules::done));
    }

    private static Step<Boolean> isUndone(
            BiFunction<String, Function<Boolean, Step<Boolean>>, Step<Boolean>> find,
            Function<Boolean, Step<Boolean>> then) {
        return find.apply(COMPENSATION, yes -> {
            if (!yes) return then.apply(false);
            return find.apply(FORWARD, ran -> ran ? then.apply(true) : find.apply(BEGIN, then));
        });
    }

    static Step<Boolean> remember(byte[] memory) {
        Step<Boolean> store = new Step.Store<>(FenceRow.MEMORY, memory, FenceRules::done);
        Step<Boolean> first = new Step.Ask<>(Step.Verb.INSERT, FenceRow.MEMORY, inserted -> store);
        return new Step.Store<>(FenceRow.MEMORY, memory, stored -> stored ? done(true) : first);
    }

    /**
     * Whether the row is there, also if this transaction is too old to see it: an insert meets it then, by an error after
     * which the transaction is to be repeated.
     */
    private <V> Step<V> isThere(String op, Function<Boolean, Step<V>> then) {
        return find(op, found -> {
            if (found || readsLatest) return then.apply(found);
            return insert(op, op, missing -> {
                if (!missing) return find(op, then);
                return new Step.Ask<>(Step.Verb.DELETE, row(op, op), deleted -> then.apply(false));
            });
        });
    }

    private <V> Step<V> insert(String op, String reason, Function<Boolean, Step<V>> then) {
        return new Step.Ask<>(Step.Verb.INSERT, row(op, reason), then);
    }

    private <V> Step<V> find(String op, Function<Boolean, Step<V>> then) {
        return new Step.Ask<>(Step.Verb.FIND, row(op, op), then);
    }

    private <V> Step<V> delete(String op, String reason, V verdict) {
        return new Step.Ask<>(Step.Verb.DELETE, row(op, reason), deleted -> done(verdict));
    }

    private FenceRow row(String op, String reason) {
        return new FenceRow(saga, branch, op, reason);
    }

    private static <V> Step<V> done(V verdict) {
        return new Step.Done<>(verdict);
    }
}
