package io.alphaomega.server.queries;

import io.alphaomega.repository.StoredEvent;
import io.alphaomega.saga.Decision;
import io.alphaomega.saga.Reply;
import io.alphaomega.saga.SagaEffect;
import io.alphaomega.saga.SagaEvent;
import io.alphaomega.saga.SagaId;
import io.alphaomega.saga.SagaInput;
import io.alphaomega.saga.SagaRules;
import io.alphaomega.saga.SagaState.Known;
import io.alphaomega.server.journal.JournalCodec;
import io.alphaomega.server.problem.Problems;
import io.alphaomega.server.text.Texts;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What the rules would make of an input that somebody supposes, as JSON. They run on a copy of the journal: nothing is
 * stored, and nobody is called. Until it happens nobody says anything.
 *
 * @param input what is supposed
 * @param sequence how many events had happened by then
 * @param at when it would happen
 * @param reply what its sender would be told
 * @param events that would be journaled
 * @param calls that alpha would then make
 * @param decisions that it would then tell nested sagas
 * @param saga as it would be
 */
public record WhatIf(
        WhatIfRequest.Kind input,
        long sequence,
        Instant at,
        Answer reply,
        List<HistoryEntry> events,
        List<Call> calls,
        List<NestedDecision> decisions,
        SagaDetail saga) {

    /** A callback has a hundred attempts at most; of many branches the rest of the time is left out. */
    private static final int WAKES_MAX = 1_000;

    /**
     * What the sender would be told.
     *
     * @param kind ACCEPTED, COMMITTED, PENDING, ABORTED, NOT_NOW or REJECTED
     * @param reason why it is rejected, for programs; null if it is not
     * @param text a sentence
     */
    public record Answer(String kind, @Nullable String reason, String text) {
        private static Answer of(Reply reply) {
            return switch (reply) {
                case Reply.Accepted accepted -> new Answer("ACCEPTED", null, "Accepted.");
                case Reply.Committed committed -> new Answer("COMMITTED", null, "The saga is committed.");
                case Reply.Pending pending ->
                    new Answer("PENDING", null, "Nothing is decided yet, because branches still run.");
                case Reply.Aborted aborted ->
                    new Answer(
                            "ABORTED",
                            null,
                            Problems.sentence(
                                    "The saga is aborted: " + aborted.abort().text()));
                case Reply.NotNow(String text) -> new Answer("NOT_NOW", null, Problems.sentence(text));
                case Reply.Rejected rejected ->
                    new Answer("REJECTED", rejected.reason().name(), Problems.sentence(rejected.text()));
            };
        }
    }

    /**
     * A callback that alpha would ask for.
     *
     * @param branch whose work is undone or confirmed
     * @param service that is asked
     * @param kind COMPENSATION or CONFIRMATION
     * @param name of the callback, as the service offers it
     * @param attempt which it would be, from 1
     * @param answerBy until when alpha would wait for the answer
     */
    public record Call(String branch, String service, String kind, String name, int attempt, Instant answerBy) {
        private static Call of(SagaEffect.Call call) {
            return new Call(
                    call.branch().value(),
                    call.service(),
                    call.kind().name(),
                    call.name(),
                    call.attempt(),
                    call.answerBy());
        }
    }

    /**
     * What a nested saga would be told by the saga that it is in.
     *
     * @param branch that the nested saga is
     * @param saga the nested one
     * @param outcome COMMITTED or COMPENSATED
     * @param attempt which it would be, from 1
     */
    public record NestedDecision(String branch, String saga, String outcome, int attempt) {
        private static NestedDecision of(SagaEffect.Decide decide) {
            return new NestedDecision(
                    decide.branch().value(),
                    decide.saga().value(),
                    decide.decision().outcome().name(),
                    decide.attempt());
        }
    }

    /** Of a saga that has at least one event. */
    static WhatIf of(SagaId id, List<StoredEvent> journal, WhatIfRequest supposed, Instant now, Texts texts) {
        List<StoredEvent> happened = supposed.copied(journal);
        JournalReading before = read(id, happened, texts);
        if (!(before.state() instanceof Known known)) throw Problems.unknownSaga(id.value());
        // Somebody who goes back in the journal goes back in time.
        boolean whole = happened.size() == journal.size() && now.isAfter(before.lastAt());
        Instant at = supposed.at(whole ? now : before.lastAt());
        List<SagaEvent> events = new ArrayList<>();
        Known state = passed(known, at, events);
        Decision decision = SagaRules.decide(state, supposed.of(state), at);
        events.addAll(decision.events());
        List<StoredEvent> then = new ArrayList<>(happened);
        events.forEach(event -> then.add(JournalCodec.encode(event)));
        JournalReading after = read(id, then, texts);
        SagaRow row = SagaRow.of(after.summary().orElseThrow());
        return new WhatIf(
                supposed.kind(),
                happened.size(),
                at,
                Answer.of(decision.reply()),
                after.history().subList(happened.size(), then.size()),
                asked(known, decision, SagaEffect.Call.class).map(Call::of).toList(),
                asked(known, decision, SagaEffect.Decide.class)
                        .map(NestedDecision::of)
                        .toList(),
                after.detail(row, Optional.empty()));
    }

    /** The state at that time if nobody says anything until then: calls go unanswered, time limits pass. */
    private static Known passed(Known from, Instant until, List<SagaEvent> events) {
        Known state = from;
        for (int wakes = 0; wakes < WAKES_MAX; wakes++) {
            Optional<Instant> wake = SagaRules.wakeUpAt(state).filter(at -> !at.isAfter(until));
            if (wake.isEmpty()) break;
            Decision tick = SagaRules.decide(state, new SagaInput.Tick(), wake.get());
            if (tick.events().isEmpty() || !(tick.after() instanceof Known next)) break;
            events.addAll(tick.events());
            state = next;
        }
        return state;
    }

    private static JournalReading read(SagaId id, List<StoredEvent> journal, Texts texts) {
        JournalReading reading = JournalReading.of(id, journal, texts);
        reading.damage().ifPresent(sentence -> {
            throw Problems.unreadable(sentence);
        });
        return reading;
    }

    /** Those under way already are not asked for again. */
    private static <E extends SagaEffect> Stream<E> asked(Known before, Decision decision, Class<E> kind) {
        Set<SagaEffect> effects = new LinkedHashSet<>(SagaRules.effects(decision.after()));
        effects.removeAll(SagaRules.effects(before));
        return effects.stream().filter(kind::isInstance).map(kind::cast);
    }
}
