package io.alphaomega.server.bulk;

import io.alphaomega.repository.Cursor;
import io.alphaomega.repository.Page;
import io.alphaomega.repository.SagaQuery;
import io.alphaomega.repository.SagaRepository;
import io.alphaomega.repository.SagaSummary;
import io.alphaomega.repository.SagaSummary.State;
import io.alphaomega.saga.SagaId;
import java.util.ArrayList;
import java.util.List;

/**
 * The active sagas that an abort means, as the store lists them.
 *
 * @param ids at most {@value #LOOKED_MAX}
 * @param first some of them, for people
 * @param more whether there are others
 */
public record ActiveSagas(List<SagaId> ids, List<SagaSummary> first, boolean more) {
    /** A hundred pages. Whoever aborts more begins with the oldest. */
    private static final int LOOKED_MAX = 100_000;

    /** @throws io.alphaomega.repository.RepositoryUnavailableException if the store is away */
    static ActiveSagas of(BulkTask.Abort abort, SagaRepository repository, int shown) {
        SagaQuery query = SagaQuery.ALL.in(State.ACTIVE).to(abort.before());
        if (abort.service().isPresent()) query = query.of(abort.service().get());
        if (abort.operation().isPresent())
            query = query.operation(abort.operation().get());
        List<SagaId> ids = new ArrayList<>();
        List<SagaSummary> first = new ArrayList<>();
        Cursor cursor = Cursor.START;
        while (true) {
            Page<SagaSummary> page = repository.find(query, cursor, SagaRepository.PAGE_MAX);
            for (SagaSummary saga : page.items()) {
                ids.add(saga.id());
                if (first.size() < shown) first.add(saga);
            }
            if (page.next().isEmpty()) return new ActiveSagas(ids, first, false);
            if (ids.size() >= LOOKED_MAX) return new ActiveSagas(ids, first, true);
            cursor = page.next().get();
        }
    }
}
