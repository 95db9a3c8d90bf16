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

/**
 * What the rules would make of an input, for a page. They run on a copy of the journal: nothing is stored, and no callback
 * is sent.
 *
 * @param answer as the API answers it
 * @param reply what the sender would be told
 * @param saga as it would be
 */
public record WhatIfView(WhatIf answer, Reply reply, SagaView saga) {
    /** A callback has a hundred attempts at most; of many branches the rest of the time is left out. */
    private static final int WAKES_MAX = 1_000;

    /** Runs the rules on the journal of a saga, which has at least one event. */
    static WhatIfView of(SagaId id, List<StoredEvent> journal, WhatIfRequest supposed, Instant now, Texts texts) {
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
        SagaDetail detail = after.detail(SagaRow.of(after.summary().orElseThrow()), Optional.empty());
        WhatIf answer = new WhatIf(
                supposed.kind(),
                happened.size(),
                at,
                WhatIf.Answer.of(decision.reply()),
                after.history().subList(happened.size(), then.size()),
                asked(known, decision, SagaEffect.Call.class)
                        .map(WhatIf.Call::of)
                        .toList(),
                asked(known, decision, SagaEffect.Decide.class)
                        .map(WhatIf.NestedDecision::of)
                        .toList(),
                detail);
        return new WhatIfView(answer, decision.reply(), SagaView.of(detail, after, false, List.of()));
    }

    /** The state at that time if no input arrives before: callbacks go unanswered, time limits pass. */
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
