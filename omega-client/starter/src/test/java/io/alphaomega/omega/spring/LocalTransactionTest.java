package io.alphaomega.omega.spring;

import static io.alphaomega.omega.spring.RunningShop.calledByAnother;
import static io.alphaomega.protocol.v1.Input.KindCase.ABORT;
import static io.alphaomega.protocol.v1.Input.KindCase.BEGIN;
import static io.alphaomega.protocol.v1.Input.KindCase.END;
import static io.alphaomega.protocol.v1.Input.KindCase.END_BRANCH;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.alphaomega.omega.SagaException;
import io.alphaomega.protocol.v1.FailBranch;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionSystemException;
import org.springframework.transaction.UnexpectedRollbackException;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** What a branch says of the local transaction it ran in, whoever began that and whatever became of it. */
class LocalTransactionTest {
    @TempDir
    Path directory;

    private final SmallAlpha alpha = new SmallAlpha();

    @AfterEach
    void stop() {
        alpha.close();
    }

    // ---- errors of the fence

    @Test
    void an_error_of_the_fence_after_the_business_rolls_it_back() {
        run(app -> {
            refuseResults();
            assertThat(app.thrownBy(() -> app.orders().order(List.of(new Shop.Item("book", 1)), "Ada")))
                    .isInstanceOf(DataAccessException.class)
                    .hasMessageStartingWith(
                            "Omega's fence could not keep the result, and the transaction is rolled back: ");
            assertThat(app.orders().all()).isEmpty();
            assertThat(alpha.failed().getRolledBack()).isTrue();
        });
    }

    @Test
    void an_error_of_the_fence_that_the_caller_swallows_cannot_be_committed() {
        run(app -> {
            refuseResults();
            assertThat(app.thrownBy(() -> app.transaction().executeWithoutResult(status -> {
                        app.orders().orderWithoutTransaction("book");
                        assertThat(catchThrowable(() -> app.orders().orderAndTell("pen")))
                                .isInstanceOf(DataAccessException.class);
                    })))
                    .isInstanceOf(UnexpectedRollbackException.class);
            assertThat(app.orders().all()).isEmpty();
        });
    }

    /** As a full disk would, between the business and the commit. */
    private void refuseResults() {
        try (Connection connection = DriverManager.getConnection(Applications.url(directory));
                Statement statement = connection.createStatement()) {
            statement.execute(
                    "create trigger full before update on omega_fence begin select raise(abort, 'full'); end");
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    // ---- transactions of the caller's

    @Test
    void in_the_callers_transaction_the_end_is_reported_after_the_callers_commit() {
        run(app -> app.counter().run(calledByAnother(() -> {
            app.transaction().executeWithoutResult(status -> {
                app.orders().orderWithoutTransaction("book");
                assertThat(alpha.kinds()).doesNotContain(END_BRANCH);
            });
            await().until(() -> alpha.kinds().contains(END_BRANCH));
        })));
    }

    @Test
    void if_the_callers_transaction_rolls_back_so_has_the_branch() {
        run(app -> {
            assertThat(app.thrownBy(() -> app.transaction().executeWithoutResult(status -> {
                        app.orders().orderWithoutTransaction("book");
                        throw new Shop.Harmless();
                    })))
                    .isInstanceOf(Shop.Harmless.class);
            assertThat(alpha.failed().getRolledBack()).isTrue();
            assertThat(app.orders().all()).isEmpty();
        });
    }

    @Test
    void a_failure_whose_half_done_work_the_caller_commits_is_not_clean() {
        run(app -> {
            app.expectFailureOf(() -> app.transaction().executeWithoutResult(status -> {
                try {
                    app.orders().orderWithoutTransaction("unicorn");
                } catch (Shop.OutOfStock swallowed) {
                    // And commits.
                }
            }));
            assertThat(alpha.failed().getRolledBack()).isFalse();
            assertThat(app.orders().all()).containsExactly("unicorn ORDERED");
        });
    }

    @Test
    void work_that_the_caller_rolled_back_to_a_savepoint_is_not_done() {
        run(app -> {
            // Whether alpha hears of the failure before the saga's end is left to chance.
            app.thrownBy(() -> app.transaction().executeWithoutResult(status -> {
                app.orders().orderWithoutTransaction("kept");
                Object before = status.createSavepoint();
                app.orders().orderWithoutTransaction("dropped");
                status.rollbackToSavepoint(status.createSavepoint());
                status.rollbackToSavepoint(before);
            }));
            assertThat(app.orders().all()).containsExactly("kept ORDERED");
            FailBranch failed = alpha.failed();
            assertThat(failed.getRolledBack()).isTrue();
            await().until(() -> !alpha.carriedEnds().isEmpty());
            assertThat(alpha.carriedEnds()).doesNotContain(failed.getBranch());
        });
    }

    @Test
    void a_saga_that_would_wait_for_its_callers_transaction_is_aborted_at_once() {
        run(app -> {
            assertThat(catchThrowable(() -> app.transaction()
                            .executeWithoutResult(status -> app.counter().sell("book"))))
                    .isInstanceOf(SagaException.class)
                    .hasMessageContaining("Shop.Counter.sell was called inside a transaction that a branch of saga")
                    .hasMessageContaining("is aborted");
            assertThat(alpha.kinds()).contains(ABORT).doesNotContain(END);
            assertThat(alpha.failed().getRolledBack()).isTrue();
            assertThat(app.orders().all()).isEmpty();
        });
    }

    @Test
    void a_saga_in_a_transaction_that_no_branch_has_joined_commits() {
        RunningShop.run(Applications.shop(directory, alpha).withPropertyValues("omega.saga.begin=EAGER"), app -> {
            app.transaction().executeWithoutResult(status -> app.counter().run(() -> {}));
            assertThat(alpha.kinds()).containsExactly(BEGIN, END);
        });
    }

    // ---- transactions that are not the fence's, or over

    /** The shop whose connections commit by themselves, or never do. */
    private ApplicationContextRunner shop(boolean autoCommit) {
        String url = Applications.url(directory).replace("&transaction_mode=IMMEDIATE", "");
        if (!autoCommit) createOrders(url);
        return Applications.shop(directory, alpha)
                .withPropertyValues(
                        "spring.datasource.url=" + url, "spring.datasource.hikari.auto-commit=" + autoCommit);
    }

    /** As the shop would, if its connections committed. */
    private static void createOrders(String url) {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            statement.execute("create table orders (name text, many int, state text)");
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void a_branch_in_a_transaction_of_another_database_is_refused(boolean autoCommit) {
        TransactionTemplate other = new TransactionTemplate(
                new DataSourceTransactionManager(new DriverManagerDataSource("jdbc:sqlite::memory:")));
        RunningShop.run(shop(autoCommit), app -> {
            assertThat(app.thrownBy(() ->
                            other.executeWithoutResult(status -> app.orders().orderWithoutTransaction("book"))))
                    .isInstanceOf(SagaException.class)
                    .hasMessageContaining("is not one of the fence's DataSource; it did not run");
            assertThat(alpha.failed().getRolledBack()).isTrue();
        });
    }

    /** SQLite would write there, PostgreSQL and MariaDB refuse it, and JPA does not flush: the same answer everywhere. */
    @Test
    void a_branch_in_a_read_only_transaction_is_refused_before_it_runs() {
        run(app -> {
            TransactionTemplate reading = new TransactionTemplate(
                    Objects.requireNonNull(app.transaction().getTransactionManager()));
            reading.setReadOnly(true);
            assertThat(app.thrownBy(() ->
                            reading.executeWithoutResult(status -> app.orders().orderWithoutTransaction("book"))))
                    .isInstanceOf(SagaException.class)
                    .hasMessageContaining("runs in a read-only transaction")
                    .hasMessageContaining("it did not run");
            assertThat(app.orders().all()).isEmpty();
            assertThat(alpha.failed().getRolledBack()).isTrue();
        });
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void a_branch_called_when_a_transaction_is_over_has_one_of_its_own(boolean autoCommit) {
        List<List<String>> seenByAlpha = new CopyOnWriteArrayList<>();
        RunningShop.run(shop(autoCommit), app -> {
            alpha.observer = input -> {
                if (input.hasEndBranch()) seenByAlpha.add(app.orders().all());
            };
            app.counter()
                    .run(calledByAnother(() -> whenOver(app, new TransactionSynchronization() {
                        @Override
                        public void afterCompletion(int status) {
                            app.orders().orderWithoutTransaction("book");
                            app.orders().orderWithoutTransaction("pen");
                        }
                    })));
            assertThat(seenByAlpha).containsExactly(List.of("book ORDERED"), List.of("book ORDERED", "pen ORDERED"));
        });
    }

    @Test
    void of_a_branch_that_joined_a_transaction_after_its_commit_nobody_knows_what_became() {
        run(app -> {
            app.expectFailureOf(() -> whenOver(app, new TransactionSynchronization() {
                @Override
                public void afterCommit() {
                    app.orders().orderWithoutTransaction("book");
                }
            }));
            assertThat(alpha.failed().getRolledBack()).isFalse();
            assertThat(alpha.kinds()).doesNotContain(END_BRANCH);
        });
    }

    private static void whenOver(RunningShop app, TransactionSynchronization told) {
        app.transaction()
                .executeWithoutResult(status -> TransactionSynchronizationManager.registerSynchronization(told));
    }

    // ---- commits that nobody knows the outcome of

    @Configuration(proxyBeanMethods = false)
    static class LostCommits {
        /** Commits, and hears nothing of it. */
        @Bean
        PlatformTransactionManager transactionManager(DataSource dataSource) {
            return new DataSourceTransactionManager(dataSource) {
                @Override
                protected void doCommit(DefaultTransactionStatus status) {
                    super.doCommit(status);
                    throw new TransactionSystemException("connection lost");
                }
            };
        }
    }

    @Test
    void a_commit_of_unknown_outcome_is_reported_as_unknown() {
        RunningShop.run(Applications.shop(directory, alpha).withUserConfiguration(LostCommits.class), app -> {
            assertThat(app.thrownBy(() -> app.orders().order(List.of(new Shop.Item("book", 1)), "Ada")))
                    .isInstanceOf(TransactionSystemException.class);
            assertThat(alpha.failed().getRolledBack()).isFalse();
        });
    }

    @Test
    void a_try_after_a_commit_of_unknown_outcome_finds_it_at_the_fence() {
        RunningShop.run(Applications.shop(directory, alpha).withUserConfiguration(LostCommits.class), app -> {
            app.expectFailureOf(() -> app.orders().orderAtTheFirstTry("book"));
            assertThat(app.orders().all()).containsExactly("book ORDERED");
        });
    }

    private void run(RunningShop.Story story) {
        RunningShop.run(Applications.shop(directory, alpha), story);
    }
}
