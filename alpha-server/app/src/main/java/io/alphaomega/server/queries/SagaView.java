package io.alphaomega.server.queries;

import io.alphaomega.saga.Branch;
import io.alphaomega.saga.SagaEvent;
import io.alphaomega.saga.SagaState;
import io.alphaomega.saga.SagaState.Known;
import java.util.List;
import java.util.stream.IntStream;

/**
 * One saga as its journal tells it, for a page.
 *
 * @param detail as the API answers it
 * @param state up to the first event that cannot be read
 * @param unreadable whether there is such an event
 * @param branches in the order in which they began
 * @param happened the events that can be read
 * @param nested those of the sagas nested in it whose histories are still stored
 */
public record SagaView(
        SagaDetail detail,
        SagaState state,
        boolean unreadable,
        List<BranchView> branches,
        List<Happened> happened,
        List<SagaView> nested) {

    /**
     * An event that can be read.
     *
     * @param entry as it is told to people
     */
    public record Happened(HistoryEntry entry, SagaEvent event) {}

    static SagaView of(SagaDetail detail, JournalReading reading, boolean unreadable, List<SagaView> nested) {
        return new SagaView(
                detail, reading.state(), unreadable, branches(detail, reading.state()), reading.happened(), nested);
    }

    private static List<BranchView> branches(SagaDetail detail, SagaState state) {
        if (!(state instanceof Known known)) return List.of();
        List<Branch> branches = List.copyOf(known.saga().branches());
        return IntStream.range(0, branches.size())
                .mapToObj(i -> new BranchView(
                        detail.branches().get(i),
                        branches.get(i).forward(),
                        branches.get(i).progress()))
                .toList();
    }
}
