package io.alphaomega.omega.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.alphaomega.omega.Compensable;
import io.alphaomega.omega.context.PendingReports;
import io.alphaomega.omega.context.SagaContext;
import io.alphaomega.protocol.v1.BeginBranch;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.task.TaskExecutionAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.transaction.annotation.Transactional;

/** Methods that return a CompletableFuture behind the fence: their work is in its transaction, on the thread of @Async. */
class FencedFutureTest {
    private static final Duration LIMIT = Duration.ofSeconds(30);

    @TempDir
    Path directory;

    private final SmallAlpha alpha = new SmallAlpha();

    @AfterEach
    void stop() {
        alpha.close();
    }

    @EnableAsync
    static class WithAsync {}

    static class Desk {
        private final JdbcClient database;
        private final CountDownLatch mayEnd = new CountDownLatch(1);
        private final AtomicInteger runs = new AtomicInteger();

        Desk(JdbcClient database) {
            this.database = database;
            database.sql("create table if not exists orders (name text, many int, state text)")
                    .update();
        }

        @Async
        @Transactional
        @Compensable(compensationMethod = "cancel")
        public CompletableFuture<String> order(String item) {
            runs.incrementAndGet();
            database.sql("insert into orders (name, many, state) values (?, 1, 'ORDERED')")
                    .param(item)
                    .update();
            return item.equals("unicorn")
                    ? CompletableFuture.failedFuture(new Shop.OutOfStock("no unicorns left"))
                    : CompletableFuture.completedFuture("R-" + item);
        }

        /** Its future is done later, on another thread. */
        @Async
        @Compensable(compensationMethod = "cancel", name = "later")
        public CompletableFuture<String> orderLater(String item) {
            database.sql("insert into orders (name, many, state) values (?, 1, 'ORDERED')")
                    .param(item)
                    .update();
            return CompletableFuture.supplyAsync(() -> {
                try {
                    mayEnd.await();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
                return "R-" + item;
            });
        }

        public void cancel(String item, String receipt) {
            database.sql("update orders set state = ? where name = ?")
                    .params("CANCELLED " + receipt, item)
                    .update();
        }

        CountDownLatch mayEnd() {
            return mayEnd;
        }

        int runs() {
            return runs.get();
        }

        List<String> all() {
            return database.sql("select name || ' ' || state from orders order by rowid")
                    .query((row, n) -> row.getString(1))
                    .list();
        }
    }

    private ApplicationContextRunner application() {
        return Applications.shop(directory, alpha)
                .withConfiguration(AutoConfigurations.of(TaskExecutionAutoConfiguration.class))
                .withUserConfiguration(WithAsync.class)
                .withBean(Desk.class);
    }

    private static CompletableFuture<String> repeated(Desk desk, String item) {
        SagaContext call =
                SagaContext.received("saga-1", "", "call-1", Long.MAX_VALUE, "", PendingReports.nothing("saga-1"));
        SagaContext.Scope scope = call.open();
        try {
            return desk.order(item);
        } finally {
            scope.close();
        }
    }

    @Test
    void a_repeated_call_runs_once_and_has_the_same_value_which_the_compensation_gets() {
        application().run(context -> {
            Desk desk = context.getBean(Desk.class);
            for (int i = 0; i < 2; i++)
                assertThat(repeated(desk, "car")).succeedsWithin(LIMIT).isEqualTo("R-car");
            assertThat(desk.runs()).isEqualTo(1);
            List<BeginBranch> begins = alpha.inputs().stream()
                    .filter(io.alphaomega.protocol.v1.Input::hasBeginBranch)
                    .map(io.alphaomega.protocol.v1.Input::getBeginBranch)
                    .toList();
            assertThat(begins).hasSize(2).allMatch(BeginBranch::getFenced);
        });
    }

    @Test
    void a_future_that_has_failed_rolls_its_transaction_back() {
        application().run(context -> {
            Desk desk = context.getBean(Desk.class);
            assertThat(repeated(desk, "unicorn"))
                    .failsWithin(LIMIT)
                    .withThrowableThat()
                    .withMessageContaining("no unicorns left");
            assertThat(alpha.failed().getRolledBack()).isTrue();
            assertThat(desk.all()).isEmpty();
        });
    }

    @Test
    void a_future_that_is_done_later_keeps_the_transaction_open_until_then() {
        application().run(context -> {
            Desk desk = context.getBean(Desk.class);
            Shop.Counter counter = context.getBean(Shop.Counter.class);
            counter.run(() -> {
                CompletableFuture<String> ordered = desk.orderLater("car");
                assertThat(alpha.carriedEnds()).isEmpty();
                assertThat(desk.all()).as("it is not committed").isEmpty();
                desk.mayEnd().countDown();
                assertThat(ordered).succeedsWithin(LIMIT).isEqualTo("R-car");
            });
            assertThat(desk.all()).containsExactly("car ORDERED");
            alpha.callBack(callback -> {});
            assertThat(desk.all()).containsExactly("car CANCELLED R-car");
        });
    }
}
