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
import org.springframework.web.ErrorResponseException;

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

    /** Empty if there is no such saga. */
    public Optional<SagaDetail> detail(SagaId id) {
        return detail(id, Texts.ENGLISH);
    }

    /** With the history in a language of the console. */
    public Optional<SagaDetail> detail(SagaId id, Texts texts) {
        JournalReading reading = read(id, texts);
        if (reading.history().isEmpty() && reading.damage().isEmpty()) return Optional.empty();
        Optional<String> damage = reading.damage().or(() -> unreadable.sentence(id));
        SagaRow stored =
                reading.summary().or(() -> summary(id)).map(SagaRow::of).orElseGet(() -> SagaRow.unknown(id.value()));
        SagaDetail detail = reading.detail(damage.map(stored::unreadable).orElse(stored), damage);
        return Optional.of(detail.with(nested(detail)).linked(links));
    }

    /** Those of the sagas nested in it whose history is still there. */
    public List<SagaDetail> parts(SagaDetail saga, Texts texts) {
        return saga.nested().stream()
                .flatMap(part -> part(new SagaId(part.saga()), texts).stream())
                .toList();
    }

    private Optional<SagaDetail> part(SagaId id, Texts texts) {
        try {
            return detail(id, texts);
        } catch (ErrorResponseException purged) {
            return Optional.empty();
        }
    }

    /** Each as its own journal says, since a search may lag behind. */
    private List<NestedDetail> nested(SagaDetail detail) {
        return detail.branches().stream()
                .filter(branch -> branch.nested() != null)
                .limit(NESTED_SHOWN)
                .map(branch -> nested(branch.id(), new SagaId(String.valueOf(branch.nested()))))
                .toList();
    }

    private NestedDetail nested(String branch, SagaId id) {
        try {
            Loaded loaded = repository.load(id);
            JournalReading reading = JournalReading.of(id, loaded.events(), Texts.ENGLISH);
            State state = loaded.tombstone()
                    .or(() -> reading.damage().map(sentence -> State.SUSPENDED))
                    .or(() -> reading.summary().map(SagaSummary::state))
                    .orElse(null);
            return new NestedDetail(branch, id.value(), state, reading.state() instanceof SagaState.Prepared);
        } catch (CorruptJournalException e) {
            return new NestedDetail(branch, id.value(), State.SUSPENDED, false);
        }
    }

    /** What the rules would make of {@code supposed}; throws if there is no such saga, or it cannot be read. */
    public WhatIf whatIf(SagaId id, WhatIfRequest supposed, Instant now, Texts texts) {
        List<StoredEvent> journal = load(id).events();
        if (journal.isEmpty()) throw Problems.unknownSaga(id.value());
        return WhatIf.of(id, journal, supposed, now, texts);
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
