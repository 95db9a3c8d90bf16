package io.alphaomega.saga;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * What is known of a saga in every state after its begin.
 *
 * @param provisional a branch came before the begin: the policy is the default one until the begin catches up
 * @param deadline when the saga is aborted unless it has ended
 * @param branches in the order in which they began
 * @param services every service that takes part, the initiator's included
 * @param sequence how many events the journal has
 * @param bytes size of what the journal holds of payloads and names, an estimate
 * @param orders the last orders of operators that took effect, oldest first: at most {@link Limits#ORDERS}
 * @param heldFor which restoration of the store it was held for last, by {@link Restoration#foundAt()}
 */
public record Saga(
        SagaId id,
        Initiator initiator,
        Policy policy,
        boolean provisional,
        Instant begunAt,
        Instant deadline,
        Branches branches,
        Set<String> services,
        long sequence,
        int bytes,
        List<Order> orders,
        Optional<Instant> heldFor) {

    /**
     * An operator's order that took effect.
     *
     * @param seen how many events the journal had before
     * @param event what was journaled of it
     */
    public record Order(long seen, SagaEvent event) {}

    /** The branch of that id, if it has begun. */
    public Optional<Branch> branch(BranchId branch) {
        int position = branches.position(branch);
        return position < 0 ? Optional.empty() : Optional.of(branches.get(position));
    }

    Saga with(Branch begun, int size) {
        return new Saga(
                id,
                initiator,
                policy,
                provisional,
                begunAt,
                deadline,
                branches.with(begun),
                with(services, begun.service()),
                sequence,
                bytes + size,
                orders,
                heldFor);
    }

    Saga changing(BranchId branch, UnaryOperator<Branch> change) {
        int position = branches.position(branch);
        if (position < 0) throw new CorruptJournalException("saga " + id + " has no branch " + branch);
        return with(branches.changing(position, change));
    }

    Saga with(Branches changed) {
        return new Saga(
                id,
                initiator,
                policy,
                provisional,
                begunAt,
                deadline,
                changed,
                services,
                sequence,
                bytes,
                orders,
                heldFor);
    }

    Saga grown(int size) {
        return new Saga(
                id,
                initiator,
                policy,
                provisional,
                begunAt,
                deadline,
                branches,
                services,
                sequence,
                bytes + size,
                orders,
                heldFor);
    }

    Saga next() {
        return new Saga(
                id,
                initiator,
                policy,
                provisional,
                begunAt,
                deadline,
                branches,
                services,
                sequence + 1,
                bytes,
                orders,
                heldFor);
    }

    /** The saga, of which an operator has ordered what {@code event} says. */
    Saga ordered(SagaEvent event) {
        int dropped = orders.size() < Limits.ORDERS ? 0 : 1;
        List<Order> more = new ArrayList<>(orders.subList(dropped, orders.size()));
        more.add(new Order(sequence, event));
        return new Saga(
                id,
                initiator,
                policy,
                provisional,
                begunAt,
                deadline,
                branches,
                services,
                sequence,
                bytes,
                List.copyOf(more),
                heldFor);
    }

    /** The saga, held for a restoration that was found at that time. */
    Saga heldFor(Instant restoration) {
        return new Saga(
                id,
                initiator,
                policy,
                provisional,
                begunAt,
                deadline,
                branches,
                services,
                sequence,
                bytes,
                orders,
                Optional.of(restoration));
    }

    /** The services with one more, if it has a name and is not among them. */
    static Set<String> with(Set<String> services, String service) {
        if (service.isEmpty() || services.contains(service)) return services;
        Set<String> more = new HashSet<>(services);
        more.add(service);
        return Set.copyOf(more);
    }
}
