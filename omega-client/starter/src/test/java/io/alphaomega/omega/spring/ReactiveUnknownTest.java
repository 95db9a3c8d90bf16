package io.alphaomega.omega.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.alphaomega.omega.Compensable;
import io.alphaomega.omega.SagaAbortedException;
import io.alphaomega.omega.SagaException;
import io.alphaomega.omega.context.PendingReports;
import io.alphaomega.omega.context.SagaContext;
import io.alphaomega.omega.context.SagaContextAccessor;
import io.alphaomega.protocol.v1.Ack;
import io.alphaomega.protocol.v1.BeginBranch;
import io.alphaomega.protocol.v1.CallbackKind;
import io.alphaomega.protocol.v1.CallbackResult;
import io.alphaomega.protocol.v1.Input;
import io.alphaomega.protocol.v1.Rejected;
import io.r2dbc.h2.H2ConnectionFactory;
import io.r2dbc.spi.ConnectionFactory;
import java.io.UncheckedIOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
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
import reactor.core.scheduler.Schedulers;
import reactor.util.context.Context;

/** A Mono that calls others which no rollback reaches, and does not say what they have done. */
class ReactiveUnknownTest {
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private final RuntimeException timeout = new UncheckedIOException(new SocketTimeoutException("Read timed out"));

    private static SmallAlpha alpha;
    private static ConfigurableApplicationContext application;
    private static Payments payments;
    private static Bank bank;
    private String saga = "";

    @BeforeAll
    static void start() {
        alpha = new SmallAlpha();
        application = Applications.started(Paying.class, "payments", alpha);
        payments = application.getBean(Payments.class);
        bank = application.getBean(Bank.class);
    }

    @AfterAll
    static void stop() {
        application.close();
        alpha.close();
    }

    @BeforeEach
    void anew() {
        saga = UUID.randomUUID().toString();
        alpha.answer = input -> null;
        bank.answers = card -> Mono.just("receipt");
        bank.seen.clear();
    }

    @Configuration(proxyBeanMethods = false)
    @Applications.EnableWithoutDataSource
    @EnableTransactionManagement
    @Import({Payments.class, Bank.class})
    static class Paying {
        @Bean
        ConnectionFactory connections() {
            return H2ConnectionFactory.inMemory("unknown");
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

    /** Over an API: what it has done is done. */
    static class Bank {
        final Queue<String> seen = new ConcurrentLinkedQueue<>();
        volatile Function<String, Mono<String>> answers = card -> Mono.just("receipt");

        Mono<String> charge(String card) {
            return Mono.defer(() -> {
                seen.add("charged " + card);
                return answers.apply(card);
            });
        }
    }

    static class Payments {
        private final Bank bank;
        private final DatabaseClient database;

        Payments(Bank bank, DatabaseClient database) {
            this.bank = bank;
            this.database = database;
            database.sql("create table payment (card varchar(100))").then().block(LIMIT);
        }

        @Transactional
        @Compensable(compensationMethod = "refund", compensateOnException = true)
        public Mono<String> charge(String card) {
            return noted(card).then(bank.charge(card));
        }

        @Compensable(
                compensationMethod = "refund",
                name = "again",
                compensateOnException = true,
                forwardRetries = 1,
                forwardRetryDelay = "1ms")
        public Mono<String> chargeAgain(String card) {
            return noted(card).then(bank.charge(card));
        }

        private Mono<Void> noted(String card) {
            return database.sql("insert into payment values ('" + card + "')").then();
        }

        public Mono<Void> refund(String card, @Nullable String receipt) {
            return Mono.fromRunnable(() -> bank.seen.add("refunded " + card + " " + receipt));
        }

        /** What others see committed of a branch. */
        List<String> committed(String saga) {
            return Objects.requireNonNull(
                    database.sql("select op from omega_fence where saga = '" + saga + "' order by op")
                            .map(row -> Objects.requireNonNull(row.get(0, String.class)))
                            .all()
                            .collectList()
                            .block(LIMIT));
        }
    }

    private <T> Mono<T> called(Mono<T> method) {
        SagaContext call = SagaContext.received(saga, "", "call", Long.MAX_VALUE, "", PendingReports.nothing(saga));
        return method.contextWrite(Context.of(SagaContextAccessor.KEY, call));
    }

    private List<Input> told() {
        return alpha.inputs().stream()
                .filter(input -> input.getSaga().equals(saga))
                .toList();
    }

    private CallbackResult compensate() {
        await().until(() -> told().stream().anyMatch(Input::hasBeginBranch));
        BeginBranch begin = told().stream()
                .filter(Input::hasBeginBranch)
                .findFirst()
                .orElseThrow()
                .getBeginBranch();
        return alpha.call(callback -> callback.setSaga(saga)
                .setBranch(begin.getBranch())
                .setKind(CallbackKind.COMPENSATION)
                .setAttempt(1)
                .setName(begin.getCompensation().getName())
                .setArguments(begin.getArguments())
                .setFenced(begin.getFenced())
                .setFence(begin.getFence()));
    }

    private void assertAlphaHearsThatNobodyKnows() {
        await().until(() -> told().stream().anyMatch(Input::hasFailBranch));
        assertThat(told())
                .filteredOn(Input::hasFailBranch)
                .noneMatch(input -> input.getFailBranch().getRolledBack());
    }

    @Test
    void what_was_rolled_back_after_a_call_to_others_is_compensated_once() {
        bank.answers = card -> Mono.error(timeout);
        assertThatThrownBy(() -> called(payments.charge("visa")).block(LIMIT)).isSameAs(timeout);
        assertAlphaHearsThatNobodyKnows();

        assertThat(compensate().hasFailure()).isFalse();
        assertThat(compensate().hasFailure()).isFalse();
        assertThat(bank.seen).containsExactly("charged visa", "refunded visa null");
    }

    @Test
    void that_it_begins_is_committed_before_it_does() {
        Queue<String> seen = new ConcurrentLinkedQueue<>();
        bank.answers = card -> Mono.fromCallable(() -> {
                    seen.addAll(payments.committed(saga));
                    return "receipt";
                })
                .subscribeOn(Schedulers.boundedElastic());
        called(payments.charge("visa")).block(LIMIT);
        assertThat(seen).containsExactly("begin");
    }

    @Test
    void a_process_that_died_within_it_is_compensated_as_well() {
        bank.answers = card -> Mono.never();
        Disposable call = called(payments.charge("visa")).subscribe();
        await().until(() -> bank.seen.contains("charged visa"));
        call.dispose(); // The transaction is rolled back, as the server would.
        assertAlphaHearsThatNobodyKnows();

        assertThat(compensate().hasFailure()).isFalse();
        assertThat(bank.seen).containsExactly("charged visa", "refunded visa null");
    }

    @Test
    void what_was_committed_is_compensated_with_its_result() {
        assertThat(called(payments.charge("visa")).block(LIMIT)).isEqualTo("receipt");
        assertThat(compensate().hasFailure()).isFalse();
        assertThat(bank.seen).containsExactly("charged visa", "refunded visa receipt");
    }

    @Test
    void a_late_run_after_the_failure_or_the_compensation_is_refused() {
        bank.answers = card -> Mono.error(timeout);
        assertThatThrownBy(() -> called(payments.charge("visa")).block(LIMIT)).isSameAs(timeout);
        assertAlphaHearsThatNobodyKnows();
        bank.answers = card -> Mono.just("receipt");
        alpha.answer = input -> input.hasBeginBranch() ? SmallAlpha.accepted() : null;
        assertThatThrownBy(() -> called(payments.charge("visa")).block(LIMIT))
                .isInstanceOf(SagaAbortedException.class)
                .hasMessageContaining("so it did not run");
        assertThat(bank.seen).containsExactly("charged visa");
    }

    @Test
    void a_try_that_is_repeated_is_one_branch_of_which_nobody_knows() {
        bank.answers = card -> Mono.error(timeout);
        assertThatThrownBy(() -> called(payments.chargeAgain("visa")).block(LIMIT))
                .isSameAs(timeout);
        assertAlphaHearsThatNobodyKnows();
        assertThat(told()).filteredOn(Input::hasBeginBranch).hasSize(1);
        assertThat(compensate().hasFailure()).isFalse();
        assertThat(bank.seen).containsExactly("charged visa", "charged visa", "refunded visa null");
    }

    @Test
    void what_had_not_begun_when_its_compensation_came_has_nothing_to_undo_and_never_will() {
        alpha.answer = input -> input.hasBeginBranch()
                ? Ack.newBuilder().setRejected(Rejected.newBuilder().setReason("NO"))
                : null;
        assertThatThrownBy(() -> called(payments.charge("visa")).block(LIMIT)).isInstanceOf(SagaException.class);
        assertThat(compensate().hasFailure()).isFalse();
        alpha.answer = input -> null;
        assertThatThrownBy(() -> called(payments.charge("visa")).block(LIMIT)).isInstanceOf(SagaAbortedException.class);
        assertThat(bank.seen).isEmpty();
    }

    @Test
    void inside_a_transaction_of_its_subscribers_it_does_not_run() {
        TransactionalOperator transaction =
                TransactionalOperator.create(application.getBean(R2dbcTransactionManager.class));
        assertThatThrownBy(() -> called(payments.charge("visa").as(transaction::transactional))
                        .block(LIMIT))
                .isInstanceOf(SagaException.class)
                .hasMessageContaining("charge has compensateOnException but was called inside a transaction");
        assertThat(bank.seen).isEmpty();
    }
}
