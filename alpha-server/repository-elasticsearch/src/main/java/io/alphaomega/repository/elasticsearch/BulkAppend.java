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
final class BulkAppend {
    private final WrittenJournals written;
    private final List<Append> batch;
    private final @Nullable Appended[] won;

    private BulkAppend(WrittenJournals written, List<Append> batch) {
        this.written = written;
        this.batch = batch;
        won = new Appended[batch.size()];
    }

    /** One item on its way, with the members of the whole object of its events; empty if those are not known. */
    private record Sent(int number, Optional<String> events) {}

    static List<AppendResult> run(
            ElasticsearchNodes nodes, String alias, WrittenJournals written, List<Append> batch, Deadline deadline) {
        BulkAppend appending = new BulkAppend(written, batch);
        appending.send(nodes, alias, deadline);
        return appending.results(nodes, alias, deadline);
    }

    private void send(ElasticsearchNodes nodes, String alias, Deadline deadline) {
        Bulk bulk = new Bulk();
        List<Sent> sent = new ArrayList<>();
        for (int i = 0; i < batch.size(); i++) add(bulk, i, sent);
        List<Bulk.Outcome> outcomes = bulk.send(nodes, alias, deadline);
        for (int k = 0; k < sent.size(); k++) {
            Bulk.Outcome outcome = outcomes.get(k);
            if (outcome.isDone()) stored(sent.get(k), outcome.stamp());
        }
    }

    /** Unless it expects what no append can have made: then it has lost already. */
    private void add(Bulk bulk, int number, List<Sent> sent) {
        Append item = batch.get(number);
        String id = item.id().value();
        long before = item.expected().sequence();
        String added = Journals.members(before, item.events());
        if (item.expected().equals(Version.NONE)) {
            bulk.create(id, json -> write(json, item, added));
            sent.add(new Sent(number, Optional.of(added)));
            return;
        }
        Optional<WriteStamp> stamp = WriteStamp.of(item.expected());
        if (stamp.isEmpty()) return;
        Optional<String> all = written.events(item.id(), stamp.get()).map(events -> events + "," + added);
        all.ifPresentOrElse(
                events -> bulk.replace(id, stamp.get(), json -> write(json, item, events)),
                () -> bulk.merge(id, stamp.get(), json -> write(json, item, added)));
        sent.add(new Sent(number, all));
    }

    private static void write(JsonGenerator json, Append item, String events) {
        SummaryFields.write(json, item.summary());
        Journals.write(json, item.expected().sequence() + item.events().size(), events);
    }

    private void stored(Sent sent, WriteStamp stamp) {
        Append item = batch.get(sent.number());
        won[sent.number()] = new Appended(
                stamp.version(item.expected().sequence() + item.events().size()));
        // One that has ended is seldom written again; of one that was merged the earlier events are not known.
        if (item.summary().state().isEnded() || sent.events().isEmpty()) written.remove(item.id());
        else written.put(item.id(), stamp, sent.events().get());
    }

    private List<AppendResult> results(ElasticsearchNodes nodes, String alias, Deadline deadline) {
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
