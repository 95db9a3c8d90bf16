package io.alphaomega.omega.spring;

import static io.alphaomega.omega.spring.Applications.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.alphaomega.omega.AfterAbort;
import io.alphaomega.omega.Compensable;
import io.alphaomega.omega.CompensationHandler;
import io.alphaomega.omega.Participate;
import io.alphaomega.omega.SagaException;
import io.alphaomega.omega.spring.advice.OutsideCalls;
import io.alphaomega.omega.spring.autoconfigure.OmegaReactiveFenceAutoConfiguration;
import io.alphaomega.omega.spring.definition.RetentionCheck;
import io.alphaomega.omega.spring.execution.BranchRunner;
import io.alphaomega.omega.spring.fencing.FencedExecution;
import io.alphaomega.omega.spring.template.CompensationHandlers;
import io.alphaomega.omega.spring.template.TemplateBranch;
import io.r2dbc.spi.ConnectionFactories;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.r2dbc.connection.R2dbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Which fence guards a branch of a service that has several transaction managers. */
class FenceNamesStartUpTest {
    private static DataSource database() {
        return new DriverManagerDataSource("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
    }

    @Configuration(proxyBeanMethods = false)
    @EnableTransactionManagement
    static class Several {
        @Bean
        DataSource stockDatabase() {
            return database();
        }

        @Bean
        DataSource ledgerDatabase() {
            return database();
        }

        @Bean
        PlatformTransactionManager stock(DataSource stockDatabase) {
            return new DataSourceTransactionManager(stockDatabase);
        }

        @Bean
        PlatformTransactionManager ledger(DataSource ledgerDatabase) {
            return new DataSourceTransactionManager(ledgerDatabase);
        }

        @Bean
        R2dbcTransactionManager later() {
            return new R2dbcTransactionManager(
                    ConnectionFactories.get("r2dbc:h2:mem:///" + UUID.randomUUID() + "?options=DB_CLOSE_DELAY=-1"));
        }

        @Bean
        PlatformTransactionManager queue() {
            return new ParticipantStartUpTest.QueueTransactions();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class WithPrimary {
        @Bean
        @Primary
        PlatformTransactionManager primary(DataSource stockDatabase) {
            return new DataSourceTransactionManager(stockDatabase);
        }
    }

    private final ApplicationContextRunner several = Applications.plain()
            .withConfiguration(AutoConfigurations.of(OmegaReactiveFenceAutoConfiguration.class))
            .withUserConfiguration(Several.class);

    private final ApplicationContextRunner withPrimary = several.withUserConfiguration(WithPrimary.class);

    static class Undone {
        public void undo() {}
    }

    static class Unnamed extends Undone {
        @Compensable(compensationMethod = "undo")
        public void order() {}
    }

    static class Named extends Undone {
        @Transactional("ledger")
        @Compensable(compensationMethod = "undo", fence = "${books}")
        public void order() {}
    }

    static class NamedLater {
        @Compensable(compensationMethod = "undo", fence = "later")
        public Mono<Void> order() {
            return Mono.empty();
        }

        public Mono<Void> undo() {
            return Mono.empty();
        }
    }

    private static void assertFences(ApplicationContextRunner runner, String... managers) {
        runner.run(context -> {
            assertThat(context).hasNotFailed();
            assertThat(context.getBean(FencedExecution.class).knownFences())
                    .extracting(each -> each.transactionManager() + " " + each.kind())
                    .containsExactly(managers);
            assertThat(context.getBean(FencedExecution.class).knownFences())
                    .allSatisfy(each -> assertThat(each.ids()).hasSize(1));
        });
    }

    @Test
    void where_nobody_says_which_of_several_they_are_listed() {
        several.withBean(Unnamed.class)
                .run(context -> assertRefused(
                        context,
                        "this service has several transaction managers (stock, ledger, queue), and none is primary."));
        several.run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void a_fence_is_made_where_a_branch_names_it_and_there_only() {
        assertFences(
                several.withBean(Named.class).withBean(NamedLater.class).withPropertyValues("books=ledger"),
                "ledger JDBC",
                "later R2DBC");
        several.withBean(Named.class)
                .withPropertyValues("books=ledger")
                .run(context -> assertThatThrownBy(
                                () -> JdbcClient.create(context.getBean("stockDatabase", DataSource.class))
                                        .sql("select count(*) from omega_fence")
                                        .query(Long.class)
                                        .single())
                        .hasMessageContaining("omega_fence"));
    }

    @Test
    void the_primary_one_is_meant_where_none_is_named() {
        assertFences(
                withPrimary.withBean(Unnamed.class).withBean(Named.class).withPropertyValues("books=ledger"),
                "primary JDBC",
                "ledger JDBC",
                "later R2DBC");
    }

    @Test
    void a_name_that_no_manager_has_is_refused() {
        several.withBean(Named.class)
                .withPropertyValues("books=leger")
                .run(
                        context -> assertRefused(
                                context,
                                "behind the fence 'leger', but no PlatformTransactionManager has that bean name, only [stock, ledger, queue]"));
        several.withBean(Named.class)
                .withPropertyValues("books=later")
                .run(context -> assertRefused(context, "no PlatformTransactionManager has that bean name"));
        several.withBean(Named.class)
                .withPropertyValues("books=queue")
                .run(context ->
                        assertRefused(context, "'queue' is that of a transaction manager which has no DataSource"));
        Applications.plain()
                .withBean(NamedLater.class)
                .run(context -> assertRefused(context, "but this service has no ConnectionFactory of R2DBC"));
        Applications.plain()
                .withBean(Named.class)
                .withPropertyValues("books=ledger")
                .run(context -> assertRefused(context, "but this service has no DataSource"));
        Applications.plain()
                .withBean(Named.class)
                .withPropertyValues("books=ledger", "omega.fence.enabled=false")
                .run(context -> assertThat(context).hasNotFailed());
    }

    static class OtherTransaction extends Undone {
        @Transactional("stock")
        @Compensable(compensationMethod = "undo", fence = "ledger")
        public void order() {}
    }

    static class PrimaryTransaction extends Undone {
        @Transactional
        @Compensable(compensationMethod = "undo", fence = "ledger")
        public void order() {}
    }

    static class OtherCallback {
        @Participate(confirmMethod = "sell", cancelMethod = "release", fence = "ledger")
        public void hold() {}

        @Transactional
        public void sell() {}

        public void release() {}
    }

    static class OtherSequel extends Undone {
        @Compensable(compensationMethod = "undo", fence = "ledger")
        public void order() {}

        @Transactional("stock")
        @AfterAbort("FenceNamesStartUpTest.OtherSequel.order")
        public void mourn() {}
    }

    @Test
    void transactions_of_another_manager_are_refused() {
        withPrimary
                .withBean(OtherTransaction.class)
                .run(
                        context -> assertRefused(
                                context,
                                "OtherTransaction.order() runs under the transaction manager 'stock', which is not one of the database of its fence, 'ledger'"));
        withPrimary
                .withBean(PrimaryTransaction.class)
                .run(
                        context -> assertRefused(
                                context,
                                "PrimaryTransaction.order() runs under the primary transaction manager, since its @Transactional names none"));
        withPrimary
                .withBean(OtherCallback.class)
                .run(context ->
                        assertRefused(context, "OtherCallback.sell() runs under the primary transaction manager"));
        withPrimary
                .withBean(OtherSequel.class)
                .run(context ->
                        assertRefused(context, "OtherSequel.mourn() runs under the transaction manager 'stock'"));
    }

    static class NoFence extends Undone {
        @Compensable(compensationMethod = "undo", fence = "ledger", fenced = false)
        public void order() {}
    }

    static class FluxFence {
        @Compensable(compensationMethod = "undo", fence = "ledger")
        public Flux<String> order() {
            return Flux.empty();
        }

        public void undo() {}
    }

    static class SharedCallback extends Undone {
        @Compensable(compensationMethod = "undo", fence = "ledger")
        public void order() {}

        @Compensable(compensationMethod = "undo", fence = "stock")
        public void reserve() {}
    }

    @Test
    void what_contradicts_itself_is_refused() {
        withPrimary
                .withBean(NoFence.class)
                .run(context -> assertRefused(context, "NoFence.order() says fence = \"ledger\" and fenced = false"));
        withPrimary
                .withBean(FluxFence.class)
                .run(context -> assertRefused(context, "FluxFence.order() says fence = \"ledger\", but"));
        withPrimary
                .withBean(SharedCallback.class)
                .run(context -> assertRefused(context, "of branches behind different fences"));
    }

    // ---- in code

    private static CompensationHandler<String> handler() {
        return CompensationHandler.of("erase", String.class, argument -> {});
    }

    @Configuration(proxyBeanMethods = false)
    static class LostHandler {
        @Bean
        CompensationHandler<String> erase() {
            return handler().behind("leger");
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class UnnamedHandler {
        @Bean
        CompensationHandler<String> erase() {
            return handler();
        }
    }

    @Test
    void a_handler_behind_a_fence_that_is_not_there_is_refused() {
        several.withUserConfiguration(LostHandler.class)
                .run(context -> assertRefused(context, "behind the fence 'leger'"));
        assertThatThrownBy(() -> handler().behind(" ")).hasMessageContaining("has no name");
    }

    @Test
    void a_branch_in_code_whose_fence_nobody_can_tell_does_not_run() {
        several.withUserConfiguration(UnnamedHandler.class).run(context -> {
            assertThat(context).hasNotFailed();
            TemplateBranch.Surroundings around = new TemplateBranch.Surroundings(
                    context.getBean(BranchRunner.class),
                    context.getBean(CompensationHandlers.class),
                    context.getBean(FencedExecution.class),
                    context.getBean(OutsideCalls.class),
                    context.getBean(RetentionCheck.class));
            assertThatThrownBy(() -> TemplateBranch.of(
                                    around, null, "enter", context.getBean(CompensationHandler.class), "pen")
                            .run(() -> {
                                throw new AssertionError("it ran");
                            }))
                    .isInstanceOf(SagaException.class)
                    .hasMessageContaining("enter did not run: ")
                    .hasMessageContaining("(stock, ledger, queue)");
        });
    }

    // ---- a manager of all databases

    @Configuration(proxyBeanMethods = false)
    static class GlobalTransactions {
        @Bean
        DataSource one() {
            return database();
        }

        @Bean
        DataSource two() {
            return database();
        }

        @Bean
        PlatformTransactionManager global() {
            return new NoTransactions();
        }
    }

    @Test
    void a_manager_of_all_databases_has_its_fence_in_the_primary_one() {
        ApplicationContextRunner global = Applications.plain().withUserConfiguration(GlobalTransactions.class);
        global.withBean(Unnamed.class)
                .run(
                        context -> assertRefused(
                                context,
                                "The transaction manager 'global' is not of one DataSource, this service has several (one, two), and none is primary"));
        assertFences(
                global.withBean(
                                "three",
                                DataSource.class,
                                FenceNamesStartUpTest::database,
                                bean -> bean.setPrimary(true))
                        .withBean(Unnamed.class),
                "global JDBC");
    }
}
