package io.alphaomega.omega.fence;

import static io.alphaomega.omega.test.OmegaAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.alphaomega.omega.AfterAbort;
import io.alphaomega.omega.Compensable;
import io.alphaomega.omega.CompensationHandler;
import io.alphaomega.omega.Participate;
import io.alphaomega.omega.SagaException;
import io.alphaomega.omega.SagaSettings;
import io.alphaomega.omega.SagaStart;
import io.alphaomega.omega.SagaTemplate;
import io.alphaomega.omega.test.OmegaTest;
import io.alphaomega.omega.test.TestAlpha;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Primary;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.r2dbc.connection.R2dbcTransactionManager;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionTemplate;
import reactor.core.publisher.Mono;

/** A service with two databases, of two kinds, through JDBC and R2DBC: each branch is behind the fence of its own. */
@SpringBootTest(classes = SeveralDatabasesTest.Shop.class, properties = "spring.application.name=shop")
@OmegaTest
class SeveralDatabasesTest {
    private static final Duration LIMIT = Duration.ofSeconds(30);

    @Autowired
    private Stock stock;

    @Autowired
    private Ledger ledger;

    @Autowired
    private Counter counter;

    @Autowired
    private SagaTemplate sagas;

    @Autowired
    private CompensationHandler<String> erase;

    @Autowired
    private PlatformTransactionManager primary;

    @Autowired
    private TestAlpha alpha;

    @AfterAll
    static void stop() {
        Databases.stop();
    }

    @Configuration(proxyBeanMethods = false)
    @EnableWithout.Hibernate
    @Import({Stock.class, Ledger.class, Counter.class})
    static class Shop {
        @Bean
        @Primary
        DataSource stockDatabase() {
            return Databases.MARIADB.dataSource();
        }

        @Bean
        DataSource ledgerDatabase() {
            return Databases.POSTGRESQL.dataSource();
        }

        @Bean
        @Primary
        PlatformTransactionManager stock(DataSource stockDatabase) {
            return new DataSourceTransactionManager(stockDatabase);
        }

        @Bean
        PlatformTransactionManager ledger(@Qualifier("ledgerDatabase") DataSource ledgerDatabase) {
            return new DataSourceTransactionManager(ledgerDatabase);
        }

        @Bean
        R2dbcTransactionManager stockLater() {
            return new R2dbcTransactionManager(Databases.MARIADB.connections());
        }

        @Bean
        R2dbcTransactionManager ledgerLater() {
            return new R2dbcTransactionManager(Databases.POSTGRESQL.connections());
        }

        @Bean
        CompensationHandler<String> erase(Ledger ledger) {
            return CompensationHandler.of("ledger.erase", String.class, ledger::erase)
                    .behind("ledger");
        }
    }

    static class Counter {
        @SagaStart
        public void plan(Runnable business) {
            business.run();
        }
    }

    /** One of the two databases, with what is written there. */
    static class Book {
        final JdbcClient database;

        Book(DataSource database) {
            this.database = JdbcClient.create(database);
            this.database
                    .sql("create table if not exists entry (what varchar(64), state varchar(64))")
                    .update();
        }

        public void clear() {
            database.sql("delete from entry").update();
        }

        public void write(String what) {
            database.sql("insert into entry values (?, 'WRITTEN')").param(what).update();
        }

        void become(String what, String state) {
            database.sql("update entry set state = ? where what = ?")
                    .params(state, what)
                    .update();
        }

        public List<@Nullable String> all() {
            return database.sql("select concat(what, ' ', state) from entry order by what")
                    .query(String.class)
                    .list();
        }

        /** What the fence there has of the saga. */
        public List<@Nullable String> rows(String saga) {
            return database.sql("select op from omega_fence where saga = ? order by op")
                    .param(saga)
                    .query(String.class)
                    .list();
        }

        public String id() {
            return database.sql("select reason from omega_fence where op = 'id'")
                    .query(String.class)
                    .single();
        }
    }

    static class Stock extends Book {
        private final DatabaseClient later;

        Stock(DataSource database, @Qualifier("stockLater") R2dbcTransactionManager later) {
            super(database);
            this.later = client(later);
        }

        @Transactional
        @Compensable(compensationMethod = "putBack")
        public void take(String what) {
            write(what);
        }

        public void putBack(String what) {
            become(what, "PUT BACK");
        }

        @Compensable(compensationMethod = "putBackLater", fence = "stockLater")
        public Mono<Void> takeLater(String what) {
            return insert(later, what);
        }

        public Mono<Void> putBackLater(String what) {
            return delete(later, what);
        }
    }

    static DatabaseClient client(R2dbcTransactionManager transactions) {
        return DatabaseClient.create(Objects.requireNonNull(transactions.getConnectionFactory()));
    }

    static Mono<Void> insert(DatabaseClient database, String what) {
        return database.sql("insert into entry values ('" + what + "', 'WRITTEN')")
                .then();
    }

    static Mono<Void> delete(DatabaseClient database, String what) {
        return database.sql("delete from entry where what = '" + what + "'").then();
    }

    static class Ledger extends Book {
        private final DatabaseClient later;

        Ledger(
                @Qualifier("ledgerDatabase") DataSource database,
                @Qualifier("ledgerLater") R2dbcTransactionManager later) {
            super(database);
            this.later = client(later);
        }

        @Transactional("ledger")
        @Compensable(compensationMethod = "strike", fence = "ledger")
        public String enter(String what) {
            write(what);
            if (what.equals("ink")) throw new IllegalStateException("the pen is empty");
            return "R-" + what;
        }

        /** Each run can be seen. */
        @Transactional("ledger")
        public void strike(String what, String receipt) {
            database.sql("update entry set state = state || ' STRUCK ' || ? where what = ?")
                    .params(receipt, what)
                    .update();
        }

        @AfterAbort("SeveralDatabasesTest.Ledger.enter")
        public void mourn(String what) {
            write(what + " mourned");
        }

        /** In a transaction of the fence's. */
        @Participate(confirmMethod = "post", cancelMethod = "drop", fence = "${books.manager:ledger}")
        public void note(String what) {
            write(what);
        }

        public void post(String what) {
            become(what, "POSTED");
        }

        public void drop(String what) {
            become(what, "DROPPED");
        }

        @Compensable(compensationMethod = "strikeLater", fence = "ledgerLater")
        public Mono<Void> enterLater(String what) {
            return insert(later, what);
        }

        public Mono<Void> strikeLater(String what) {
            return delete(later, what);
        }

        @Compensable(compensationMethod = "nothing", fenced = false, cleanOnException = true)
        public Mono<Void> refuseLater() {
            return Mono.error(new IllegalStateException("closed"));
        }

        public Mono<Void> nothing() {
            return Mono.empty();
        }

        public void erase(String what) {
            become(what, "ERASED");
        }
    }

    @BeforeEach
    void clear() {
        stock.clear();
        ledger.clear();
    }

    private static void fail() {
        throw new IllegalStateException("rain is forecast");
    }

    private String saga() {
        return alpha.saga().id();
    }

    @Test
    void each_branch_is_behind_the_fence_of_the_database_that_it_writes_to() {
        counter.plan(() -> {
            stock.take("pen");
            assertThat(ledger.enter("pen")).isEqualTo("R-pen");
            ledger.note("paper");
        });
        assertThat(alpha.saga()).committed().confirmed("SeveralDatabasesTest.Ledger.note");
        assertThat(ledger.all()).containsExactly("paper POSTED", "pen WRITTEN");
        assertThat(stock.rows(saga())).containsExactly("forward");
        assertThat(ledger.rows(saga())).hasSize(3).contains("forward");
        assertThat(stock.id()).hasSize(16).isNotEqualTo(ledger.id());
    }

    @Test
    void an_abort_undoes_each_behind_the_same_fence_and_what_follows_too() {
        assertThatThrownBy(() -> counter.plan(() -> {
                    stock.take("pen");
                    ledger.enter("pen");
                    ledger.note("paper");
                    fail();
                }))
                .hasMessage("rain is forecast");
        assertThat(alpha.saga())
                .compensated(
                        "SeveralDatabasesTest.Ledger.note",
                        "SeveralDatabasesTest.Ledger.enter",
                        "SeveralDatabasesTest.Stock.take");
        assertThat(stock.all()).containsExactly("pen PUT BACK");
        assertThat(ledger.all()).containsExactly("paper DROPPED", "pen WRITTEN STRUCK R-pen", "pen mourned WRITTEN");
        assertThat(stock.rows(saga())).hasSize(2);
        assertThat(ledger.rows(saga())).hasSize(5);
    }

    @Test
    void a_compensation_that_comes_again_is_done_once_in_its_own_database() {
        alpha.repeat("SeveralDatabasesTest.Ledger.strike");
        assertThatThrownBy(() -> counter.plan(() -> {
                    ledger.enter("pen");
                    fail();
                }))
                .hasMessage("rain is forecast");
        assertThat(alpha.saga()).compensated("SeveralDatabasesTest.Ledger.enter");
        alpha.advance(Duration.ZERO); // The second answer is there then, too.
        assertThat(ledger.all()).containsExactly("pen WRITTEN STRUCK R-pen", "pen mourned WRITTEN");
    }

    @Test
    void a_failure_is_noted_where_the_branch_is_and_nowhere_else() {
        assertThatThrownBy(() -> counter.plan(() -> ledger.enter("ink"))).hasMessage("the pen is empty");
        assertThat(alpha.saga()).compensatedNothing();
        assertThat(ledger.all()).isEmpty();
        assertThat(ledger.rows(saga())).containsExactly("forward");
        assertThat(stock.rows(saga())).isEmpty();
    }

    @Test
    void inside_a_transaction_of_the_other_database_a_branch_has_one_of_its_own() {
        TransactionTemplate outer = new TransactionTemplate(primary);
        counter.plan(() -> outer.executeWithoutResult(status -> {
            ledger.enter("pen");
            status.setRollbackOnly();
        }));
        assertThat(alpha.saga()).committed();
        assertThat(ledger.all()).as("what is committed stays").containsExactly("pen WRITTEN");
    }

    @Test
    void one_without_a_transaction_of_its_own_does_not_run_there() {
        TransactionTemplate outer = new TransactionTemplate(primary);
        assertThatThrownBy(() -> counter.plan(() -> outer.executeWithoutResult(status -> ledger.note("paper"))))
                .isInstanceOf(SagaException.class)
                .hasMessageContaining("is not one of the fence's DataSource; it did not run");
        // The branch's failure is told when the transaction is over, as the abort is: if that is first, alpha asks in
        // vain.
        assertThat(alpha.saga()).compensated();
        assertThat(ledger.all()).isEmpty();
    }

    @Test
    void a_branch_in_code_is_behind_the_fence_of_its_handler() {
        assertThatThrownBy(() -> sagas.executeWithoutResult(SagaSettings.named("stocktaking"), saga -> {
                    saga.branch("enter").compensateWith(erase, "pen").run(() -> ledger.write("pen"));
                    assertThat(ledger.rows(saga.id().orElseThrow())).containsExactly("forward");
                    fail();
                }))
                .hasMessage("rain is forecast");
        assertThat(alpha.saga()).compensated("enter");
        assertThat(ledger.all()).containsExactly("pen ERASED");
        assertThat(ledger.rows(saga())).hasSize(2);
        assertThat(stock.rows(saga())).isEmpty();
    }

    @Test
    void what_has_no_fence_needs_no_name_of_one() {
        assertThatThrownBy(() -> counter.plan(() -> ledger.refuseLater().block(LIMIT)))
                .hasMessage("closed");
        assertThat(alpha.saga()).compensatedNothing();
    }

    @Test
    void Monos_are_behind_those_of_R2DBC_in_the_same_tables() {
        assertThatThrownBy(() -> counter.plan(() -> {
                    stock.takeLater("pen").block(LIMIT);
                    ledger.enterLater("pen").block(LIMIT);
                    assertThat(stock.rows(saga())).containsExactly("forward");
                    assertThat(ledger.rows(saga())).containsExactly("forward");
                    fail();
                }))
                .hasMessage("rain is forecast");
        assertThat(alpha.saga()).compensated();
        assertThat(stock.all()).isEmpty();
        assertThat(ledger.all()).isEmpty();
        assertThat(stock.rows(saga())).hasSize(2);
        assertThat(ledger.rows(saga())).hasSize(2);
    }
}
