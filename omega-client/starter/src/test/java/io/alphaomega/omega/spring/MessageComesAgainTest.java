package io.alphaomega.omega.spring;

import static io.alphaomega.protocol.v1.Input.KindCase.FAIL_BRANCH;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.alphaomega.omega.AlphaUnavailableException;
import io.alphaomega.omega.Compensable;
import io.alphaomega.omega.context.SagaCarrier;
import io.alphaomega.omega.context.SagaContext;
import io.alphaomega.omega.context.SagaHeaders;
import io.alphaomega.protocol.v1.Input;
import io.r2dbc.h2.H2ConnectionFactory;
import io.r2dbc.spi.ConnectionFactory;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.r2dbc.connection.R2dbcTransactionManager;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import reactor.core.publisher.Mono;

/** Whoever calls takes a branch that alpha knows nothing of for failed; whoever delivers a message delivers it again. */
class MessageComesAgainTest {
    @TempDir
    Path directory;

    private final SmallAlpha alpha = new SmallAlpha();

    @AfterEach
    void stop() {
        alpha.close();
    }

    @Test
    void a_message_that_came_while_alpha_was_away_is_handled_when_it_comes_again() {
        AtomicBoolean away = new AtomicBoolean(true);
        alpha.silentOn = input -> input.hasBeginBranch() && away.get();
        Applications.shop(directory, alpha)
                .withPropertyValues("omega.begin-timeout=3s")
                .run(context -> {
                    Shop.Orders orders = context.getBean(Shop.Orders.class);
                    SagaCarrier sagas = context.getBean(SagaCarrier.class);
                    context.getBean(Shop.Counter.class).run(() -> {
                        String saga = SagaContext.current().orElseThrow().saga();
                        Map<String, String> headers = Map.of(SagaHeaders.SAGA, saga, SagaHeaders.CALL, "the-message");
                        Runnable delivery = () -> {
                            @Nullable
                            Object unused = sagas.<@Nullable Object, RuntimeException>receive(headers::get, "1", () -> {
                                orders.orderWithoutTransaction("book");
                                return null;
                            });
                        };
                        assertThatThrownBy(delivery::run).isInstanceOf(AlphaUnavailableException.class);
                        assertThat(orders.all()).isEmpty();

                        away.set(false);
                        delivery.run();
                        assertThat(orders.all()).containsExactly("book ORDERED");
                    });
                    assertThat(alpha.kinds()).doesNotContain(FAIL_BRANCH);
                    assertThat(alpha.inputs().stream()
                                    .filter(Input::hasBeginBranch)
                                    .map(input -> input.getBeginBranch().getBranch()))
                            .hasSize(2)
                            .containsOnly(alpha.only(Input.KindCase.END_BRANCH)
                                    .getEndBranch()
                                    .getBranch());
                });
    }

    @Configuration(proxyBeanMethods = false)
    @Applications.EnableWithoutDataSource
    @EnableTransactionManagement
    @Import(Desk.class)
    static class Reactive {
        @Bean
        ConnectionFactory connections() {
            return H2ConnectionFactory.inMemory("messages");
        }

        @Bean
        R2dbcTransactionManager transactions(ConnectionFactory connections) {
            return new R2dbcTransactionManager(connections);
        }
    }

    static class Desk {
        private final AtomicInteger runs = new AtomicInteger();

        @Compensable(compensationMethod = "forget")
        public Mono<String> order(String item) {
            return Mono.fromCallable(() -> "%s %d".formatted(item, runs.incrementAndGet()));
        }

        public Mono<Void> forget(String item) {
            return Mono.empty();
        }
    }

    @Test
    void so_is_a_message_whose_branch_is_a_mono() {
        AtomicBoolean away = new AtomicBoolean(true);
        alpha.silentOn = input -> input.hasBeginBranch() && away.get();
        SpringApplicationBuilder application = new SpringApplicationBuilder(Reactive.class)
                .web(WebApplicationType.NONE)
                .properties(
                        "spring.application.name=stock",
                        "spring.main.banner-mode=off",
                        "omega.alpha.addresses=" + alpha.address(),
                        "omega.begin-timeout=3s",
                        "omega.drain-timeout=100ms");
        try (ConfigurableApplicationContext context = application.run()) {
            Desk desk = context.getBean(Desk.class);
            SagaCarrier sagas = context.getBean(SagaCarrier.class);
            Map<String, String> headers = Map.of(SagaHeaders.SAGA, "the-saga", SagaHeaders.CALL, "the-message");
            Supplier<@Nullable String> delivery = () -> sagas.<@Nullable String, RuntimeException>receive(
                    headers::get, "1", () -> desk.order("book").block());
            assertThatThrownBy(delivery::get).hasMessageContaining("did not answer");

            away.set(false);
            assertThat(delivery.get()).isEqualTo("book 1");
            assertThat(alpha.kinds()).doesNotContain(FAIL_BRANCH);
            assertThat(alpha.inputs().stream().filter(Input::hasBeginBranch))
                    .hasSize(2)
                    .allMatch(input -> input.getBeginBranch().getFenced());
        }
    }
}
