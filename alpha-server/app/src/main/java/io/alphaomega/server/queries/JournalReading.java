package io.alphaomega.server.queries;

import io.alphaomega.repository.SagaSummary;
import io.alphaomega.repository.StoredEvent;
import io.alphaomega.saga.BranchId;
import io.alphaomega.saga.CorruptJournalException;
import io.alphaomega.saga.Evidence;
import io.alphaomega.saga.SagaEvent;
import io.alphaomega.saga.SagaId;
import io.alphaomega.saga.SagaRules;
import io.alphaomega.saga.SagaState;
import io.alphaomega.saga.SagaState.Held;
import io.alphaomega.saga.SagaState.Known;
import io.alphaomega.saga.SagaState.Prepared;
import io.alphaomega.saga.SagaState.Suspended;
import io.alphaomega.saga.Stuck;
import io.alphaomega.server.journal.JournalCodec;
import io.alphaomega.server.journal.JournalUnreadableException;
import io.alphaomega.server.queries.SagaDetail.AbortDetail;
import io.alphaomega.server.queries.SagaDetail.ParentDetail;
import io.alphaomega.server.queries.SagaDetail.SuspensionDetail;
import io.alphaomega.server.queries.SagaView.Happened;
import io.alphaomega.server.text.Texts;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a stored journal tells.
 *
 * @param state up to the first event that cannot be read, if there is one
 * @param lastAt when the last event of that state was decided
 * @param happened the events that can be read
 * @param damage a sentence, if some event cannot be read or cannot have been
 */
record JournalReading(
        SagaState state, Instant lastAt, List<HistoryEntry> history, List<Happened> happened, Optional<String> damage) {

    static JournalReading of(SagaId id, List<StoredEvent> journal, Texts texts) {
        HistoryText text = new HistoryText(texts);
        List<HistoryEntry> history = new ArrayList<>(journal.size());
        List<Happened> happened = new ArrayList<>(journal.size());
        SagaState state = new SagaState.Absent(id);
        Instant lastAt = Instant.EPOCH;
        Optional<String> damage = Optional.empty();
        for (StoredEvent stored : journal) {
            long sequence = history.size() + 1L;
            try {
                SagaEvent event = JournalCodec.decode(stored);
                HistoryEntry entry = text.of(sequence, stored.type(), event);
                history.add(entry);
                happened.add(new Happened(entry, event));
                if (damage.isPresent()) continue;
                state = SagaRules.evolve(state, event);
                lastAt = event.at();
            } catch (JournalUnreadableException | CorruptJournalException e) {
                String sentence =
                        texts.say("history.unreadable", String.valueOf(sequence), String.valueOf(e.getMessage()));
                if (history.size() < sequence) {
                    history.add(new HistoryEntry(sequence, null, stored.type(), null, sentence, null));
                }
                damage = damage.or(() -> Optional.of(sentence));
            }
        }
        return new JournalReading(state, lastAt, history, happened, damage);
    }

    /** Of a journal that the repository cannot give out. */
    static JournalReading nothing(SagaId id, String damage) {
        return new JournalReading(new SagaState.Absent(id), Instant.EPOCH, List.of(), List.of(), Optional.of(damage));
    }

    /** Empty if not even the first event can be read. */
    Optional<SagaSummary> summary() {
        return state instanceof Known known ? Optional.of(SagaSummary.of(known, lastAt)) : Optional.empty();
    }

    /** Whether there is no such saga. */
    boolean isEmpty() {
        return history.isEmpty() && damage.isEmpty();
    }

    SagaDetail detail(SagaRow row, Optional<String> unreadable) {
        SuspensionDetail suspension = unreadable
                .map(sentence -> new SuspensionDetail(SagaRow.JOURNAL_UNREADABLE, null, "", 0, sentence, null))
                .orElseGet(this::suspension);
        if (!(state instanceof Known known)) {
            return new SagaDetail(
                    row,
                    history.size(),
                    "",
                    Map.of(),
                    null,
                    null,
                    suspension,
                    null,
                    null,
                    false,
                    List.of(),
                    List.of(),
                    history);
        }
        return new SagaDetail(
                row,
                history.size(),
                known.saga().initiator().instance(),
                known.saga().initiator().attributes(),
                known instanceof Prepared ? null : known.saga().deadline(),
                abort(known),
                suspension,
                null,
                known.saga()
                        .initiator()
                        .parent()
                        .map(parent -> new ParentDetail(
                                parent.saga().value(), parent.branch().value()))
                        .orElse(null),
                known instanceof Prepared,
                List.of(),
                branches(known),
                history);
    }

    private static List<BranchDetail> branches(Known known) {
        Map<BranchId, Evidence> evidence = known instanceof Held held ? held.evidence() : Map.of();
        return known.saga().branches().stream()
                .map(branch -> BranchDetail.of(branch, evidence.get(branch.id())))
                .toList();
    }

    private static @Nullable AbortDetail abort(Known known) {
        return known.abort()
                .map(abort -> new AbortDetail(
                        abort.cause().name(),
                        abort.branch().map(BranchId::value).orElse(null),
                        abort.text(),
                        abort.at()))
                .orElse(null);
    }

    private @Nullable SuspensionDetail suspension() {
        if (state instanceof Held held) {
            return new SuspensionDetail(Stuck.RESTORED, null, "", 0, held.why(), held.at());
        }
        if (!(state instanceof Suspended suspended)) return null;
        return new SuspensionDetail(
                suspended.suspension().reason().name(),
                suspended.suspension().branch().value(),
                suspended.suspension().service(),
                suspended.suspension().attempts(),
                suspended.suspension().lastError(),
                suspended.suspension().at());
    }
}
