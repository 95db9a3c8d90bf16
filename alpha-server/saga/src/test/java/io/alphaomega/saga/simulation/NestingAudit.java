package io.alphaomega.saga.simulation;

import io.alphaomega.saga.Branch;
import io.alphaomega.saga.BranchId;
import io.alphaomega.saga.CallbackKind;
import io.alphaomega.saga.Decision;
import io.alphaomega.saga.Parent;
import io.alphaomega.saga.Reply;
import io.alphaomega.saga.SagaEvent;
import io.alphaomega.saga.SagaId;
import io.alphaomega.saga.SagaInput;
import io.alphaomega.saga.SagaState;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/** What must hold between a saga and those nested in it. */
final class NestingAudit {
    private final NestingWorld world;

    /** Those of which a run of the method that began it has returned. */
    private final Set<SagaId> returned = new HashSet<>();

    NestingAudit(NestingWorld world) {
        this.world = world;
    }

    private static void check(boolean kept, String promise, Object... found) {
        if (!kept) throw new BrokenPromiseError(promise + " " + Arrays.toString(found));
    }

    void returned(SagaId nested) {
        returned.add(nested);
    }

    void decided(SagaInput input, Decision decision) {
        world.reached.add(input.getClass());
        if (decision.reply() instanceof Reply.Rejected rejected) world.reached.add(rejected.reason());
        world.reached.add(decision.after().getClass());
    }

    void stored(NestingOwner owner, SagaEvent event) {
        world.reached.add(event.getClass());
        switch (event) {
            case SagaEvent.Begun begun ->
                begun.initiator()
                        .parent()
                        .ifPresent(parent -> check(
                                branch(parent).flatMap(Branch::nested).equals(Optional.of(owner.id())),
                                "a nested saga exists of which its parent does not know:",
                                owner.id()));
            case SagaEvent.Aborted aborted -> world.reached.add(aborted.abort().cause());
            case SagaEvent.Committed committed -> requireCommittedAncestors(owner.id(), "committed");
            case SagaEvent.CallbackSucceeded done -> calledBack(owner, done);
            case SagaEvent other -> {}
        }
    }

    void confirms(SagaId saga) {
        check(isCommitted(saga), "confirmed, but not committed:", saga);
        requireCommittedAncestors(saga, "confirmed");
    }

    private void requireCommittedAncestors(SagaId saga, String what) {
        for (Optional<Parent> parent = parent(saga);
                parent.isPresent();
                parent = parent(parent.get().saga())) {
            SagaId outer = parent.get().saga();
            check(isCommitted(outer), "a nested saga was " + what + " before the one that it is in:", saga, outer);
        }
    }

    /** What says that a nested saga is over is right about that. */
    private void calledBack(NestingOwner owner, SagaEvent.CallbackSucceeded done) {
        Optional<SagaId> nested = branch(new Parent(owner.id(), done.branch())).flatMap(Branch::nested);
        if (nested.isEmpty()) return;
        SagaState state = world.owner(nested.get()).state();
        boolean undone = state instanceof SagaState.Known known && known.abort().isPresent();
        check(
                state instanceof SagaState.Ended || (undone && done.kind() == CallbackKind.CONFIRMATION),
                "a nested saga was taken for over:",
                done,
                state);
        check(undone || done.kind() == CallbackKind.CONFIRMATION, "undone, but it stays done:", nested);
    }

    // ---- the end

    void atTheEnd() {
        for (NestingOwner owner : world.owners.values()) {
            if (!(owner.state() instanceof SagaState.Known known)) continue;
            check(known instanceof SagaState.Ended, "a saga is left open for ever:", known);
            known.saga().initiator().parent().ifPresent(parent -> endsWith(known, parent));
        }
        world.participants.rows().forEach(this::settled);
    }

    private void endsWith(SagaState.Known nested, Parent parent) {
        boolean committed = nested.abort().isEmpty();
        boolean outer = isCommitted(parent.saga());
        check(outer || !committed, "a nested saga stays done, and the one that it is in was undone:", nested.id());
        if (!outer) return;
        boolean told = returned.contains(nested.id());
        check(committed == told, "its caller was told otherwise:", nested.id(), told);
    }

    private void settled(NestingParticipants.Key key, NestingParticipants.Rows rows) {
        if (isCommitted(key.saga())) {
            boolean done = rows.forwards == 1 && rows.compensations == 0 && rows.confirmations == 1;
            check(done, "committed, but torn:", key, rows);
        } else {
            check(rows.confirmations == 0, "confirmed, but not committed:", key, rows);
            check(rows.forwards == rows.compensations, "compensated, but torn:", key, rows);
        }
    }

    private boolean isCommitted(SagaId saga) {
        return world.owner(saga).journal().stream().anyMatch(SagaEvent.Committed.class::isInstance);
    }

    private Optional<Parent> parent(SagaId saga) {
        return world.owner(saga).state() instanceof SagaState.Known known
                ? known.saga().initiator().parent()
                : Optional.empty();
    }

    private Optional<Branch> branch(Parent parent) {
        BranchId id = parent.branch();
        return world.owner(parent.saga()).state() instanceof SagaState.Known known
                ? known.saga().branch(id)
                : Optional.empty();
    }
}
