package io.alphaomega.omega.spring;

import static io.alphaomega.omega.spring.Applications.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import io.alphaomega.omega.Compensable;
import io.alphaomega.omega.SagaStart;
import io.alphaomega.omega.spring.fencing.Fences;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.context.annotation.Scope;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;
import org.springframework.scheduling.annotation.Async;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.ResourceTransactionManager;

/** What is said about compensations and transactions at start. */
@ExtendWith(OutputCaptureExtension.class)
class ParticipantStartUpTest {
    @TempDir
    Path directory;

    private final ApplicationContextRunner plain = Applications.plain();

    static class NoCompensationShop {
        @Compensable(compensationMethod = "undo")
        public void order(String what) {}
    }

    static class OtherParametersShop {
        @Compensable(compensationMethod = "undo")
        public String order(String what) {
            return what;
        }

        public void undo(int what) {}
    }

    static class TwoCompensationsShop {
        @Compensable(compensationMethod = "undo")
        public String order(String what) {
            return what;
        }

        public void undo(String what) {}

        public void undo(String what, String result) {}
    }

    static class CompensatedCompensationShop {
        @Compensable(compensationMethod = "undo")
        public void order() {}

        @Compensable(compensationMethod = "order")
        public void undo() {}
    }

    static class OneNameShop {
        @Compensable(compensationMethod = "undo", name = "undo-order")
        public void order(String what) {}

        @Compensable(compensationMethod = "undoAll", name = "undo-order")
        public void orderAll(String what) {}

        public void undo(String what) {}

        public void undoAll(String what) {}
    }

    static class SharedCompensationShop {
        @Compensable(compensationMethod = "undo")
        public void order(String what) {}

        @Compensable(compensationMethod = "undo")
        public void orderTwo(String what) {}

        public void undo(String what) {}
    }

    @Test
    void a_compensation_must_be_there_and_fit() {
        refused(NoCompensationShop.class, "names the compensation 'undo', but", "has no such method");
        refused(
                OtherParametersShop.class,
                "must be one of undo(String), undo(String, String), undo(), found"
                        + " ParticipantStartUpTest.OtherParametersShop.undo(int)");
        refused(TwoCompensationsShop.class, "has more than one compensation");
        refused(CompensatedCompensationShop.class, "is a compensation and @Compensable itself");
    }

    static class FutureCompensationShop {
        @Compensable(compensationMethod = "undo")
        public void order() {}

        public CompletableFuture<String> undo() {
            return CompletableFuture.completedFuture("");
        }
    }

    static class PublishingCompensationShop {
        @Compensable(compensationMethod = "undo")
        public void order() {}

        public Flow.Publisher<String> undo() {
            return subscriber -> {};
        }
    }

    static class AsyncCompensationShop {
        @Compensable(compensationMethod = "undo")
        public void order() {}

        @Async
        public void undo() {}
    }

    @Async
    static class AsyncShop {
        @Compensable(compensationMethod = "undo")
        public void order() {}

        public void undo() {}
    }

    @Test
    void a_compensation_that_returns_before_its_work_is_done_is_refused() {
        refused(FutureCompensationShop.class, "undo() is a compensation and returns a CompletableFuture: it returns");
        refused(PublishingCompensationShop.class, "undo() is a compensation and returns a Publisher: it returns");
        refused(AsyncCompensationShop.class, "undo() is a compensation and @Async: it returns before its work is done");
        refused(AsyncShop.class, "undo() is a compensation and @Async: it returns before its work is done");
    }

    static class AsyncOrderShop {
        @Async
        @Compensable(compensationMethod = "undo")
        public void order() {}

        public void undo() {}
    }

    @Test
    void what_it_undoes_may_run_elsewhere() {
        plain.withBean(AsyncOrderShop.class).run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void two_callbacks_of_one_name_are_refused_but_one_may_undo_two_methods() {
        refused(OneNameShop.class, "Two callbacks are named 'undo-order'");
        plain.withBean(SharedCompensationShop.class)
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Configuration(proxyBeanMethods = false)
    static class PrototypeConfiguration {
        @Bean
        @Scope("prototype")
        StartUpTest.GoodShop prototype() {
            return new StartUpTest.GoodShop();
        }

        @Bean
        String user(StartUpTest.GoodShop shop) {
            return shop.toString();
        }
    }

    @Test
    void a_participant_that_is_no_singleton_is_refused() {
        plain.withUserConfiguration(PrototypeConfiguration.class)
                .run(context -> assertRefused(context, "its bean 'prototype' is not a singleton"));
    }

    // ---- transactions

    @Configuration(proxyBeanMethods = false)
    @EnableTransactionManagement(order = 0)
    static class TransactionsOutside {}

    @Configuration(proxyBeanMethods = false)
    @EnableTransactionManagement(order = Integer.MAX_VALUE - 500)
    static class TransactionsBetween {}

    @Test
    void a_transaction_outside_the_saga_advice_is_refused() {
        Applications.withDatabase(directory)
                .withUserConfiguration(TransactionsOutside.class)
                .withBean(StartUpTest.GoodShop.class)
                .run(context -> assertRefused(context, "The transaction advice of", "stands outside omega's"));
    }

    @Test
    void a_transaction_between_the_branch_and_the_fence_is_fine() {
        Applications.withDatabase(directory)
                .withUserConfiguration(TransactionsBetween.class)
                .withBean(StartUpTest.GoodShop.class)
                .run(context -> assertThat(context).hasNotFailed());
    }

    static class MandatoryShop {
        @Transactional(propagation = Propagation.MANDATORY)
        @Compensable(compensationMethod = "undo", forwardRetries = 1)
        public void order() {}

        public void undo() {}
    }

    static class NoTransactionShop {
        @Transactional(propagation = Propagation.NOT_SUPPORTED)
        @Compensable(compensationMethod = "undo")
        public void order() {}

        public void undo() {}
    }

    static class OwnTransactionShop {
        @Compensable(compensationMethod = "undo")
        public void order() {}

        @Transactional(propagation = Propagation.REQUIRES_NEW)
        public void undo() {}
    }

    @Test
    void propagations_that_break_the_promise_are_refused() {
        ApplicationContextRunner database = Applications.withDatabase(directory);
        database.withBean(MandatoryShop.class)
                .run(context ->
                        assertRefused(context, "has forwardRetries, but its transaction is always its caller's"));
        database.withBean(NoTransactionShop.class)
                .run(context -> assertRefused(context, "wants no transaction, but the fence needs one"));
        database.withBean(OwnTransactionShop.class)
                .run(context ->
                        assertRefused(context, "is a compensation and would not run in the fence's transaction"));
    }

    @Transactional(readOnly = true)
    static class ReadingShop {
        @Compensable(compensationMethod = "undo")
        public void order() {}

        public void undo() {}
    }

    static class InheritingShop extends ReadingShop {}

    @Transactional(readOnly = true)
    interface Reading {
        void order();
    }

    static class ShopOfInterface implements Reading {
        @Override
        @Compensable(compensationMethod = "undo")
        public void order() {}

        public void undo() {}
    }

    @Retention(RetentionPolicy.RUNTIME)
    @Transactional(readOnly = true, propagation = Propagation.REQUIRES_NEW)
    @interface Query {}

    static class QueryingShop {
        @Query
        @Compensable(compensationMethod = "undo")
        public void order() {}

        public void undo() {}
    }

    @Transactional(readOnly = true)
    static class WritingShop {
        @Transactional
        @Compensable(compensationMethod = "undo")
        public void order() {}

        @Transactional(readOnly = true, propagation = Propagation.SUPPORTS)
        @Compensable(compensationMethod = "undo", name = "joins")
        public void join() {}

        @Compensable(compensationMethod = "undo", name = "calls", fenced = false)
        public void call() {}

        public void undo() {}
    }

    @ParameterizedTest
    @ValueSource(classes = {ReadingShop.class, InheritingShop.class, ShopOfInterface.class, QueryingShop.class})
    void a_branch_whose_transaction_would_be_read_only_is_refused(Class<?> shop) {
        Applications.withDatabase(directory)
                .withBean(shop)
                .run(context -> assertRefused(
                        context,
                        ".order() runs in a read-only transaction, by the @Transactional(readOnly = true) of"
                                + " the method, its class or its interface"));
    }

    @Test
    void a_branch_that_writes_in_a_class_that_reads_is_fine() {
        Applications.withDatabase(directory)
                .withBean(WritingShop.class)
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Configuration(proxyBeanMethods = false)
    static class TwoDatabases {
        @Bean
        DataSource one() {
            return new DriverManagerDataSource("jdbc:sqlite::memory:");
        }

        @Bean
        DataSource two() {
            return new DriverManagerDataSource("jdbc:sqlite::memory:");
        }
    }

    @Test
    void a_service_without_a_transaction_manager_starts_without_a_fence_and_says_so(CapturedOutput output) {
        plain.withUserConfiguration(TwoDatabases.class).run(context -> {
            assertThat(context).hasNotFailed().doesNotHaveBean(Fences.class);
            assertThat(output).contains("Branches that name no fence are not fenced: this service has a DataSource");
        });
    }

    @Configuration(proxyBeanMethods = false)
    @EnableTransactionManagement
    static class TwoManagers {
        @Bean
        @Primary
        DataSource ours() {
            return new DriverManagerDataSource("jdbc:h2:mem:managers;DB_CLOSE_DELAY=-1");
        }

        @Bean
        @Primary
        PlatformTransactionManager ourManager(DataSource ours) {
            return new DataSourceTransactionManager(ours);
        }

        @Bean
        PlatformTransactionManager alsoOurs(DataSource ours) {
            return new DataSourceTransactionManager(new LazyConnectionDataSourceProxy(ours));
        }

        @Bean
        PlatformTransactionManager theirs() {
            return new DataSourceTransactionManager(new DriverManagerDataSource("jdbc:sqlite::memory:"));
        }

        @Bean
        PlatformTransactionManager queue() {
            return new QueueTransactions();
        }
    }

    /** Of something that is no database. */
    static class QueueTransactions extends NoTransactions implements ResourceTransactionManager {
        @Override
        public Object getResourceFactory() {
            return this;
        }
    }

    static class TheirCompensationShop {
        @Transactional
        @Compensable(compensationMethod = "undo")
        public void order() {}

        @Transactional("theirs")
        public void undo() {}
    }

    static class TheirBranchShop {
        @Transactional("theirs")
        @Compensable(compensationMethod = "undo")
        public void order() {}

        public void undo() {}
    }

    @Transactional("${queue.manager}")
    static class QueueShop {
        @Compensable(compensationMethod = "undo")
        public void order() {}

        public void undo() {}
    }

    @Transactional("alsoOurs")
    static class SameDatabaseShop {
        @Compensable(compensationMethod = "undo")
        public void order() {}

        public void undo() {}
    }

    static class UnfencedShop {
        @Compensable(compensationMethod = "undo", fenced = false)
        public void order() {}

        @Transactional("theirs")
        public void undo() {}
    }

    @Test
    void what_another_transaction_manager_would_commit_apart_from_the_fence_is_refused() {
        ApplicationContextRunner application =
                plain.withUserConfiguration(TwoManagers.class).withPropertyValues("queue.manager=queue");
        application
                .withBean(TheirCompensationShop.class)
                .run(context -> assertRefused(
                        context, "TheirCompensationShop.undo() runs under the transaction manager 'theirs'"));
        application
                .withBean(TheirBranchShop.class)
                .run(context ->
                        assertRefused(context, "TheirBranchShop.order() runs under the transaction manager 'theirs'"));
        application
                .withBean(QueueShop.class)
                .run(context -> assertRefused(context, "QueueShop.order() runs under the transaction manager 'queue'"));
        application
                .withBean(SameDatabaseShop.class)
                .run(context -> assertThat(context).hasNotFailed());
        application
                .withBean(UnfencedShop.class)
                .run(context -> assertThat(context).hasNotFailed());
    }

    // ---- limits that contradict each other

    static class PatientShop {
        @Compensable(compensationMethod = "undo", reverseTimeLimit = "2d", forwardTimeout = "1h")
        public void order() {}

        public void undo() {}
    }

    static class LongSaga {
        @SagaStart(timeout = "3d")
        public void book() {}
    }

    static class HurriedShop {
        @Compensable(compensationMethod = "undo", reverseTimeLimit = "10s", reverseTimeout = "11s")
        public void order() {}

        public void undo() {}
    }

    static class NoTimeShop {
        @Compensable(compensationMethod = "undo", forwardRetries = 1, forwardRetryDelay = "1s", forwardTimeout = "1s")
        public void order() {}

        public void undo() {}
    }

    @Test
    void a_fence_that_forgets_sooner_than_alpha_is_refused() {
        ApplicationContextRunner shop = Applications.withDatabase(directory)
                .withBean(PatientShop.class)
                .withPropertyValues("omega.fence.retention=3d");
        shop.run(context -> assertThat(context).hasNotFailed());
        shop.withBean(LongSaga.class)
                .run(context -> assertRefused(
                        context,
                        "omega.fence.retention is PT72H, but alpha may ask for"
                                + " ParticipantStartUpTest.PatientShop.undo()",
                        "up to PT121H after that began: a saga of this service may take PT72H, the method PT1H, and its"
                                + " reverseTimeLimit is PT48H"));
        shop.withBean(LongSaga.class)
                .withPropertyValues("omega.fence.enabled=false")
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void limits_that_leave_no_time_are_refused() {
        refused(HurriedShop.class, "has reverseTimeout PT11S for one attempt, longer than reverseTimeLimit PT10S");
        refused(NoTimeShop.class, "forwardRetryDelay PT1S is not shorter than forwardTimeout PT1S");
    }

    private void refused(Class<?> shop, String... sentences) {
        register(plain, shop).run(context -> assertRefused(context, sentences));
    }

    private static <T> ApplicationContextRunner register(ApplicationContextRunner runner, Class<T> bean) {
        return runner.withBean(bean);
    }
}
