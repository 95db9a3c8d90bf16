package io.alphaomega.omega.coexistence.service;

import java.time.Duration;
import java.util.function.BiConsumer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Import;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.transaction.annotation.Transactional;
import reactor.core.publisher.Mono;

/** Whether a transaction of a Mono is one. */
@Import(Reactive.Ledger.class)
class Reactive implements Trial {
    private static final Duration LIMIT = Duration.ofSeconds(30);

    static class Ledger {
        private final DatabaseClient database;

        Ledger(DatabaseClient database) {
            this.database = database;
        }

        Mono<Void> execute(String sql) {
            return database.sql(sql).then();
        }

        Mono<Long> count() {
            return database.sql("select count(*) from entry")
                    .mapValue(Long.class)
                    .one();
        }

        @Transactional
        public Mono<Void> enterAndFail() {
            return execute("insert into entry values (1)").then(Mono.error(new IllegalStateException("on purpose")));
        }
    }

    private final Ledger ledger;

    Reactive(Ledger ledger) {
        this.ledger = ledger;
    }

    @Override
    public void run(ConfigurableApplicationContext service, BiConsumer<String, String> facts) {
        ledger.execute("create table entry (id int)").block(LIMIT);
        ledger.enterAndFail().onErrorComplete().block(LIMIT);
        facts.accept(
                "rows that a failed Mono leaves", String.valueOf(ledger.count().block(LIMIT)));
    }
}
