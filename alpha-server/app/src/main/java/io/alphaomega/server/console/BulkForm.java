package io.alphaomega.server.console;

import io.alphaomega.saga.Outcome;
import io.alphaomega.server.bulk.BulkTask;
import java.util.List;

/**
 * What a person fills in to order the same of many sagas.
 *
 * @param stuck for which reason they are; empty for active ones
 * @param service whose people must act; empty for all
 * @param details why alpha gave up on them, to choose from; empty if there is nothing to choose
 * @param count how many they are, as far as the page knows
 */
record BulkForm(BulkTask.Kind kind, String stuck, String service, List<String> details, long count) {
    /** What cannot be taken back is counted first, and the number typed. */
    boolean isForced() {
        return kind != BulkTask.Kind.RETRY;
    }

    String id() {
        return kind == BulkTask.Kind.RETRY ? "bulk-form" : "bulk-" + kind.name();
    }

    /** What people settle by hand is undone, mostly. */
    List<Outcome> outcomes() {
        return List.of(Outcome.COMPENSATED, Outcome.COMMITTED);
    }
}
