package io.alphaomega.samples.shop.payment;

import io.alphaomega.omega.Compensable;
import io.alphaomega.omega.CompensationArgument;
import io.alphaomega.samples.shop.RefusedException;
import java.util.List;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.jdbc.core.DataClassRowMapper;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** Charges cards, and refunds what was charged for an order that is called off. */
@Service
public class Cashier {
    private final JdbcClient database;
    private final String refusedCards;

    Cashier(JdbcClient database, @Value("${payment.refused-cards}") String refusedCards) {
        this.database = database;
        this.refusedCards = refusedCards;
    }

    /** A payment for an order; {@code state} is CHARGED or REFUNDED. */
    public record Payment(String orderId, String customer, String card, long cents, String state) {}

    @Transactional
    @Compensable(compensationMethod = "refund")
    public void charge(Charge charge) {
        if (charge.card().startsWith(refusedCards)) {
            throw new RefusedException("The bank refuses the card " + charge.lastDigits() + ".");
        }
        database.sql("insert into payment (order_id, customer, card, cents, state) values (?, ?, ?, ?, 'CHARGED')")
                .params(charge.order(), charge.customer(), charge.lastDigits(), charge.cents())
                .update();
        database.sql("update till set cents = cents + ?").param(charge.cents()).update();
    }

    /** Undoes {@link #charge}. It is told the order only: alpha keeps no numbers of cards. */
    @Transactional
    public void refund(@CompensationArgument("#charge.order") String order) {
        database.sql("update till set cents = cents - (select cents from payment where order_id = ?)")
                .param(order)
                .update();
        database.sql("update payment set state = 'REFUNDED' where order_id = ?")
                .param(order)
                .update();
    }

    Payment payment(String order) {
        return database.sql("select order_id, customer, card, cents, state from payment where order_id = ?")
                .param(order)
                .query(DataClassRowMapper.newInstance(Payment.class))
                .single();
    }

    List<Payment> payments() {
        return database.sql("select order_id, customer, card, cents, state from payment")
                .query(DataClassRowMapper.newInstance(Payment.class))
                .list();
    }

    long till() {
        return database.sql("select cents from till").query(Long.class).single();
    }
}
