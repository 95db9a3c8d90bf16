package io.alphaomega.server.queries;

import io.alphaomega.repository.Cursor;
import io.alphaomega.repository.Page;
import io.alphaomega.repository.SagaRepository;
import io.alphaomega.repository.SagaSummary;
import io.alphaomega.repository.StoredEvent;
import io.alphaomega.saga.CorruptJournalException;
import io.alphaomega.saga.SagaEvent;
import io.alphaomega.server.journal.JournalCodec;
import io.alphaomega.server.journal.JournalUnreadableException;
import io.alphaomega.server.problem.Problems;
import io.alphaomega.server.queries.OrderHistory.OrderRow;
import io.alphaomega.server.saga.UnreadableSagas;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.springframework.stereotype.Component;

/**
 * The orders that operators gave, out of the histories of the sagas that they gave them to. The store knows which sagas
 * these are.
 */
@Component
public final class OrderReader {
    /** A page without an entry is turned by itself, over so many sagas: each costs the read of its journal. */
    private static final int SAGAS_MAX = 1_000;

    private final SagaRepository repository;
    private final UnreadableSagas unreadable;

    OrderReader(SagaRepository repository, UnreadableSagas unreadable) {
        this.repository = repository;
        this.unreadable = unreadable;
    }

    public OrderHistory read(OrderRequest request) {
        Optional<Cursor> cursor = Optional.of(request.cursor());
        List<OrderRow> entries = new ArrayList<>();
        for (int looked = 0; cursor.isPresent() && entries.isEmpty() && looked < SAGAS_MAX; ) {
            Page<SagaSummary> page = page(request, cursor.get());
            for (SagaSummary saga : page.items())
                entries.addAll(orders(saga, request).reversed());
            looked += page.items().size();
            cursor = page.next();
        }
        return new OrderHistory(entries, cursor.map(Cursor::value).orElse(null));
    }

    private Page<SagaSummary> page(OrderRequest request, Cursor cursor) {
        try {
            return repository.ordered(request.since(), cursor, request.limit());
        } catch (IllegalArgumentException e) {
            throw Problems.badParameter("cursor", "the 'next' of a page before", cursor.value());
        }
    }

    /** In their order. Of a damaged journal those that can be read; of one that has gone meanwhile none. */
    private List<OrderRow> orders(SagaSummary saga, OrderRequest request) {
        OrderText text = new OrderText(saga, unreadable.sentence(saga.id()).isPresent());
        List<OrderRow> orders = new ArrayList<>();
        long sequence = 0;
        for (StoredEvent stored : journal(saga)) {
            sequence++;
            try {
                SagaEvent event = JournalCodec.decode(stored);
                text.of(sequence, event).filter(request::wants).ifPresent(orders::add);
            } catch (JournalUnreadableException e) {
                // The saga's page says so.
            }
        }
        return orders;
    }

    private List<StoredEvent> journal(SagaSummary saga) {
        try {
            return repository.load(saga.id()).events();
        } catch (CorruptJournalException e) {
            return List.of();
        }
    }
}
