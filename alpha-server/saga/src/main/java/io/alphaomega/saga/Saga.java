package io.alphaomega.saga;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * What is known of a saga in every state after its begin.
 *
 * @param provisional a branch came before the begin: the policy is the default one until the begin catches up
 * @param deadline when the saga is aborted unless it has ended
 * @param branches in the order in which they began
 * @param sequence how many events the journal has
 * @param bytes size of what the journal holds of payloads and names, an estimate
 */
public record Saga(
        SagaId id,
        Initiator initiator,
        Policy policy,
        boolean provisional,
        Instant begunAt,
        Instant deadline,
        List<Branch> branches,
        long sequence,
        int bytes) {

    /** The branch of that id, if it has begun. */
    public Optional<Branch> branch(BranchId branch) {
        for (Branch candidate : branches) {
            if (candidate.id().equals(branch)) return Optional.of(candidate);
        }
        return Optional.empty();
    }

    Saga with(Branch begun, int size) {
        List<Branch> more = new ArrayList<>(branches.size() + 1);
        more.addAll(branches);
        more.add(begun);
        return new Saga(
                id, initiator, policy, provisional, begunAt, deadline, List.copyOf(more), sequence, bytes + size);
    }

    Saga changing(BranchId branch, UnaryOperator<Branch> change) {
        List<Branch> changed = new ArrayList<>(branches);
        for (int i = 0; i < changed.size(); i++) {
            if (changed.get(i).id().equals(branch)) {
                changed.set(i, change.apply(changed.get(i)));
                return with(changed);
            }
        }
        throw new CorruptJournalException("saga " + id + " has no branch " + branch);
    }

    Saga with(List<Branch> changed) {
        return new Saga(id, initiator, policy, provisional, begunAt, deadline, List.copyOf(changed), sequence, bytes);
    }

    Saga grown(int size) {
        return new Saga(id, initiator, policy, provisional, begunAt, deadline, branches, sequence, bytes + size);
    }

    Saga next() {
        return new Saga(id, initiator, policy, provisional, begunAt, deadline, branches, sequence + 1, bytes);
    }
}
