package io.alphaomega.repository.elasticsearch;

import io.alphaomega.repository.Append;
import io.alphaomega.repository.AppendResult;
import io.alphaomega.repository.AppendResult.Appended;
import io.alphaomega.repository.AppendResult.Conflict;
import io.alphaomega.repository.Version;
import io.alphaomega.saga.SagaId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/**
 * One batch of appends: one bulk request, and one more that asks where the sagas of the losers stand, if there are any.
 *
 * <p>Of the items of one saga at most one is stored: the version that it makes is known to nobody before, so none of the
 * others can expect it.
 */
final class Appending {
    private final List<Append> batch;
    private final @Nullable Appended[] won;

    private Appending(List<Append> batch) {
        this.batch = batch;
        won = new Appended[batch.size()];
    }

    static List<AppendResult> run(Nodes nodes, String alias, List<Append> batch, Deadline deadline) {
        Appending appending = new Appending(batch);
        appending.send(nodes, alias, deadline);
        return appending.results(nodes, alias, deadline);
    }

    private void send(Nodes nodes, String alias, Deadline deadline) {
        Bulk bulk = new Bulk();
        List<Integer> sent = new ArrayList<>();
        for (int i = 0; i < batch.size(); i++) {
            if (add(bulk, batch.get(i))) sent.add(i);
        }
        List<Bulk.Outcome> outcomes = bulk.send(nodes, alias, deadline);
        for (int k = 0; k < sent.size(); k++) {
            Bulk.Outcome outcome = outcomes.get(k);
            int i = sent.get(k);
            Append item = batch.get(i);
            if (outcome.isDone()) {
                long sequence = item.expected().sequence() + item.events().size();
                won[i] = new Appended(outcome.stamp().version(sequence));
            }
        }
    }

    /** Whether it was added: an item that expects what no append can have made has lost already. */
    private static boolean add(Bulk bulk, Append item) {
        String id = item.id().value();
        if (item.expected().equals(Version.NONE)) {
            bulk.create(id, json -> write(json, item));
            return true;
        }
        Optional<Stamp> stamp = Stamp.of(item.expected());
        stamp.ifPresent(at -> bulk.merge(id, at, json -> write(json, item)));
        return stamp.isPresent();
    }

    private static void write(JsonGenerator json, Append item) {
        SummaryFields.write(json, item.summary());
        Journals.write(json, item.expected().sequence(), item.events());
    }

    private List<AppendResult> results(Nodes nodes, String alias, Deadline deadline) {
        Map<SagaId, Integer> winners = new HashMap<>();
        for (int i = 0; i < won.length; i++) {
            if (won[i] != null) winners.put(batch.get(i).id(), i);
        }
        Set<SagaId> unknown = new HashSet<>();
        for (Append item : batch) {
            if (!winners.containsKey(item.id())) unknown.add(item.id());
        }
        Map<SagaId, Version> standing =
                unknown.isEmpty() ? Map.of() : Journals.versions(nodes, alias, unknown, deadline);
        AppendResult[] results = new AppendResult[batch.size()];
        for (int i = 0; i < results.length; i++) {
            SagaId id = batch.get(i).id();
            results[i] = result(i, winners.get(id), standing.getOrDefault(id, Version.NONE));
        }
        return Arrays.asList(results);
    }

    private AppendResult result(int i, @Nullable Integer winner, Version standing) {
        Appended stored = won[i];
        if (stored != null) return stored;
        if (winner == null) return new Conflict(standing);
        Appended winners = won[winner];
        return new Conflict(i < winner || winners == null ? batch.get(winner).expected() : winners.version());
    }
}
