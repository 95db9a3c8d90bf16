package io.alphaomega.server.repository;

import io.alphaomega.repository.Append;
import io.alphaomega.repository.StoredEvent;
import io.alphaomega.repository.Version;
import io.alphaomega.saga.SagaId;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What waits for a lane, in two lines: appends of running sagas, and those that begin a saga. What runs is finished
 * first; begins have a share of each batch, so that they wait but do not starve. Not thread-safe.
 */
final class Backlog {
    /** Of the queue: while more than this part waits, whatever it is, no further saga is begun. */
    private static final int BEGINS_OF_QUEUE = 2;

    /** Of a batch: so much of it begins may count on. */
    private static final int BEGINS_OF_BATCH = 8;

    /** What an append holds besides its events' bytes: ids, summary, objects. */
    private static final int ITEM_OVERHEAD_BYTES = 512;

    /** One append and who waits for it. */
    record Item(Append append, boolean begins, int bytes, long since, AppendListener waiter) {
        static Item of(Append append, AppendListener waiter) {
            int bytes = ITEM_OVERHEAD_BYTES;
            for (StoredEvent event : append.events()) bytes += event.bytes().length;
            return new Item(append, append.expected().equals(Version.NONE), bytes, System.nanoTime(), waiter);
        }
    }

    /** A queue that knows its size in bytes. */
    private static final class Line {
        private final Queue<Item> items = new ArrayDeque<>();
        private long bytes;
    }

    /** Where the appends of a saga wait, and how many they are: they all wait in one line, so that they keep their order. */
    private record Place(Line line, int items) {}

    private final GroupCommit.Limits limits;
    private final Line running = new Line();
    private final Line begins = new Line();
    private final Map<SagaId, Place> places = new HashMap<>();
    private boolean passedOver;

    Backlog(GroupCommit.Limits limits) {
        this.limits = limits;
    }

    /** Whether there is room for the item. One that is larger than all the room is taken if it is alone. */
    boolean fits(Item item) {
        int part = item.begins() ? BEGINS_OF_QUEUE : 1;
        return isEmpty()
                || (items() < Math.max(1, limits.queueItems() / part)
                        && bytes() + item.bytes() <= limits.queueBytes() / part);
    }

    void add(Item item) {
        Line own = item.begins() ? begins : running;
        Place place = places.merge(
                item.append().id(), new Place(own, 1), (old, one) -> new Place(old.line(), old.items() + 1));
        place.line().items.add(item);
        place.line().bytes += item.bytes();
    }

    /** What is to be written next, in order: up to a batch, or one item of any size. */
    List<Item> takeBatch() {
        List<Item> batch = new ArrayList<>(Math.min(items(), limits.batchItems()));
        int waiting = begins.items.size();
        int share = Math.min(waiting, limits.batchItems() / BEGINS_OF_BATCH);
        long shareBytes = Math.min(begins.bytes, limits.batchBytes() / BEGINS_OF_BATCH);
        // One that is larger than the share waits for one batch and opens the next.
        if (passedOver) move(begins, batch, 1, 0);
        move(running, batch, limits.batchItems() - share, limits.batchBytes() - shareBytes);
        move(begins, batch, limits.batchItems(), limits.batchBytes());
        passedOver = waiting > 0 && begins.items.size() == waiting;
        return batch;
    }

    /** As many as the batch may have, and as many bytes; the first of a batch may be of any size. */
    private void move(Line from, List<Item> batch, int items, long bytes) {
        long taken = 0;
        for (Item item : batch) taken += item.bytes();
        for (Item next = from.items.peek(); next != null && batch.size() < items; next = from.items.peek()) {
            if (!batch.isEmpty() && taken + next.bytes() > bytes) return;
            taken += next.bytes();
            batch.add(next);
            remove(from);
        }
    }

    private void remove(Line from) {
        Item item = from.items.remove();
        from.bytes -= item.bytes();
        places.computeIfPresent(
                item.append().id(),
                (id, place) -> place.items() == 1 ? null : new Place(place.line(), place.items() - 1));
    }

    /** From the front of each line, those that are {@code overdue}. */
    List<Item> takeWhile(Predicate<Item> overdue) {
        List<Item> taken = new ArrayList<>();
        for (Line line : List.of(running, begins)) {
            for (Item next = line.items.peek(); next != null && overdue.test(next); next = line.items.peek()) {
                taken.add(next);
                remove(line);
            }
        }
        return taken;
    }

    boolean isEmpty() {
        return items() == 0;
    }

    int items() {
        return running.items.size() + begins.items.size();
    }

    long bytes() {
        return running.bytes + begins.bytes;
    }

    /** The one that has waited longest. */
    @Nullable
    Item oldest() {
        Item run = running.items.peek();
        Item begin = begins.items.peek();
        if (run == null || begin == null) return run == null ? begin : run;
        return run.since() - begin.since() <= 0 ? run : begin;
    }
}
