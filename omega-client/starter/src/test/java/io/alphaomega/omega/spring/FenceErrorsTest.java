package io.alphaomega.omega.spring;

import static io.alphaomega.protocol.v1.Input.KindCase.END_BRANCH;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLTransactionRollbackException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.transaction.UnexpectedRollbackException;

/** What becomes of branches and callbacks when the database refuses what the fence writes. */
class FenceErrorsTest {
    @TempDir
    Path directory;

    private final SmallAlpha alpha = new SmallAlpha();

    /** How many of the next rows of the fence are refused, and how. */
    private final AtomicInteger refused = new AtomicInteger();

    private Supplier<Exception> refusal =
            () -> new SQLTransactionRollbackException("deadlock found, try restarting transaction", "40001", 1213);

    @AfterEach
    void stop() {
        alpha.close();
    }

    @Test
    void who_lost_to_another_transaction_before_the_business_tries_again() {
        run(app -> {
            app.counter().run(() -> {
                refused.set(2);
                app.orders().orderWithoutTransaction("book");
            });
            assertThat(app.orders().all()).containsExactly("book ORDERED");
            assertThat(alpha.carriedEnds()).hasSize(1);

            refused.set(2);
            assertThat(alpha.callBack(callback -> {}).hasFailure()).isFalse();
            assertThat(app.orders().all()).containsExactly("book UNDONE");
        });
    }

    @Test
    void who_loses_again_and_again_has_failed_and_left_nothing() {
        run(app -> {
            assertThat(app.thrownBy(() -> {
                        refused.set(3);
                        app.orders().orderWithoutTransaction("book");
                    }))
                    .isInstanceOf(ConcurrencyFailureException.class)
                    .hasMessageStartingWith("Omega's fence could not read or write its row, and this did not run: ");
            assertThat(app.orders().all()).isEmpty();
            assertThat(alpha.failed().getRolledBack()).isTrue();
        });
    }

    @Test
    void in_a_transaction_of_the_callers_it_is_the_callers_to_try_again_and_not_to_commit() {
        run(app -> {
            assertThat(app.thrownBy(() -> app.transaction().executeWithoutResult(status -> {
                        app.orders().orderWithoutTransaction("pen");
                        refused.set(1);
                        assertThat(catchThrowable(() -> app.orders().orderWithoutTransaction("book")))
                                .isInstanceOf(ConcurrencyFailureException.class);
                    })))
                    .isInstanceOf(UnexpectedRollbackException.class);
            assertThat(app.orders().all()).isEmpty();
            assertThat(alpha.kinds()).doesNotContain(END_BRANCH);
        });
    }

    /** Drivers wrapped by proxies throw it undeclared. */
    @Test
    void an_error_that_is_not_sqls_cannot_be_committed_either() {
        refusal = () -> new IOException("the proxy's own");
        run(app -> {
            assertThat(app.thrownBy(() -> app.transaction().executeWithoutResult(status -> {
                        app.orders().orderWithoutTransaction("pen");
                        refused.set(1);
                        assertThat(catchThrowable(() -> app.orders().orderWithoutTransaction("book")))
                                .isInstanceOf(RuntimeException.class)
                                .hasRootCauseInstanceOf(IOException.class);
                    })))
                    .isInstanceOf(UnexpectedRollbackException.class);
            assertThat(app.orders().all()).isEmpty();
        });
    }

    private void run(RunningShop.Story story) {
        RunningShop.run(
                Applications.shop(directory, alpha)
                        .withBean(
                                DataSource.class,
                                () -> refusing(
                                        DataSource.class, new DriverManagerDataSource(Applications.url(directory)))),
                story);
    }

    private <T> T refusing(Class<T> type, T target) {
        InvocationHandler handler = (proxy, method, arguments) -> {
            if (method.getName().equals("prepareStatement")
                    && String.valueOf(arguments[0]).startsWith("INSERT INTO omega_fence")
                    && refused.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
                throw refusal.get();
            }
            try {
                Object result = method.invoke(target, arguments);
                return result instanceof Connection connection ? refusing(Connection.class, connection) : result;
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        };
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }
}
