package io.alphaomega.omega.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.alphaomega.omega.Compensable;
import io.alphaomega.omega.SagaAbortedException;
import io.alphaomega.omega.context.PendingReports;
import io.alphaomega.omega.context.SagaContext;
import io.alphaomega.omega.fence.Fence;
import io.alphaomega.omega.spring.fencing.FencedExecution;
import io.alphaomega.omega.spring.fencing.Fences;
import io.alphaomega.omega.spring.fencing.LocalFence;
import io.alphaomega.protocol.v1.BeginBranch;
import io.alphaomega.protocol.v1.CallbackKind;
import io.alphaomega.protocol.v1.Input;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.UUID;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;

/**
 * A service with two databases, one of which has two transaction managers: each database has one fence, whichever manager it
 * is reached by, and loses its old rows.
 */
class SeveralFencesTest {
    private final SmallAlpha alpha = new SmallAlpha();
    private final String saga = UUID.randomUUID().toString();

    @AfterEach
    void stop() {
        alpha.close();
    }

    @Configuration(proxyBeanMethods = false)
    @EnableTransactionManagement
    static class Databases {
        @Bean
        @Primary
        DataSource stockDatabase() {
            return database();
        }

        @Bean
        DataSource ledgerDatabase() {
            return database();
        }

        @Bean
        @Primary
        PlatformTransactionManager stock(DataSource stockDatabase) {
            return new DataSourceTransactionManager(stockDatabase);
        }

        @Bean
        PlatformTransactionManager stockToo(DataSource stockDatabase) {
            return new DataSourceTransactionManager(stockDatabase);
        }

        @Bean
        PlatformTransactionManager ledger(@Qualifier("ledgerDatabase") DataSource ledgerDatabase) {
            return new DataSourceTransactionManager(ledgerDatabase);
        }

        private static DataSource database() {
            return new DriverManagerDataSource("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
        }
    }

    static class Stock {
        private final JdbcClient database;

        Stock(DataSource database) {
            this.database = JdbcClient.create(database);
            this.database.sql("create table taken (item varchar(20))").update();
        }

        @Transactional
        @Compensable(compensationMethod = "putBack")
        public void take(String item) {
            insert(item);
        }

        @Transactional
        public void putBack(String item) {
            delete(item);
        }

        @Transactional("stockToo")
        @Compensable(compensationMethod = "putBackToo", fence = "stockToo")
        public void takeToo(String item) {
            insert(item);
        }

        @Transactional("stockToo")
        public void putBackToo(String item) {
            delete(item);
        }

        private void insert(String item) {
            database.sql("insert into taken values (?)").param(item).update();
        }

        private void delete(String item) {
            database.sql("delete from taken where item = ?").param(item).update();
        }

        List<@Nullable String> taken() {
            return database.sql("select item from taken order by item")
                    .query(String.class)
                    .list();
        }
    }

    static class Ledger {
        @Compensable(compensationMethod = "strike", fence = "ledger")
        public void enter() {}

        public void strike() {}
    }

    /** A transaction of the caller. */
    static class Around {
        @Transactional("stock")
        public void run(Runnable business) {
            business.run();
        }
    }

    private interface Story {
        void tell(AssertableApplicationContext context) throws Exception;
    }

    private void run(Story story) {
        Applications.plain()
                .withUserConfiguration(Databases.class)
                .withBean(Stock.class)
                .withBean(Ledger.class)
                .withBean(Around.class)
                .withPropertyValues("omega.alpha.addresses=" + alpha.address(), "omega.drain-timeout=100ms")
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    story.tell(context);
                });
    }

    private void inSaga(Runnable business) {
        SagaContext.received(saga, "", "call", Long.MAX_VALUE, "", PendingReports.nothing(saga))
                .run(business);
    }

    private BeginBranch begin(String operation) {
        return alpha.inputs().stream()
                .filter(Input::hasBeginBranch)
                .map(Input::getBeginBranch)
                .filter(begin -> begin.getOperation().endsWith(operation))
                .findFirst()
                .orElseThrow();
    }

    private void compensate(BeginBranch begin) {
        assertThat(alpha.call(callback -> callback.setSaga(saga)
                                .setBranch(begin.getBranch())
                                .setKind(CallbackKind.COMPENSATION)
                                .setAttempt(1)
                                .setName(begin.getCompensation().getName())
                                .setArguments(begin.getArguments())
                                .setFenced(true)
                                .setFence(begin.getFence())
                                .setForwardEnded(true))
                        .hasFailure())
                .isFalse();
    }

    @Test
    void two_managers_of_one_database_have_one_fence() {
        run(context -> {
            Stock stock = context.getBean(Stock.class);
            inSaga(() -> stock.take("pen"));
            inSaga(() -> stock.takeToo("ink"));
            assertThat(stock.taken()).containsExactly("ink", "pen");
            assertThat(begin("take").getFence())
                    .isNotEmpty()
                    .isEqualTo(begin("takeToo").getFence());
            assertThat(context.getBean(FencedExecution.class).knownFences())
                    .extracting(each -> each.transactionManager() + " " + each.ids())
                    .contains(
                            "stock [" + begin("take").getFence() + "]",
                            "stockToo [" + begin("take").getFence() + "]");

            compensate(begin("take"));
            compensate(begin("takeToo"));
            compensate(begin("takeToo"));
            assertThat(stock.taken()).isEmpty();
            assertThatThrownBy(() -> inSaga(() -> stock.takeToo("ink"))).isInstanceOf(SagaAbortedException.class);
        });
    }

    @Test
    void a_branch_of_the_one_joins_a_transaction_of_the_other() {
        run(context -> {
            Stock stock = context.getBean(Stock.class);
            Around around = context.getBean(Around.class);
            assertThatThrownBy(() -> inSaga(() -> around.run(() -> {
                        stock.takeToo("ink");
                        throw new IllegalStateException("changed my mind");
                    })))
                    .hasMessage("changed my mind");
            assertThat(stock.taken()).isEmpty();
            assertThat(alpha.failed().getRolledBack()).isTrue();
        });
    }

    @Test
    void old_rows_are_deleted_in_each_database_and_young_ones_are_not() {
        run(context -> {
            Instant now = Clock.systemUTC().instant();
            List<DataSource> databases = List.of(
                    context.getBean("stockDatabase", DataSource.class),
                    context.getBean("ledgerDatabase", DataSource.class));
            for (DataSource database : databases) {
                insert(database, now.minus(Duration.ofDays(91)), 3);
                insert(database, now.minus(Duration.ofDays(89)), 2);
            }
            List<Fences.Guard<LocalFence>> guards = guards(context);
            assertThat(guards)
                    .extracting(Fences.Guard::manager)
                    .containsExactlyInAnyOrder("stock", "stockToo", "ledger");

            guards.stream()
                    .filter(guard -> guard.manager().equals("ledger"))
                    .forEach(guard -> guard.keeper().purge());
            assertThat(databases).extracting(SeveralFencesTest::rows).containsExactly(5L, 2L);
            guards.forEach(guard -> guard.keeper().purge());
            assertThat(databases).extracting(SeveralFencesTest::rows).containsExactly(2L, 2L);
            assertThat(context.getBean(FencedExecution.class).knownFences())
                    .as("the ids stay")
                    .allSatisfy(each -> assertThat(each.ids()).hasSize(1));
            assertThat(databases).extracting(SeveralFencesTest::ids).containsExactly(1L, 1L);
        });
    }

    private static List<Fences.Guard<LocalFence>> guards(AssertableApplicationContext context) {
        @SuppressWarnings("unchecked")
        Fences<LocalFence> fences = context.getBean(Fences.class);
        return fences.all();
    }

    private static void insert(DataSource database, Instant at, int rows) throws SQLException {
        Fence fence = new Fence(Clock.fixed(at, ZoneOffset.UTC));
        try (Connection connection = database.getConnection()) {
            connection.setAutoCommit(false);
            for (int i = 0; i < rows; i++) fence.forward(connection, "saga-" + at, "branch-" + i);
            connection.commit();
        }
    }

    private static long rows(DataSource database) {
        return count(database, "op <> 'id'");
    }

    private static long ids(DataSource database) {
        return count(database, "op = 'id'");
    }

    private static long count(DataSource database, String which) {
        return JdbcClient.create(database)
                .sql("select count(*) from omega_fence where " + which)
                .query(Long.class)
                .single();
    }
}
