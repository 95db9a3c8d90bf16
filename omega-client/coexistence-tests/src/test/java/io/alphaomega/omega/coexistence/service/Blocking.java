package io.alphaomega.omega.coexistence.service;

import java.util.function.BiConsumer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.annotation.Transactional;

/** Whether a transaction of a thread is one. */
@Import(Blocking.Ledger.class)
class Blocking implements Trial {

    static class Ledger {
        private final JdbcTemplate database;

        Ledger(JdbcTemplate database) {
            this.database = database;
        }

        void create() {
            database.execute("create table entry (id int)");
        }

        @Transactional
        public void enterAndFail() {
            database.update("insert into entry values (1)");
            throw new IllegalStateException("on purpose");
        }

        String count() {
            return String.valueOf(database.queryForObject("select count(*) from entry", Integer.class));
        }
    }

    private final Ledger ledger;

    Blocking(Ledger ledger) {
        this.ledger = ledger;
    }

    @Override
    public void run(ConfigurableApplicationContext service, BiConsumer<String, String> facts) {
        ledger.create();
        String thrown = "nothing";
        try {
            ledger.enterAndFail();
        } catch (IllegalStateException e) {
            thrown = String.valueOf(e.getMessage());
        }
        facts.accept("what a failed method throws", thrown);
        facts.accept("rows that it leaves", ledger.count());
    }
}
