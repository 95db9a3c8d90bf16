package io.alphaomega.samples.bank.teller;

import io.alphaomega.omega.Compensable;
import io.alphaomega.omega.Omega;
import io.alphaomega.samples.bank.EffectLog;
import io.alphaomega.samples.bank.EffectLog.Kind;
import java.util.Optional;
import org.springframework.jdbc.core.DataClassRowMapper;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** The teller's own table of transfers: a branch of the saga like those in the other services. */
@Service
public class TransferBook {
    private final JdbcClient database;
    private final EffectLog effects;
    private final Omega omega;

    TransferBook(JdbcClient database, EffectLog effects, Omega omega) {
        this.database = database;
        this.effects = effects;
        this.omega = omega;
    }

    @Transactional
    @Compensable(compensationMethod = "strike")
    public void enter(TransferOrder order) {
        database.sql("""
                        insert into transfer (id, saga, from_account, to_account, amount, state)
                        values (?, ?, ?, ?, ?, 'BOOKED')""")
                .params(order.id(), omega.sagaId().orElseThrow(), order.from(), order.to(), order.amount())
                .update();
        effects.write(Kind.FORWARD, "enter", order.id(), "", 0);
    }

    /** Undoes {@link #enter}: the transfer stays in the book, for the customer to see, but it is off. */
    @Transactional
    public void strike(TransferOrder order) {
        database.sql("update transfer set state = 'CALLED_OFF' where id = ?")
                .param(order.id())
                .update();
        effects.write(Kind.COMPENSATION, "enter", order.id(), "", 0);
    }

    public Optional<Transfer> transfer(String id) {
        return database.sql("select id, saga, from_account, to_account, amount, state from transfer where id = ?")
                .param(id)
                .query(DataClassRowMapper.newInstance(Transfer.class))
                .optional();
    }
}
