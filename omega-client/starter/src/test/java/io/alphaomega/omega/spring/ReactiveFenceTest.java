package io.alphaomega.omega.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.alphaomega.omega.AfterAbort;
import io.alphaomega.omega.CallbackInterceptor;
import io.alphaomega.omega.CallbackInvocation;
import io.alphaomega.omega.Compensable;
import io.alphaomega.omega.Participate;
import io.alphaomega.omega.SagaAbortedException;
import io.alphaomega.omega.SagaException;
import io.alphaomega.omega.context.PendingReports;
import io.alphaomega.omega.context.SagaContext;
import io.alphaomega.omega.context.SagaContextAccessor;
import io.alphaomega.omega.spring.autoconfigure.OmegaAutoConfiguration;
import io.alphaomega.omega.spring.autoconfigure.OmegaReactiveFenceAutoConfiguration;
import io.alphaomega.omega.spring.fencing.Fences;
import io.alphaomega.omega.spring.fencing.ReactiveLocalFence;
import io.alphaomega.protocol.v1.Ack;
import io.alphaomega.protocol.v1.BeginBranch;
import io.alphaomega.protocol.v1.CallbackFailure.Code;
import io.alphaomega.protocol.v1.CallbackKind;
import io.alphaomega.protocol.v1.CallbackResult;
import io.alphaomega.protocol.v1.Committed;
import io.alphaomega.protocol.v1.FailBranch;
import io.alphaomega.protocol.v1.FenceFinding.Finding;
import io.alphaomega.protocol.v1.Input;
import io.r2dbc.h2.H2ConnectionFactory;
import io.r2dbc.spi.ConnectionFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
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
import reactor.util.context.Context;

/** Methods that return a Mono behind the fence: its row is in the transaction of R2DBC that their work is in. */
class ReactiveFenceTest {
    private static final Duration LIMIT = Duration.ofSeconds(30);

    private static SmallAlpha alpha;
    private static ConfigurableApplicationContext application;
    private static Desk desk;
    private static TransactionalOperator transaction;
    /** How many times the business ran, and what callbacks were told. */
    private static final AtomicInteger RUNS = new AtomicInteger();

    private static final Queue<String> TOLD = new ConcurrentLinkedQueue<>();

    /** How many callbacks will fail, after they have done something. */
    private static final AtomicInteger FAILING = new AtomicInteger();

    private String saga = "";

    @BeforeAll
    static void start() {
        alpha = new SmallAlpha();
        application = Applications.started(Shopping.class, "stock", alpha);
        desk = application.getBean(Desk.class);
        transaction = TransactionalOperator.create(application.getBean(R2dbcTransactionManager.class));
    }

    @AfterAll
    static void stop() {
        application.close();
        alpha.close();
    }

    @BeforeEach
    void anew() {
        saga = UUID.randomUUID().toString();
        RUNS.set(0);
        TOLD.clear();
        FAILING.set(0);
        desk.execute("delete from orders").block(LIMIT);
    }

    @Configuration(proxyBeanMethods = false)
    @Applications.EnableWithoutDataSource
    @EnableTransactionManagement
    @Import({Desk.class, Tenants.class})
    static class Shopping {
        @Bean
        ConnectionFactory connections() {
            return H2ConnectionFactory.inMemory("fenced");
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

    static class Tenants implements CallbackInterceptor {
        static final ThreadLocal<@Nullable String> CURRENT = new ThreadLocal<>();

        @Override
        public Map<String, String> capture() {
            return Map.of("tenant", "acme");
        }

        @Override
        public void intercept(CallbackInvocation callback) throws Throwable {
            CURRENT.set(callback.captured().get("tenant"));
            try {
                callback.proceed();
            } finally {
                CURRENT.remove();
            }
        }
    }

    static class Desk {
        private final DatabaseClient database;

        Desk(DatabaseClient database) {
            this.database = database;
            execute("create table orders (item varchar(100), state varchar(100))")
                    .block(LIMIT);
        }

        Mono<Void> execute(String sql) {
            return database.sql(sql).then();
        }

        List<String> all() {
            return Objects.requireNonNull(database.sql("select item || ' ' || state from orders order by item")
                    .map(row -> Objects.requireNonNull(row.get(0, String.class)))
                    .all()
                    .collectList()
                    .block(LIMIT));
        }

        long fenceRows(String saga) {
            return Objects.requireNonNull(database.sql("select count(*) from omega_fence where saga = '" + saga + "'")
                    .map(row -> Objects.requireNonNull(row.get(0, Long.class)))
                    .one()
                    .block(LIMIT));
        }

        private Mono<String> ordered(String item) {
            RUNS.incrementAndGet();
            Mono<Void> inserted = execute("insert into orders values ('" + item + "', 'ORDERED')");
            return switch (item) {
                case "unicorn" -> inserted.then(Mono.error(new Shop.OutOfStock("no unicorns left")));
                case "comet" -> inserted.then(Mono.never());
                default -> inserted.thenReturn("R-" + item);
            };
        }

        @Transactional
        @Compensable(compensationMethod = "cancel", name = "transactional")
        public Mono<String> order(String item) {
            return ordered(item);
        }

        @Compensable(compensationMethod = "cancel", name = "plain")
        public Mono<String> orderInNone(String item) {
            return ordered(item);
        }

        @Compensable(compensationMethod = "forget", name = "nothing")
        public Mono<Void> orderNothing(String item) {
            return ordered(item).then();
        }

        public Mono<Void> cancel(String item, @Nullable String receipt) {
            TOLD.add("cancel " + item + " of " + Tenants.CURRENT.get());
            Mono<Void> cancelled =
                    execute("update orders set state = 'CANCELLED " + receipt + "' where item = '" + item + "'");
            return FAILING.getAndDecrement() > 0
                    ? cancelled.then(Mono.error(new Shop.OutOfStock("closed")))
                    : cancelled;
        }

        public Mono<Void> forget() {
            return execute("delete from orders");
        }

        @AfterAbort("ReactiveFenceTest.Desk.order")
        public Mono<Void> apologize(String item) {
            TOLD.add("apologize for " + item);
            return execute("insert into orders values ('sorry', '" + item + "')");
        }

        @Participate(confirmMethod = "sell", cancelMethod = "forget", cancelName = "release")
        public Mono<String> hold(String item) {
            return ordered(item);
        }

        public Mono<Void> sell(String item, String receipt) {
            TOLD.add("sell " + item);
            return execute("update orders set state = 'SOLD " + receipt + "' where item = '" + item + "'");
        }
    }

    /** The same call each time. */
    private <T> Mono<T> called(Supplier<Mono<T>> method) {
        SagaContext call = SagaContext.received(saga, "", "call", Long.MAX_VALUE, "", PendingReports.nothing(saga));
        return Mono.defer(method).contextWrite(Context.of(SagaContextAccessor.KEY, call));
    }

    private List<BeginBranch> begins() {
        return alpha.inputs().stream()
                .filter(input -> input.getSaga().equals(saga) && input.hasBeginBranch())
                .map(Input::getBeginBranch)
                .toList();
    }

    private FailBranch failed() {
        List<FailBranch> found = new ArrayList<>();
        await().until(() -> {
            alpha.inputs().stream()
                    .filter(input -> input.getSaga().equals(saga) && input.hasFailBranch())
                    .forEach(input -> found.add(input.getFailBranch()));
            return !found.isEmpty();
        });
        return found.get(0);
    }

    private CallbackResult callBack(CallbackKind kind, boolean ended) {
        return callBack(kind, ended, begins().get(0).getFence());
    }

    private CallbackResult callBack(CallbackKind kind, boolean ended, String fence) {
        BeginBranch begin = begins().get(0);
        boolean confirms = kind == CallbackKind.CONFIRMATION;
        return alpha.call(callback -> callback.setSaga(saga)
                .setBranch(begin.getBranch())
                .setKind(kind)
                .setAttempt(1)
                .setName((confirms ? begin.getConfirmation() : begin.getCompensation()).getName())
                .setArguments(begin.getArguments())
                .setFenced(begin.getFenced())
                .setFence(fence)
                .setForwardEnded(ended));
    }

    @Test
    void a_repeated_call_runs_once_and_has_the_same_value_which_the_compensation_gets() {
        for (int i = 0; i < 2; i++) {
            assertThat(called(() -> desk.order("car")).block(LIMIT)).isEqualTo("R-car");
        }
        assertThat(RUNS).hasValue(1);
        assertThat(begins())
                .hasSize(2)
                .allMatch(begin -> begin.getFenced() && !begin.getFence().isEmpty());

        assertThat(callBack(CallbackKind.COMPENSATION, true).hasFailure()).isFalse();
        assertThat(desk.all()).containsExactly("car CANCELLED R-car", "sorry car");
    }

    @Test
    void so_does_one_in_no_transaction_of_its_own_and_one_without_a_value() {
        for (int i = 0; i < 2; i++) {
            assertThat(called(() -> desk.orderInNone("car")).block(LIMIT)).isEqualTo("R-car");
            assertThat(called(() -> desk.orderNothing("boat")).block(LIMIT)).isNull();
        }
        assertThat(RUNS).hasValue(2);
    }

    @Test
    void what_comes_again_after_the_commit_has_the_same_value_and_what_did_not_run_is_told_so() {
        called(() -> desk.order("car")).block(LIMIT);
        called(() -> desk.orderNothing("boat")).block(LIMIT);
        alpha.answer =
                input -> input.hasBeginBranch() ? Ack.newBuilder().setCommitted(Committed.getDefaultInstance()) : null;
        try {
            assertThat(called(() -> desk.order("car")).block(LIMIT)).isEqualTo("R-car");
            assertThat(called(() -> desk.orderNothing("boat")).block(LIMIT)).isNull();
            assertThatThrownBy(() -> called(() -> desk.hold("car")).block(LIMIT))
                    .isInstanceOf(SagaException.class)
                    .hasMessageStartingWith("Saga " + saga + " is committed, and the begin of branch ")
                    .hasMessageEndingWith(" comes too late.");
        } finally {
            alpha.answer = input -> null;
        }
        assertThat(RUNS).hasValue(2);
    }

    @Test
    void a_compensation_takes_effect_once_and_what_follows_it_too_and_no_call_runs_after_them() {
        called(() -> desk.order("car")).block(LIMIT);
        for (int i = 0; i < 2; i++) {
            assertThat(callBack(CallbackKind.COMPENSATION, true).hasFailure()).isFalse();
        }
        assertThat(TOLD).containsExactly("cancel car of acme", "apologize for car");

        assertThatThrownBy(() -> called(() -> desk.order("car")).block(LIMIT))
                .isInstanceOf(SagaAbortedException.class)
                .hasMessageContaining("so it did not run");
        assertThat(RUNS).hasValue(1);
    }

    @Test
    void alpha_is_told_what_the_fence_has_of_a_branch() {
        called(() -> desk.order("car")).block(LIMIT);
        assertThat(inquire(begins().get(0).getFence()).getFound().getFinding()).isEqualTo(Finding.RAN);
        assertThat(TOLD).isEmpty();

        assertThat(callBack(CallbackKind.COMPENSATION, true).hasFailure()).isFalse();
        assertThat(inquire(begins().get(0).getFence()).getFound().getFinding()).isEqualTo(Finding.UNDONE);
        CallbackResult other = inquire("0123456789abcdef");
        assertThat(other.getFailure().getCode()).isEqualTo(Code.FENCE_ROW_MISSING);
        assertThat(other.getFailure().getCause()).contains("the branch began behind the fence");
    }

    private CallbackResult inquire(String fence) {
        BeginBranch begin = begins().get(0);
        return alpha.call(callback -> callback.setSaga(saga)
                .setBranch(begin.getBranch())
                .setKind(CallbackKind.INQUIRY)
                .setAttempt(1)
                .setInquired(begin.getCompensation().getName())
                .setArguments(begin.getArguments())
                .setFenced(true)
                .setFence(fence));
    }

    @Test
    void a_compensation_that_fails_is_rolled_back_with_its_row_and_done_the_next_time() {
        called(() -> desk.order("car")).block(LIMIT);
        FAILING.set(1);
        CallbackResult first = callBack(CallbackKind.COMPENSATION, true);
        assertThat(first.getFailure().getCode()).isEqualTo(Code.THREW);
        assertThat(desk.all()).containsExactly("car ORDERED");

        assertThat(callBack(CallbackKind.COMPENSATION, true).hasFailure()).isFalse();
        assertThat(desk.all()).contains("car CANCELLED R-car");
    }

    @Test
    void what_failed_was_rolled_back_has_nothing_to_undo_and_never_runs_again() {
        assertThatThrownBy(() -> called(() -> desk.order("unicorn")).block(LIMIT))
                .isInstanceOf(Shop.OutOfStock.class);
        assertThat(failed().getRolledBack()).isTrue();
        assertThat(desk.all()).isEmpty();

        assertThat(callBack(CallbackKind.COMPENSATION, false).hasFailure()).isFalse();
        assertThat(TOLD).isEmpty();
    }

    @Test
    void of_a_failed_run_whose_repetition_was_committed_nobody_says_that_nothing_is_left() {
        called(() -> desk.orderInNone("car")).block(LIMIT);
        BeginBranch begin = begins().get(0);
        Fences<?> fences = application.getBean("omegaReactiveFences", Fences.class);
        ReactiveLocalFence fence = (ReactiveLocalFence) Objects.requireNonNull(fences.of(""));
        assertThat(fence.bar(saga, begin.getBranch()).block(LIMIT)).isFalse();
        assertThat(fence.bar(saga, "another").block(LIMIT)).isTrue();
    }

    @Test
    void what_was_cancelled_was_rolled_back() {
        Disposable subscription = called(() -> desk.order("comet")).subscribe();
        await().until(() -> RUNS.get() == 1);
        subscription.dispose();
        assertThat(failed().getRolledBack()).isTrue();
        assertThat(desk.all()).isEmpty();
        assertThatThrownBy(() -> called(() -> desk.order("comet")).block(LIMIT))
                .isInstanceOf(SagaAbortedException.class);
    }

    @Test
    void in_its_callers_transaction_its_row_is_committed_with_that_and_rolled_back_with_that() {
        assertThatThrownBy(() -> called(() -> desk.orderInNone("car"))
                        .then(Mono.error(new Shop.OutOfStock("after the branch")))
                        .as(transaction::transactional)
                        .block(LIMIT))
                .isInstanceOf(Shop.OutOfStock.class);
        assertThat(failed().getRolledBack()).isTrue();
        assertThat(desk.all()).isEmpty();

        saga = UUID.randomUUID().toString();
        called(() -> desk.orderInNone("car")).as(transaction::transactional).block(LIMIT);
        assertThat(desk.all()).containsExactly("car ORDERED");
        assertThat(desk.fenceRows(saga)).isEqualTo(1);
    }

    @Test
    void a_confirmation_takes_effect_once_and_gets_the_value() {
        called(() -> desk.hold("seat")).block(LIMIT);
        for (int i = 0; i < 2; i++) {
            CallbackResult result = callBack(CallbackKind.CONFIRMATION, true);
            assertThat(result.hasFailure()).isFalse();
        }
        assertThat(TOLD).containsExactly("sell seat");
        assertThat(desk.all()).containsExactly("seat SOLD R-seat");
    }

    @Test
    void a_callback_at_another_fence_is_never_done_by_doing_nothing() {
        called(() -> desk.order("car")).block(LIMIT);
        assertThat(callBack(CallbackKind.COMPENSATION, false, "another")
                        .getFailure()
                        .getCode())
                .isEqualTo(Code.FENCE_ROW_MISSING);
        assertThat(TOLD).isEmpty();
    }

    static class PlainCompensation {
        @Compensable(compensationMethod = "undo")
        public Mono<String> order() {
            return Mono.empty();
        }

        public void undo() {}
    }

    static class Elsewhere {
        @Transactional("other")
        @Compensable(compensationMethod = "undo")
        public Mono<String> order() {
            return Mono.empty();
        }

        public Mono<Void> undo() {
            return Mono.empty();
        }
    }

    private static ApplicationContextRunner fenced() {
        return new ApplicationContextRunner()
                .withConfiguration(
                        AutoConfigurations.of(OmegaAutoConfiguration.class, OmegaReactiveFenceAutoConfiguration.class))
                .withUserConfiguration(Managers.class)
                .withPropertyValues("spring.application.name=stock", "omega.alpha.addresses=127.0.0.1:1");
    }

    @Configuration(proxyBeanMethods = false)
    @EnableTransactionManagement
    static class Managers {
        @Bean(defaultCandidate = false)
        R2dbcTransactionManager other() {
            return new R2dbcTransactionManager(H2ConnectionFactory.inMemory("elsewhere"));
        }

        @Bean
        R2dbcTransactionManager transactions() {
            return new R2dbcTransactionManager(H2ConnectionFactory.inMemory("refusing"));
        }
    }

    @Test
    void what_would_be_committed_apart_keeps_the_service_from_starting() {
        fenced().withBean(PlainCompensation.class)
                .run(context -> Applications.assertRefused(
                        context,
                        "PlainCompensation.undo() is a compensation of",
                        "returns a Mono and is fenced through R2DBC, but returns a void"));
        fenced().withBean(PlainCompensation.class)
                .withPropertyValues("omega.fence.enabled=false")
                .run(context -> assertThat(context).hasNotFailed());
        fenced().withBean(Elsewhere.class)
                .run(context -> Applications.assertRefused(
                        context, "Elsewhere.order() runs under the transaction manager 'other'"));
    }
}
