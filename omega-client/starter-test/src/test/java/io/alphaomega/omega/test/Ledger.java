package io.alphaomega.omega.test;

import java.util.List;
import org.springframework.jdbc.core.simple.JdbcClient;

/** What was done, row by row. */
class Ledger {
    private final JdbcClient database;

    Ledger(JdbcClient database) {
        this.database = database;
        database.sql("CREATE TABLE IF NOT EXISTS done (id INTEGER PRIMARY KEY, what TEXT NOT NULL)")
                .update();
    }

    void add(String what) {
        database.sql("INSERT INTO done (what) VALUES (?)").param(what).update();
    }

    List<String> all() {
        return database.sql("SELECT what FROM done ORDER BY id")
                .query((row, number) -> row.getString(1))
                .list();
    }

    void clear() {
        database.sql("DELETE FROM done").update();
    }
}
