package io.alphaomega.server.bulk;

import io.alphaomega.repository.SagaRepository;
import io.alphaomega.server.saga.Sagas;
import io.alphaomega.server.sweep.StuckListener;
import io.alphaomega.server.sweep.StuckSagas;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/**
 * The bulk orders that this node knows. Every node is told of each; the one that looks for stuck sagas carries them out.
 * So they survive a node, though not the whole cluster. Safe for many threads.
 */
public final class BulkOrders implements StuckListener {
    /** The first are forgotten. */
    static final int KNOWN_MAX = 100;

    private static final Comparator<BulkOrder> GIVEN = Comparator.comparing(BulkOrder::at);

    private final BulkRun.Means means;
    private final Map<String, BulkOrder> known = new LinkedHashMap<>();
    private final Map<String, BulkRun> runs = new LinkedHashMap<>();
    private final Map<String, BulkStatus.Progress> ended = new HashMap<>();

    /** As other nodes have found it. */
    private final Map<String, BulkStatus.Fate> fates = new HashMap<>();

    private volatile Consumer<BulkStatus> onEnd = status -> {};

    BulkOrders(Sagas sagas, SagaRepository repository, Clock clock, Executor virtualThreads) {
        this.means = new BulkRun.Means(sagas, repository, clock, virtualThreads);
    }

    /** From now on that is told of each order that this node has carried out to its end. */
    public void onEnd(Consumer<BulkStatus> told) {
        onEnd = told;
    }

    /** Whoever has heard that it is cancelled is not told otherwise. */
    public synchronized void put(BulkOrder order) {
        known.merge(order.id(), order, (before, now) -> before.cancelled() ? before : now);
        if (known.size() > KNOWN_MAX) {
            // By when they were given, so that all nodes forget the same ones, whenever they heard of them.
            String first = Collections.min(known.values(), GIVEN).id();
            known.remove(first);
            ended.remove(first);
            fates.remove(first);
            BulkRun forgotten = runs.remove(first);
            if (forgotten != null) forgotten.cancel();
        }
        BulkRun run = runs.get(order.id());
        if (run != null && order.cancelled()) run.cancel();
    }

    /**
     * What another node knows of an order, and what it has come to: one that is cancelled goes no further here either, and
     * one that is over is not carried out once more if that node goes.
     */
    public synchronized void learn(BulkStatus heard) {
        String id = heard.order().id();
        put(heard.order());
        if (!known.containsKey(id)) return;
        heard.progress().filter(BulkStatus.Progress::over).ifPresent(over -> ended.put(id, over));
        heard.fate().ifPresent(fate -> fates.merge(id, fate, BulkStatus.Fate::later));
    }

    /** Those that were given first come first. */
    public synchronized List<BulkStatus> all() {
        return known.values().stream()
                .sorted(GIVEN)
                .map(order -> new BulkStatus(
                        order,
                        Optional.ofNullable(runs.get(order.id()))
                                .map(BulkRun::progress)
                                .or(() -> Optional.ofNullable(ended.get(order.id()))),
                        Optional.ofNullable(runs.get(order.id()))
                                .flatMap(BulkRun::fate)
                                .or(() -> Optional.ofNullable(fates.get(order.id())))))
                .toList();
    }

    /** Whether this node knows of one that is neither over nor cancelled. */
    public boolean hasOpen() {
        return all().stream()
                .map(BulkStatus::state)
                .anyMatch(state -> state == BulkStatus.State.KNOWN || state == BulkStatus.State.RUNNING);
    }

    /** How long what happens to a saga may stay unseen by those who look for sagas. */
    public Duration visibilityLag() {
        return means.repository().visibilityLag();
    }

    /**
     * The sagas that an abort would mean now.
     *
     * @param shown how many of them one by one
     * @throws io.alphaomega.repository.RepositoryUnavailableException if the store is away
     */
    public ActiveSagas active(BulkTask.Abort abort, int shown) {
        return ActiveSagas.of(abort, means.repository(), shown);
    }

    /** Goes on with what is not over, by what was just found to be stuck; without waiting. */
    @Override
    public void found(StuckSagas found) {
        follow(found);
        for (BulkRun run : open(found)) run.goOn(found);
    }

    private synchronized void follow(StuckSagas found) {
        for (BulkRun run : runs.values()) run.follow(found);
    }

    /** Those that are waiting for what was found. */
    private synchronized List<BulkRun> open(StuckSagas found) {
        List<BulkRun> open = new ArrayList<>();
        for (BulkOrder order : known.values()) {
            if (ended.containsKey(order.id())) continue;
            BulkRun run = runs.computeIfAbsent(
                    order.id(),
                    id -> new BulkRun(order, means, over -> onEnd.accept(new BulkStatus(order, Optional.of(over)))));
            if (order.cancelled()) run.cancel();
            if (run.isOpen() && found.asOf().isAfter(order.at())) open.add(run);
        }
        return open;
    }

    /** Another node carries them out from now on. */
    @Override
    public synchronized void stopped() {
        for (BulkRun run : runs.values()) run.cancel();
        runs.clear();
    }
}
