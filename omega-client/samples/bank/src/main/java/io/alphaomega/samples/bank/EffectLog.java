package io.alphaomega.samples.bank;

import io.alphaomega.omega.Omega;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/**
 * What sagas did in a service's database, in order: a row for each method that took effect, written in its transaction.
 * A bank keeps such a log for its auditors; omega does not need it.
 */
@Component
public class EffectLog {
    private final JdbcClient database;
    private final Omega omega;

    EffectLog(JdbcClient database, Omega omega) {
        this.database = database;
        this.omega = omega;
    }

    /** What kind of method it was. */
    public enum Kind {
        FORWARD,
        COMPENSATION
    }

    /**
     * Adds a row for the method that runs.
     *
     * @param amount by how much the account's balance changed; 0 where there is none
     */
    public void write(Kind kind, String operation, String transfer, String account, long amount) {
        database.sql("""
                        insert into effect (transfer, saga, branch, kind, operation, account, amount)
                        values (?, ?, ?, ?, ?, ?, ?)""")
                .params(
                        transfer,
                        omega.sagaId().orElse(""),
                        omega.branchId().orElse(""),
                        kind.name(),
                        operation,
                        account,
                        amount)
                .update();
    }
}
