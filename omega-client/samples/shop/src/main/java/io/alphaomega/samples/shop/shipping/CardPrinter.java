package io.alphaomega.samples.shop.shipping;

import io.alphaomega.omega.Compensable;
import io.alphaomega.samples.shop.RefusedException;
import java.util.List;
import org.springframework.jdbc.core.DataClassRowMapper;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** Prints cards with greetings, and throws away those that nobody wants any more. */
@Service
public class CardPrinter {
    private static final int LETTERS = 80;

    private final JdbcClient database;

    CardPrinter(JdbcClient database) {
        this.database = database;
    }

    /** A card as it is now; {@code state} is PRINTED or DISCARDED. */
    public record Printed(String orderId, String state) {}

    @Transactional
    @Compensable(compensationMethod = "discard")
    public void print(Card card) {
        if (card.text().length() > LETTERS) {
            throw new RefusedException("A card has room for %d letters, not for %d."
                    .formatted(LETTERS, card.text().length()));
        }
        database.sql("insert into card (order_id, text, state) values (?, ?, 'PRINTED')")
                .params(card.order(), card.text())
                .update();
    }

    /** Undoes {@link #print}. */
    @Transactional
    public void discard(Card card) {
        database.sql("update card set state = 'DISCARDED' where order_id = ?")
                .param(card.order())
                .update();
    }

    List<Printed> cards() {
        return database.sql("select order_id, state from card")
                .query(DataClassRowMapper.newInstance(Printed.class))
                .list();
    }
}
