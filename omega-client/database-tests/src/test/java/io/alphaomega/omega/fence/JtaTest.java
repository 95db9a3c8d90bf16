package io.alphaomega.omega.fence;

import static io.alphaomega.omega.test.OmegaAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.arjuna.ats.arjuna.common.arjPropertyManager;
import com.arjuna.ats.internal.arjuna.objectstore.VolatileStore;
import com.arjuna.ats.internal.jta.transaction.arjunacore.TransactionSynchronizationRegistryImple;
import io.agroal.api.AgroalDataSource;
import io.agroal.api.configuration.supplier.AgroalDataSourceConfigurationSupplier;
import io.agroal.api.security.NamePrincipal;
import io.agroal.api.security.SimplePassword;
import io.agroal.api.transaction.TransactionIntegration;
import io.agroal.narayana.NarayanaTransactionIntegration;
import io.alphaomega.omega.Compensable;
import io.alphaomega.omega.SagaStart;
import io.alphaomega.omega.test.OmegaTest;
import io.alphaomega.omega.test.TestAlpha;
import io.alphaomega.repository.servers.DatabaseServer;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.mariadb.jdbc.MariaDbDataSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.jta.JtaTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** The fence in transactions of JTA, by Narayana: its rows are in that of the business. */
@SpringBootTest(classes = JtaTest.Shop.class, properties = "spring.application.name=shop")
@OmegaTest
class JtaTest {
    @Autowired
    private Stock stock;

    @Autowired
    private Counter counter;

    @Autowired
    private PlatformTransactionManager transactions;

    @Autowired
    private TestAlpha alpha;

    @AfterAll
    static void stop() {
        Databases.stop();
    }

    @Configuration(proxyBeanMethods = false)
    @EnableWithout.Hibernate
    @Import({Stock.class, Counter.class})
    static class Shop {
        /** Its connections take part in the transaction that is open. */
        @Bean
        AgroalDataSource database() throws SQLException {
            TransactionIntegration jta = new NarayanaTransactionIntegration(
                    com.arjuna.ats.jta.TransactionManager.transactionManager(),
                    new TransactionSynchronizationRegistryImple());
            return AgroalDataSource.from(new AgroalDataSourceConfigurationSupplier()
                    .connectionPoolConfiguration(pool -> pool.maxSize(5)
                            .transactionIntegration(jta)
                            .connectionFactoryConfiguration(
                                    factory -> factory.connectionProviderClass(MariaDbDataSource.class)
                                            .jdbcUrl(Databases.MARIADB.url())
                                            .principal(new NamePrincipal(DatabaseServer.USER))
                                            .credential(new SimplePassword(DatabaseServer.PASSWORD)))));
        }

        @Bean
        JtaTransactionManager jta() {
            // Nobody recovers anything here.
            arjPropertyManager.getObjectStoreEnvironmentBean().setObjectStoreType(VolatileStore.class.getName());
            return new JtaTransactionManager(
                    com.arjuna.ats.jta.UserTransaction.userTransaction(),
                    com.arjuna.ats.jta.TransactionManager.transactionManager());
        }
    }

    static class Counter {
        @SagaStart
        public void plan(Runnable business) {
            business.run();
        }
    }

    static class Stock {
        private final JdbcClient database;

        Stock(JdbcClient database) {
            this.database = database;
            database.sql("create table if not exists taken (item varchar(64))").update();
        }

        public void clear() {
            database.sql("delete from taken").update();
        }

        @Transactional
        @Compensable(compensationMethod = "putBack")
        public String take(String item) {
            database.sql("insert into taken values (?)").param(item).update();
            if (item.equals("unicorn")) throw new IllegalStateException("no unicorns left");
            return "R-" + item;
        }

        /** In a transaction of the fence's; each run leaves a row. */
        public void putBack(String item, String receipt) {
            database.sql("insert into taken values (?)")
                    .param(item + " back from " + receipt)
                    .update();
        }

        public List<@Nullable String> taken() {
            return database.sql("select item from taken order by item")
                    .query(String.class)
                    .list();
        }

        public List<@Nullable String> rows(String saga) {
            return database.sql("select reason from omega_fence where saga = ? order by op")
                    .param(saga)
                    .query(String.class)
                    .list();
        }
    }

    @BeforeEach
    void clear() {
        stock.clear();
    }

    private static void fail() {
        throw new IllegalStateException("rain is forecast");
    }

    @Test
    void what_is_committed_has_its_row_and_what_is_undone_is_undone_once() {
        counter.plan(() -> assertThat(stock.take("pen")).isEqualTo("R-pen"));
        assertThat(alpha.saga()).committed();
        assertThat(stock.taken()).containsExactly("pen");
        assertThat(stock.rows(alpha.saga().id())).containsExactly("forward");

        alpha.repeat("JtaTest.Stock.putBack");
        assertThatThrownBy(() -> counter.plan(() -> {
                    stock.take("ink");
                    fail();
                }))
                .hasMessage("rain is forecast");
        assertThat(alpha.sagas().get(1)).compensated("JtaTest.Stock.take");
        alpha.advance(Duration.ZERO); // The second answer is there then, too.
        assertThat(stock.taken()).containsExactly("ink", "ink back from R-ink", "pen");
        assertThat(stock.rows(alpha.sagas().get(1).id())).containsExactly("compensation", "forward");
    }

    @Test
    void what_fails_leaves_nothing_and_never_runs_again() {
        assertThatThrownBy(() -> counter.plan(() -> stock.take("unicorn"))).hasMessage("no unicorns left");
        assertThat(alpha.saga()).compensatedNothing();
        assertThat(stock.taken()).isEmpty();
        assertThat(stock.rows(alpha.saga().id())).containsExactly("failure");
    }

    @Test
    void a_branch_joins_the_transaction_of_its_caller_and_is_rolled_back_with_it() {
        TransactionTemplate outer = new TransactionTemplate(transactions);
        assertThatThrownBy(() -> counter.plan(() -> outer.executeWithoutResult(status -> {
                    stock.take("pen");
                    assertThat(stock.taken()).containsExactly("pen");
                    fail();
                })))
                .hasMessage("rain is forecast");
        assertThat(stock.taken()).isEmpty();
        // The branch's failure is told when the transaction is over, as the abort is: if that is first, alpha asks in
        // vain.
        assertThat(alpha.saga()).compensated();
        assertThat(stock.rows(alpha.saga().id()))
                .as("its row is rolled back, too")
                .doesNotContain("forward");
    }
}
