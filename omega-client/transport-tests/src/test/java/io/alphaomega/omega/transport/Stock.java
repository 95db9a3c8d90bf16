package io.alphaomega.omega.transport;

import io.alphaomega.omega.Compensable;
import java.util.List;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.annotation.Transactional;

/** What is called over each transport. */
class Stock {
    private final JdbcClient database;

    Stock(JdbcClient database) {
        this.database = database;
        database.sql("CREATE TABLE IF NOT EXISTS taken (id INTEGER PRIMARY KEY, item TEXT NOT NULL)")
                .update();
    }

    @Transactional
    @Compensable(compensationMethod = "giveBack")
    public void take(String item) {
        database.sql("INSERT INTO taken (item) VALUES (?)").param(item).update();
    }

    @Transactional
    public void giveBack(String item) {
        database.sql("DELETE FROM taken WHERE item = ?").param(item).update();
    }

    /** How often it is taken, and not given back. */
    int taken(String item) {
        return all().stream().filter(item::equals).toList().size();
    }

    List<String> all() {
        return database.sql("SELECT item FROM taken")
                .query((row, number) -> row.getString(1))
                .list();
    }
}
