package io.alphaomega.server.repository;

import io.alphaomega.repository.Append;
import io.alphaomega.repository.AppendResult;
import io.alphaomega.repository.RepositoryUnavailableException;
import io.alphaomega.server.repository.Backlog.Item;
import io.alphaomega.server.turn.Turn;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Appends that are written together, each with the caller that waits for its result. */
record AppendBatch(List<Item> items) {
    static final AppendBatch NONE = new AppendBatch(List.of());

    private static final Logger LOG = LoggerFactory.getLogger(AppendBatch.class);

    List<Append> appends() {
        List<Append> appends = new ArrayList<>(items.size());
        for (Item item : items) appends.add(item.append());
        return appends;
    }

    /** @throws IllegalStateException if there is not one result for each append */
    void requireAnswered(List<AppendResult> results) {
        if (results.size() != items.size()) {
            throw new IllegalStateException(
                    "the repository answered %d appends with %d results".formatted(items.size(), results.size()));
        }
    }

    /** Reports the results. What is stored is stored, whatever the callers then do. */
    void stored(List<AppendResult> results) {
        try {
            Turn.take(() -> {
                for (int i = 0; i < items.size(); i++) stored(items.get(i), results.get(i));
            });
        } catch (Throwable e) {
            LOG.error(
                    "A listener failed after its batch of appends had been stored; continuing with the next batch.", e);
        }
    }

    private static void stored(Item item, AppendResult result) {
        try {
            item.waiter().stored(result);
        } catch (Throwable e) {
            LOG.error(
                    "Saga {} failed when it was told what became of an append.",
                    item.append().id(),
                    e);
        }
    }

    void failed(Throwable failure) {
        RepositoryUnavailableException unavailable = failure instanceof RepositoryUnavailableException already
                ? already
                : new RepositoryUnavailableException(
                        "The store failed while it appended, whether it has stored anything is unknown: " + failure,
                        failure);
        for (Item item : items) item.waiter().failed(unavailable);
    }
}
