package io.alphaomega.samples.bank.accounts;

import io.alphaomega.omega.Compensable;
import io.alphaomega.samples.bank.EffectLog;
import io.alphaomega.samples.bank.EffectLog.Kind;
import io.alphaomega.samples.bank.RefusedException;
import java.util.Optional;
import org.springframework.jdbc.core.DataClassRowMapper;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** Takes money out of accounts and puts it in, each with what undoes it. */
@Service
public class AccountDesk {
    private final JdbcClient database;
    private final EffectLog effects;

    AccountDesk(JdbcClient database, EffectLog effects) {
        this.database = database;
        this.effects = effects;
    }

    @Transactional
    @Compensable(compensationMethod = "giveBack")
    public void withdraw(Posting posting) {
        int found = database.sql(
                        "update account set balance = balance - ? where id = ? and not closed and balance >= ?")
                .params(posting.amount(), posting.account(), posting.amount())
                .update();
        if (found == 0) throw refused(posting, "withdraw");
        effects.write(Kind.FORWARD, "withdraw", posting.transfer(), posting.account(), -posting.amount());
    }

    /**
     * Undoes {@link #withdraw}. Alpha calls it, as often as it takes, with what withdraw was called with. It need not ask
     * whether withdraw was ever committed or whether it has run before: if so, omega does not call it.
     */
    @Transactional
    public void giveBack(Posting posting) {
        change(posting.account(), posting.amount());
        effects.write(Kind.COMPENSATION, "withdraw", posting.transfer(), posting.account(), posting.amount());
    }

    @Transactional
    @Compensable(compensationMethod = "takeBack")
    public void deposit(Posting posting) {
        int found = database.sql("update account set balance = balance + ? where id = ? and not closed")
                .params(posting.amount(), posting.account())
                .update();
        if (found == 0) throw refused(posting, "deposit");
        effects.write(Kind.FORWARD, "deposit", posting.transfer(), posting.account(), posting.amount());
    }

    /** Undoes {@link #deposit}. The money may be spent already: then the account is overdrawn, for the bank cannot say no. */
    @Transactional
    public void takeBack(Posting posting) {
        change(posting.account(), -posting.amount());
        effects.write(Kind.COMPENSATION, "deposit", posting.transfer(), posting.account(), -posting.amount());
    }

    /** Opens an account; one that is there stays as it is. */
    @Transactional
    public void open(String account, long balance) {
        if (account(account).isPresent()) return;
        database.sql("insert into account (id, opened_with, balance) values (?, ?, ?)")
                .params(account, balance, balance)
                .update();
    }

    /** Neither takes money nor gives it from now on; what is undone finds its way all the same. */
    public void close(String account) {
        database.sql("update account set closed = true where id = ?")
                .param(account)
                .update();
    }

    Optional<Account> account(String id) {
        return database.sql("select id, balance, closed from account where id = ?")
                .param(id)
                .query(DataClassRowMapper.newInstance(Account.class))
                .optional();
    }

    private void change(String account, long amount) {
        database.sql("update account set balance = balance + ? where id = ?")
                .params(amount, account)
                .update();
    }

    private RefusedException refused(Posting posting, String what) {
        String why = account(posting.account())
                .map(account -> account.closed() ? "it is closed" : "it has only " + account.balance())
                .orElse("there is no such account");
        return new RefusedException(
                "Account %s cannot %s %d: %s.".formatted(posting.account(), what, posting.amount(), why));
    }
}
