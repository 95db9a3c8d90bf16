package io.alphaomega.omega.spring;

import static io.alphaomega.protocol.v1.Input.KindCase.ABORT;
import static io.alphaomega.protocol.v1.Input.KindCase.BEGIN_BRANCH;
import static io.alphaomega.protocol.v1.Input.KindCase.END;
import static io.alphaomega.protocol.v1.Input.KindCase.END_BRANCH;
import static io.alphaomega.protocol.v1.Input.KindCase.FAIL_BRANCH;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.alphaomega.omega.Compensable;
import io.alphaomega.omega.SagaException;
import io.alphaomega.protocol.v1.FailBranch;
import io.alphaomega.protocol.v1.Input;
import io.r2dbc.h2.H2ConnectionFactory;
import io.r2dbc.spi.ConnectionFactory;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.r2dbc.connection.R2dbcTransactionManager;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.reactive.TransactionalOperator;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;

/** Branches whose work is in a transaction of R2DBC's: what becomes of it is what alpha is told. */
class ReactiveTransactionTest {
    private static final Duration LIMIT = Duration.ofSeconds(30);

    private static SmallAlpha alpha;
    private static ConfigurableApplicationContext application;
    private static LaterShop.Counter counter;
    private static Stock stock;
    private static TransactionalOperator transaction;
    private int seen;

    @BeforeAll
    static void start() {
        alpha = new SmallAlpha();
        application = Applications.started(Shopping.class, "stock", alpha);
        counter = application.getBean(LaterShop.Counter.class);
        stock = application.getBean(Stock.class);
        transaction = TransactionalOperator.create(application.getBean(R2dbcTransactionManager.class));
    }

    @AfterAll
    static void stop() {
        application.close();
        alpha.close();
    }

    @BeforeEach
    void anew() {
        alpha.observer = input -> {};
        seen = alpha.inputs().size();
        stock.empty().block(LIMIT);
    }

    private List<Input.KindCase> kinds() {
        List<Input> all = alpha.inputs();
        return all.subList(seen, all.size()).stream().map(Input::getKindCase).toList();
    }

    private FailBranch failed() {
        await().until(() -> kinds().contains(FAIL_BRANCH));
        return alpha.inputs().stream()
                .skip(seen)
                .filter(Input::hasFailBranch)
                .findFirst()
                .orElseThrow()
                .getFailBranch();
    }

    @Configuration(proxyBeanMethods = false)
    @Applications.EnableWithoutDataSource
    @EnableTransactionManagement
    @Import({LaterShop.Counter.class, Stock.class})
    static class Shopping {
        @Bean
        ConnectionFactory connections() {
            return H2ConnectionFactory.inMemory("stock");
        }

        @Bean
        R2dbcTransactionManager transactions(ConnectionFactory connections) {
            return new R2dbcTransactionManager(connections);
        }

        @Bean
        DatabaseClient database(ConnectionFactory connections) {
            return DatabaseClient.create(connections);
        }
    }

    static class Stock {
        private final DatabaseClient database;

        Stock(DatabaseClient database) {
            this.database = database;
            database.sql("create table orders (item varchar(100))").then().block(LIMIT);
        }

        @Transactional
        @Compensable(compensationMethod = "undo", fenced = false)
        public Mono<String> order(String item, String then) {
            Mono<Void> inserted = database.sql("insert into orders values (:item)")
                    .bind("item", item)
                    .then();
            return switch (then) {
                case "fails" -> inserted.then(Mono.error(new Shop.OutOfStock("no " + item)));
                case "hangs" -> inserted.then(Mono.never());
                default -> inserted.thenReturn(item);
            };
        }

        public void undo() {}

        Mono<Long> count() {
            return database.sql("select count(*) as n from orders")
                    .map(row -> Objects.requireNonNull(row.get("n", Long.class)))
                    .one();
        }

        Mono<Void> empty() {
            return database.sql("delete from orders").then();
        }
    }

    @Test
    void a_branch_ends_after_its_transaction_has_been_committed() {
        AtomicLong rows = new AtomicLong(-1);
        alpha.observer = input -> {
            if (input.hasEndBranch()) rows.set(stock.count().toFuture().join());
        };
        assertThat(counter.mono(() -> stock.order("car", "")).block(LIMIT)).isEqualTo("car");
        assertThat(kinds()).containsExactly(BEGIN_BRANCH, END_BRANCH, END);
        assertThat(rows).hasValue(1);
    }

    @Test
    void what_was_rolled_back_has_left_nothing_behind() {
        assertThatThrownBy(() -> counter.mono(() -> stock.order("car", "fails")).block(LIMIT))
                .isInstanceOf(Shop.OutOfStock.class);
        assertThat(failed().getRolledBack()).isTrue();
        assertThat(stock.count().block(LIMIT)).isZero();
    }

    @Test
    void so_has_what_was_cancelled() {
        Disposable subscription =
                counter.mono(() -> stock.order("car", "hangs")).subscribe();
        await().until(() -> kinds().contains(BEGIN_BRANCH));
        subscription.dispose();
        FailBranch failed = failed();
        assertThat(failed.getCause()).contains("cancelled");
        assertThat(failed.getRolledBack()).isTrue();
    }

    @Test
    void a_branch_in_its_callers_transaction_ends_with_that() {
        String result = counter.mono(() -> stock.order("car", "")
                        .flatMap(car -> {
                            assertThat(kinds()).as("it is not known yet").containsExactly(BEGIN_BRANCH);
                            return Mono.just(car);
                        })
                        .as(transaction::transactional))
                .block(LIMIT);
        assertThat(result).isEqualTo("car");
        assertThat(kinds()).contains(END_BRANCH, END);

        assertThatThrownBy(() -> counter.mono(() -> stock.order("car", "")
                                .then(Mono.<String>error(new Shop.OutOfStock("after the branch")))
                                .as(transaction::transactional))
                        .block(LIMIT))
                .isInstanceOf(Shop.OutOfStock.class);
        assertThat(failed().getRolledBack()).isTrue();
    }

    @Test
    void a_saga_in_a_transaction_that_its_branch_has_joined_is_aborted() {
        assertThatThrownBy(() -> counter.mono(() -> stock.order("car", ""))
                        .as(transaction::transactional)
                        .block(LIMIT))
                .isInstanceOf(SagaException.class)
                .hasMessageContaining("would wait for that to end: the saga is aborted");
        await().until(() -> kinds().contains(ABORT));
    }
}
