package io.alphaomega.server.search;

import io.alphaomega.repository.Cursor;
import io.alphaomega.repository.Page;
import io.alphaomega.repository.SagaCounts;
import io.alphaomega.repository.SagaQuery;
import io.alphaomega.repository.SagaRepository;
import io.alphaomega.repository.SagaSummary;
import io.alphaomega.repository.elasticsearch.ElasticsearchSagaIndex;

/** Where people look for sagas. What alpha decides, it decides by the journal. */
public sealed interface SagaSearch {
    /** As {@link SagaRepository#find}. */
    Page<SagaSummary> find(SagaQuery query, Cursor cursor, int limit);

    SagaCounts counts();

    /** In the store where the journals are. */
    record InJournal(SagaRepository journal) implements SagaSearch {
        @Override
        public Page<SagaSummary> find(SagaQuery query, Cursor cursor, int limit) {
            return journal.find(query, cursor, limit);
        }

        @Override
        public SagaCounts counts() {
            return journal.counts();
        }
    }

    /** In an index beside it, which may be late. */
    record InIndex(ElasticsearchSagaIndex index) implements SagaSearch {
        @Override
        public Page<SagaSummary> find(SagaQuery query, Cursor cursor, int limit) {
            return index.find(query, cursor, limit);
        }

        @Override
        public SagaCounts counts() {
            return index.counts();
        }
    }
}
