package io.alphaomega.server.changes;

import io.alphaomega.saga.SagaId;
import io.alphaomega.server.problem.Problems;
import io.alphaomega.server.queries.SagaDetail;
import io.alphaomega.server.queries.SagaReader;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The sagas that somebody watches, each read once for all who do: from the store, so it does not matter which node has it. */
final class WatchedSagas {
    private record Shared(Watched<SagaDetail> saga, int readers) {}

    private final SagaReader reader;
    private final Watchers watchers;
    private final Map<SagaId, Shared> shared = new ConcurrentHashMap<>();

    WatchedSagas(SagaReader reader, Watchers watchers) {
        this.reader = reader;
        this.watchers = watchers;
    }

    /** One reader's share; to be given back. */
    final class Watching implements AutoCloseable {
        private final SagaId id;
        private final Watched<SagaDetail> saga;

        private Watching(SagaId id, Watched<SagaDetail> saga) {
            this.id = id;
            this.saga = saga;
        }

        Watched<SagaDetail> saga() {
            return saga;
        }

        @Override
        public void close() {
            shared.computeIfPresent(
                    id, (key, known) -> known.readers() == 1 ? null : new Shared(saga, known.readers() - 1));
        }
    }

    Watching watch(SagaId id) {
        Shared joined = shared.merge(
                id,
                new Shared(new Watched<>(() -> look(id), watchers), 1),
                (known, unused) -> new Shared(known.saga(), known.readers() + 1));
        return new Watching(id, joined.saga());
    }

    private SagaDetail look(SagaId id) {
        return reader.detail(id).orElseThrow(() -> Problems.unknownSaga(id.value()));
    }
}
