package io.alphaomega.server.search;

import io.alphaomega.repository.Loaded;
import io.alphaomega.repository.SagaRepository;
import io.alphaomega.repository.SagaSummary;
import io.alphaomega.repository.SagaSummary.State;
import io.alphaomega.repository.StoredEvent;
import io.alphaomega.repository.elasticsearch.ElasticsearchSagaIndex.Entry;
import io.alphaomega.saga.CorruptJournalException;
import io.alphaomega.saga.SagaEvent;
import io.alphaomega.saga.SagaRules;
import io.alphaomega.saga.SagaState;
import io.alphaomega.server.journal.JournalCodec;
import io.alphaomega.server.journal.JournalUnreadableException;
import java.time.Instant;
import java.util.Optional;

/** Makes what the index should say of a saga from its journal. */
final class SummaryRebuild {
    /** A saga that has gone is written as one that ended at this time, which then is purged: nothing else ended so early. */
    static final Instant GONE_AT = Instant.EPOCH;

    /** More events than any saga has, so that nothing said before comes later. */
    private static final long GONE_SEQUENCE = 1L << 52;

    private final SagaRepository journal;

    SummaryRebuild(SagaRepository journal) {
        this.journal = journal;
    }

    /**
     * The entry of the saga as it is now; of one that is gone, an entry that goes with the next purge.
     *
     * @param known what was known of it; it stays if its journal cannot be read
     */
    Entry remake(SagaSummary known) {
        try {
            Loaded loaded = journal.load(known.id());
            return loaded.events().isEmpty() ? gone(known, loaded.tombstone()) : entry(known, loaded);
        } catch (CorruptJournalException e) {
            return entry(known);
        }
    }

    /** The entry of a saga of which somebody tried to store {@code known}; empty if there is none after all. */
    Optional<Entry> lookUp(SagaSummary known) {
        try {
            Loaded loaded = journal.load(known.id());
            return loaded.events().isEmpty() ? Optional.empty() : Optional.of(entry(known, loaded));
        } catch (CorruptJournalException e) {
            return Optional.of(entry(known));
        }
    }

    private static Entry entry(SagaSummary known, Loaded loaded) {
        return new Entry(summary(known, loaded), loaded.version().sequence());
    }

    /** Of a journal that the store cannot give out: whatever the index has already is as good. */
    private static Entry entry(SagaSummary known) {
        return new Entry(known, 1);
    }

    private static SagaSummary summary(SagaSummary known, Loaded loaded) {
        SagaState state = new SagaState.Absent(known.id());
        Instant lastAt = Instant.EPOCH;
        try {
            for (StoredEvent stored : loaded.events()) {
                SagaEvent event = JournalCodec.decode(stored);
                state = SagaRules.evolve(state, event);
                lastAt = event.at();
            }
        } catch (JournalUnreadableException | CorruptJournalException e) {
            return known;
        }
        return state instanceof SagaState.Known whole ? SagaSummary.of(whole, lastAt) : known;
    }

    private static Entry gone(SagaSummary known, Optional<State> ended) {
        return new Entry(
                new SagaSummary(
                        known.id(),
                        ended.orElse(State.COMPENSATED),
                        known.service(),
                        known.operation(),
                        known.businessKey(),
                        known.services(),
                        known.branches(),
                        known.reason(),
                        known.manual(),
                        known.begunAt(),
                        known.updatedAt(),
                        Optional.of(GONE_AT),
                        Optional.empty(),
                        known.attributes(),
                        known.orderedAt()),
                GONE_SEQUENCE);
    }
}
