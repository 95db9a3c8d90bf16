package io.alphaomega.samples.shop.shop;

import io.alphaomega.omega.Compensable;
import io.alphaomega.omega.CompensationArgument;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Which orders the shop has taken, and which of them it has called off; kept without a thread that waits. */
@Service
public class OrderBook {
    private final DatabaseClient database;

    OrderBook(DatabaseClient database) {
        this.database = database;
    }

    /** An order as the book has it; {@code state} is ENTERED or STRUCK. */
    record Entry(String orderId, String customer, String article, int pieces, String state) {}

    @Transactional
    @Compensable(compensationMethod = "strike")
    public Mono<Void> enter(Order order) {
        return database.sql("insert into entry (order_id, customer, article, pieces, state)"
                        + " values (:orderId, :customer, :article, :pieces, 'ENTERED')")
                .bind("orderId", order.id())
                .bind("customer", order.customer())
                .bind("article", order.article())
                .bind("pieces", order.pieces())
                .then();
    }

    /** Undoes {@link #enter}. It is told the order's id only: alpha keeps no numbers of cards. */
    @Transactional
    public Mono<Void> strike(@CompensationArgument("#order.id") String order) {
        return database.sql("update entry set state = 'STRUCK' where order_id = :orderId")
                .bind("orderId", order)
                .then();
    }

    Flux<Entry> entries() {
        return database.sql("select order_id, customer, article, pieces, state from entry")
                .mapProperties(Entry.class)
                .all();
    }
}
