package io.alphaomega.omega.spring;

import static io.alphaomega.protocol.v1.CallbackFailure.Code.FENCE_ROW_MISSING;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.alphaomega.omega.Compensable;
import io.alphaomega.omega.SagaException;
import io.alphaomega.omega.context.SagaContext;
import io.alphaomega.protocol.v1.Ack;
import io.alphaomega.protocol.v1.CallbackResult;
import io.alphaomega.protocol.v1.Input;
import io.alphaomega.protocol.v1.Rejected;
import io.grpc.Status;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.SocketTimeoutException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.TransientDataAccessResourceException;
import org.springframework.http.HttpStatus;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionTemplate;
import org.springframework.util.StringUtils;
import org.springframework.web.client.HttpServerErrorException;

/** A local rollback does not take back what a method did elsewhere. */
@ExtendWith(OutputCaptureExtension.class)
class RolledBackTest {
    @TempDir
    Path directory;

    private final SmallAlpha alpha = new SmallAlpha();

    @AfterEach
    void stop() {
        alpha.close();
    }

    /** Somebody else's system: what is done there stays done. */
    static class Bank {
        final List<String> seen = new CopyOnWriteArrayList<>();
        volatile @Nullable RuntimeException answer;

        void charge(String card) {
            seen.add("charged " + card);
            RuntimeException thrown = answer;
            if (thrown != null) throw thrown;
        }
    }

    static class Payments {
        private final Bank bank;
        private final JdbcClient database;

        Payments(Bank bank, JdbcClient database) {
            this.bank = bank;
            this.database = database;
            database.sql("create table if not exists payment (card text)").update();
        }

        @Transactional
        @Compensable(compensationMethod = "refund", compensateOnException = true)
        public String charge(String card) {
            database.sql("insert into payment (card) values (?)").param(card).update();
            bank.charge(card);
            return "receipt";
        }

        public void refund(String card, @Nullable String receipt) {
            bank.seen.add("refunded " + card + " " + receipt);
        }

        @Transactional
        @Compensable(compensationMethod = "forget")
        public void pay(String card) throws IOException {
            bank.charge(card);
        }

        public void forget(String card) {
            bank.seen.add("forgot " + card);
        }
    }

    private final RuntimeException timeout = new UncheckedIOException(new SocketTimeoutException("Read timed out"));

    interface Story {
        void tell(Shop.Counter counter, Payments payments, Bank bank);
    }

    private ApplicationContextRunner application() {
        return Applications.shop(directory, alpha)
                .withPropertyValues("omega.drain-timeout=100ms") // Alpha is silent at times, and stays so.
                .withBean(Bank.class)
                .withBean(Payments.class);
    }

    private void run(Story story) {
        run(application(), story);
    }

    private static void run(ApplicationContextRunner application, Story story) {
        application.run(context -> {
            assertThat(context).hasNotFailed();
            story.tell(
                    context.getBean(Shop.Counter.class), context.getBean(Payments.class), context.getBean(Bank.class));
        });
    }

    // ---- compensateOnException

    @Test
    void what_was_rolled_back_after_a_call_to_others_is_compensated_once() {
        run((counter, payments, bank) -> {
            bank.answer = timeout;
            assertThatThrownBy(() -> counter.run(() -> payments.charge("visa"))).isSameAs(timeout);
            assertThat(alpha.failed().getRolledBack())
                    .as("that nothing was done")
                    .isFalse();

            assertSucceeded(alpha.callBack(callback -> {}));
            assertSucceeded(alpha.callBack(callback -> callback.setAttempt(2)));
            assertThat(bank.seen).containsExactly("charged visa", "refunded visa null");
        });
    }

    @Test
    void what_was_committed_is_compensated_with_its_result() {
        run((counter, payments, bank) -> {
            counter.run(() -> payments.charge("visa"));
            assertSucceeded(alpha.callBack(callback -> {}));
            assertThat(bank.seen).containsExactly("charged visa", "refunded visa receipt");
        });
    }

    @Test
    void a_process_that_died_within_the_method_is_compensated_as_well() {
        run(application().withPropertyValues("omega.ack-timeout=300ms"), (counter, payments, bank) -> {
            bank.answer = timeout;
            alpha.silentOn = Input::hasFailBranch;
            counterRunsInto(counter, () -> payments.charge("visa"));
            assertSucceeded(alpha.callBack(callback -> {}));
            assertThat(bank.seen).containsExactly("charged visa", "refunded visa null");
        });
    }

    @Test
    void a_late_run_after_the_failure_or_the_compensation_is_refused() {
        run((counter, payments, bank) -> {
            bank.answer = timeout;
            SagaContext[] call = new SagaContext[1];
            counterRunsInto(counter, () -> {
                SagaContext here = SagaContext.current().orElseThrow();
                call[0] = SagaContext.received(here.saga(), "", "call", here.decidedByNanos(), "", here.untold());
                in(call[0], () -> payments.charge("visa"));
            });
            alpha.answer = input -> input.hasBeginBranch() ? SmallAlpha.accepted() : null;
            bank.answer = null;
            assertThat(catchThrowable(() -> in(again(call[0]), () -> payments.charge("visa"))))
                    .isInstanceOf(SagaException.class);
            assertThat(bank.seen).containsExactly("charged visa");
            assertThat(alpha.inputs())
                    .filteredOn(Input::hasFailBranch)
                    .noneMatch(input -> input.getFailBranch().getRolledBack());
        });
    }

    @Test
    void what_had_not_begun_when_its_compensation_came_has_nothing_to_undo() {
        alpha.answer = input -> input.hasBeginBranch()
                ? Ack.newBuilder().setRejected(Rejected.newBuilder().setReason("NO"))
                : null;
        run((counter, payments, bank) -> {
            counterRunsInto(counter, () -> payments.charge("visa"));
            assertSucceeded(alpha.callBack(callback -> {}));
            assertThat(bank.seen).isEmpty();
        });
    }

    @Test
    void a_row_that_alpha_has_seen_committed_is_missed_all_the_same() {
        run((counter, payments, bank) -> {
            bank.answer = timeout;
            counterRunsInto(counter, () -> payments.charge("visa"));
            CallbackResult result = alpha.callBack(callback -> callback.setForwardEnded(true));
            assertThat(result.getFailure().getCode()).isEqualTo(FENCE_ROW_MISSING);
        });
    }

    @Test
    void inside_a_transaction_of_the_callers_it_does_not_run() {
        application().run(context -> {
            Payments payments = context.getBean(Payments.class);
            Shop.Counter counter = context.getBean(Shop.Counter.class);
            TransactionTemplate transaction =
                    new TransactionTemplate(context.getBean(PlatformTransactionManager.class));
            assertThat(catchThrowable(() ->
                            counter.run(() -> transaction.executeWithoutResult(status -> payments.charge("visa")))))
                    .isInstanceOf(SagaException.class)
                    .hasMessageContaining("charge has compensateOnException but was called inside a transaction");
            assertThat(context.getBean(Bank.class).seen).isEmpty();
        });
    }

    // ---- at start

    static class Contradiction {
        @Compensable(compensationMethod = "undo", compensateOnException = true, cleanOnException = true)
        public void order() {}

        public void undo() {}
    }

    static class Unfenced {
        @Compensable(compensationMethod = "undo", compensateOnException = true, fenced = false)
        public void order() {}

        public void undo() {}
    }

    static class Primitive {
        @Compensable(compensationMethod = "undo", compensateOnException = true)
        public int order() {
            return 1;
        }

        public void undo(int number) {}
    }

    static class Mandatory {
        @Transactional(propagation = Propagation.MANDATORY)
        @Compensable(compensationMethod = "undo", compensateOnException = true)
        public void order() {}

        public void undo() {}
    }

    static class Good {
        @Compensable(compensationMethod = "undo", compensateOnException = true)
        public void order() {}

        public void undo() {}
    }

    @Test
    void where_it_cannot_work_the_service_does_not_start() {
        refused(Contradiction.class, "says cleanOnException", "and compensateOnException");
        refused(Unfenced.class, "says compensateOnException and fenced = false");
        refused(Primitive.class, "takes a result of the primitive type int: there is none if the method threw");
        refused(Mandatory.class, "is always its caller's (propagation MANDATORY): that it begins must be committed");
        Applications.plain()
                .withBean(Good.class)
                .run(context -> Applications.assertRefused(context, "but this service has no fence"));
        Applications.withDatabase(directory)
                .withBean(Good.class)
                .run(context -> assertThat(context).hasNotFailed());
    }

    private void refused(Class<?> shop, String... sentences) {
        Applications.withDatabase(directory)
                .withBean(shop)
                .run(context -> Applications.assertRefused(context, sentences));
    }

    // ---- what is not compensated, and may have been done

    @Test
    void a_failure_of_others_that_says_nothing_is_warned_of_once_and_counted(CapturedOutput output) {
        application().withBean(SimpleMeterRegistry.class).run(context -> {
            Shop.Counter counter = context.getBean(Shop.Counter.class);
            Payments payments = context.getBean(Payments.class);
            Bank bank = context.getBean(Bank.class);
            for (RuntimeException answer : List.of(
                    timeout,
                    new IllegalStateException(new HttpServerErrorException(HttpStatus.BAD_GATEWAY)),
                    Status.UNAVAILABLE.asRuntimeException())) {
                bank.answer = answer;
                counterRunsInto(counter, () -> pay(payments));
            }
            assertThat(StringUtils.countOccurrencesOf(
                                    output.getAll(), "Payments.pay failed with java.io.UncheckedIOException")
                            + StringUtils.countOccurrencesOf(
                                    output.getAll(), "Payments.pay failed with java.net.SocketTimeoutException"))
                    .isEqualTo(1);
            assertThat(output).contains("say @Compensable(compensateOnException = true)");
            assertThat(context.getBean(MeterRegistry.class)
                            .get("omega.failures.remote")
                            .tag("operation", "RolledBackTest.Payments.pay")
                            .counter()
                            .count())
                    .isEqualTo(3);
        });
    }

    @Test
    void a_failure_that_is_the_services_own_is_not(CapturedOutput output) {
        run((counter, payments, bank) -> {
            for (RuntimeException answer : List.of(
                    new IllegalStateException("no"),
                    new UncheckedIOException(new NoSuchFileException("rates.csv")),
                    (DataAccessException) new TransientDataAccessResourceException(
                            "the database", new SQLException(new SocketTimeoutException())))) {
                bank.answer = answer;
                counterRunsInto(counter, () -> pay(payments));
            }
            bank.answer = timeout;
            counterRunsInto(counter, () -> payments.charge("visa"));
            assertThat(output).doesNotContain("does not say whether");
        });
    }

    private static void pay(Payments payments) {
        try {
            payments.pay("visa");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void counterRunsInto(Shop.Counter counter, Runnable business) {
        assertThat(catchThrowable(() -> counter.run(business))).isNotNull();
    }

    private static SagaContext again(SagaContext call) {
        return SagaContext.received(call.saga(), "", "call", call.decidedByNanos(), "", call.untold());
    }

    private static void in(SagaContext context, Runnable business) {
        SagaContext.Scope scope = context.open();
        try {
            business.run();
        } finally {
            scope.close();
        }
    }

    private static void assertSucceeded(CallbackResult result) {
        assertThat(result.hasFailure()).as(result::toString).isFalse();
    }
}
