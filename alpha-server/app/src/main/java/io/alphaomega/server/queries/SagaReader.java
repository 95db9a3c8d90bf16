package io.alphaomega.server.queries;

import io.alphaomega.repository.Cursor;
import io.alphaomega.repository.Loaded;
import io.alphaomega.repository.Page;
import io.alphaomega.repository.SagaQuery;
import io.alphaomega.repository.SagaRepository;
import io.alphaomega.repository.SagaSummary;
import io.alphaomega.repository.SagaSummary.State;
import io.alphaomega.repository.StoredEvent;
import io.alphaomega.saga.CorruptJournalException;
import io.alphaomega.saga.SagaId;
import io.alphaomega.saga.SagaState;
import io.alphaomega.saga.SagaState.Known;
import io.alphaomega.server.problem.Problems;
import io.alphaomega.server.properties.AlphaProperties;
import io.alphaomega.server.properties.ConsoleProperties;
import io.alphaomega.server.queries.SagaDetail.NestedDetail;
import io.alphaomega.server.saga.UnreadableSagas;
import io.alphaomega.server.search.SagaSearch;
import io.alphaomega.server.text.Texts;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.springframework.stereotype.Component;

/** Sagas as the API shows them: as stored, but SUSPENDED where the journal cannot be read. */
@Component
public final class SagaReader {
    /** Unreadable sagas are few, and each costs a query: more than a screenful is in the list of all states only. */
    private static final int UNREADABLE_SHOWN = 50;

    /** Each costs a look at its journal. */
    private static final int NESTED_SHOWN = 20;

    private final SagaRepository repository;
    private final SagaSearch search;
    private final UnreadableSagas unreadable;
    private final ConsoleProperties links;

    SagaReader(SagaRepository repository, SagaSearch search, UnreadableSagas unreadable, AlphaProperties properties) {
        this.repository = repository;
        this.search = search;
        this.unreadable = unreadable;
        this.links = properties.console();
    }

    /** What cannot be the id of a saga is the id of none. */
    public static SagaId id(String id) {
        try {
            return new SagaId(id);
        } catch (IllegalArgumentException e) {
            throw Problems.unknownSaga(id);
        }
    }

    public SagaList list(ListRequest request) {
        Set<State> wanted = request.query().states();
        Page<SagaSummary> page = find(request);
        List<SagaRow> rows = new ArrayList<>();
        if (wanted.contains(State.SUSPENDED) && request.cursor().equals(Cursor.START)) {
            rows.addAll(unreadable(request.query()));
        }
        for (SagaSummary summary : page.items()) {
            SagaRow row = row(summary);
            boolean changed = row.state() != summary.state();
            if (!changed || wanted.isEmpty()) rows.add(row);
        }
        return new SagaList(rows, page.next().map(Cursor::value).orElse(null));
    }

    public Counts counts() {
        return new Counts(search.counts().byState(), unreadable.count());
    }

    /** As the API answers it; empty if there is no such saga. */
    public Optional<SagaDetail> detail(SagaId id) {
        JournalReading reading = read(id, Texts.ENGLISH);
        if (reading.isEmpty()) return Optional.empty();
        return Optional.of(detail(reading, unreadable(reading), nested(reading, Texts.ENGLISH)));
    }

    /** For a page in a language of the console; empty if there is no such saga. */
    public Optional<SagaView> view(SagaId id, Texts texts) {
        JournalReading reading = read(id, texts);
        if (reading.isEmpty()) return Optional.empty();
        List<NestedSaga> nested = nested(reading, texts);
        List<SagaView> stored = nested.stream()
                .filter(NestedSaga::isStored)
                .map(part -> view(part.reading(), List.of(), List.of()))
                .toList();
        return Optional.of(view(reading, nested, stored));
    }

    private SagaView view(JournalReading reading, List<NestedSaga> nested, List<SagaView> stored) {
        Optional<String> damage = unreadable(reading);
        return SagaView.of(detail(reading, damage, nested), reading, damage.isPresent(), stored);
    }

    private SagaDetail detail(JournalReading reading, Optional<String> damage, List<NestedSaga> nested) {
        SagaId id = reading.state().id();
        SagaRow stored =
                reading.summary().or(() -> summary(id)).map(SagaRow::of).orElseGet(() -> SagaRow.unknown(id.value()));
        return reading.detail(damage.map(stored::unreadable).orElse(stored), damage)
                .with(nested.stream().map(NestedSaga::detail).toList())
                .linked(links);
    }

    private Optional<String> unreadable(JournalReading reading) {
        return reading.damage().or(() -> unreadable.sentence(reading.state().id()));
    }

    /**
     * The first of the sagas nested in another, as its own journal says, since a search may lag behind.
     *
     * @param branch that it is in the other
     * @param ended how, if its history is no longer stored
     */
    private record NestedSaga(String branch, Optional<State> ended, JournalReading reading) {
        boolean isStored() {
            return ended.isEmpty() && !reading.isEmpty();
        }

        NestedDetail detail() {
            State state = ended.or(() -> reading.damage().map(sentence -> State.SUSPENDED))
                    .or(() -> reading.summary().map(SagaSummary::state))
                    .orElse(null);
            return new NestedDetail(
                    branch, reading.state().id().value(), state, reading.state() instanceof SagaState.Prepared);
        }
    }

    private List<NestedSaga> nested(JournalReading reading, Texts texts) {
        if (!(reading.state() instanceof Known known)) return List.of();
        return known.saga().branches().stream()
                .filter(branch -> branch.nested().isPresent())
                .limit(NESTED_SHOWN)
                .map(branch -> nested(branch.id().value(), branch.nested().get(), texts))
                .toList();
    }

    private NestedSaga nested(String branch, SagaId id, Texts texts) {
        try {
            Loaded loaded = repository.load(id);
            return new NestedSaga(branch, loaded.tombstone(), JournalReading.of(id, loaded.events(), texts));
        } catch (CorruptJournalException e) {
            return new NestedSaga(branch, Optional.empty(), JournalReading.nothing(id, String.valueOf(e.getMessage())));
        }
    }

    /** What the rules would make of {@code supposed}; throws if there is no such saga, or it cannot be read. */
    public WhatIfView whatIf(SagaId id, WhatIfRequest supposed, Instant now, Texts texts) {
        List<StoredEvent> journal = load(id).events();
        if (journal.isEmpty()) throw Problems.unknownSaga(id.value());
        return WhatIfView.of(id, journal, supposed, now, texts);
    }

    private JournalReading read(SagaId id, Texts texts) {
        try {
            return JournalReading.of(id, load(id).events(), texts);
        } catch (CorruptJournalException e) {
            return JournalReading.nothing(id, String.valueOf(e.getMessage()));
        }
    }

    /** How many events the saga's journal has; 0 if there is no such saga. */
    public long sequence(SagaId id) {
        return load(id).version().sequence();
    }

    private Loaded load(SagaId id) {
        Loaded loaded = repository.load(id);
        loaded.tombstone().ifPresent(ended -> {
            throw Problems.purgedSaga(id.value(), ended);
        });
        return loaded;
    }

    private Page<SagaSummary> find(ListRequest request) {
        try {
            return search.find(request.query(), request.cursor(), request.limit());
        } catch (IllegalArgumentException e) {
            throw Problems.badParameter(
                    "cursor", "the 'next' of a page before", request.cursor().value());
        }
    }

    /** Those that are stored in another state than the one they are shown in, so that no query finds them. */
    private List<SagaRow> unreadable(SagaQuery query) {
        Set<State> others = EnumSet.complementOf(EnumSet.copyOf(query.states()));
        SagaQuery whateverState = query.in(Set.of());
        return unreadable.all().keySet().stream()
                .limit(UNREADABLE_SHOWN)
                .flatMap(id -> summary(id).stream())
                .filter(summary -> others.contains(summary.state()) && whateverState.matches(summary))
                .map(this::row)
                .toList();
    }

    private SagaRow row(SagaSummary summary) {
        SagaRow stored = SagaRow.of(summary);
        return unreadable.sentence(summary.id()).map(stored::unreadable).orElse(stored);
    }

    private Optional<SagaSummary> summary(SagaId id) {
        return search.find(SagaQuery.ALL.id(id), Cursor.START, 1).items().stream()
                .findFirst();
    }
}
