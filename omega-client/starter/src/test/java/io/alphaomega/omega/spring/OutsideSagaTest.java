package io.alphaomega.omega.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.alphaomega.omega.Compensable;
import io.alphaomega.omega.OutsideSaga;
import io.alphaomega.omega.SagaException;
import io.alphaomega.omega.context.SagaContext;
import io.alphaomega.omega.context.SagaHeaders;
import io.alphaomega.omega.spring.autoconfigure.OmegaReactiveAutoConfiguration;
import io.alphaomega.omega.transport.http.ReactiveSagaCalls;
import io.alphaomega.omega.transport.http.SagaCalls;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Scope;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.util.StringUtils;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.RestTemplate;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;
import org.springframework.web.reactive.function.client.WebClient;

/** Work that nobody would undo is not done silently. */
@ExtendWith(OutputCaptureExtension.class)
class OutsideSagaTest {
    private final ApplicationContextRunner shop =
            Applications.plain().withBean(SimpleMeterRegistry.class).withBean(Shop.class);

    static class Shop {
        private final AtomicInteger runs = new AtomicInteger();

        @Compensable(compensationMethod = "undo")
        public int order() {
            return runs.incrementAndGet();
        }

        @Compensable(compensationMethod = "undo", outside = OutsideSaga.RUN)
        public int orderOnItsOwn() {
            return runs.incrementAndGet();
        }

        @Compensable(compensationMethod = "undo", outside = OutsideSaga.REJECT)
        public int orderInSagasOnly() {
            return runs.incrementAndGet();
        }

        public void undo() {}
    }

    @Test
    void a_branch_outside_a_saga_is_warned_of_once_and_counted(CapturedOutput output) {
        shop.run(context -> {
            Shop bean = context.getBean(Shop.class);
            for (int i = 1; i <= 3; i++) assertThat(bean.order()).isEqualTo(i);
            assertThat(warnings(output, "Shop.order is @Compensable but was called outside a saga"))
                    .isEqualTo(1);
            assertThat(counted(context.getBean(MeterRegistry.class), "order")).isEqualTo(3);
        });
    }

    @Test
    void a_method_may_be_meant_to_run_outside_sagas_or_refuse_to(CapturedOutput output) {
        shop.run(context -> {
            Shop bean = context.getBean(Shop.class);
            assertThat(bean.orderOnItsOwn()).isEqualTo(1);
            assertThatThrownBy(bean::orderInSagasOnly)
                    .isInstanceOf(SagaException.class)
                    .hasMessageContaining(
                            "orderInSagasOnly is @Compensable but was called outside a saga, it did not run");
            assertThat(bean.orderOnItsOwn()).isEqualTo(2);
            assertThat(output).doesNotContain("outside a saga: it runs");
        });
    }

    @Test
    void a_service_says_what_becomes_of_those_that_do_not(CapturedOutput output) {
        shop.withPropertyValues("omega.compensable.outside=reject").run(context -> {
            Shop bean = context.getBean(Shop.class);
            assertThatThrownBy(bean::order).isInstanceOf(SagaException.class);
            assertThat(bean.orderOnItsOwn()).isEqualTo(1);
        });
        shop.withPropertyValues("omega.compensable.outside=run")
                .run(context -> context.getBean(Shop.class).order());
        assertThat(output).doesNotContain("outside a saga: it runs");
    }

    @Test
    void a_branch_of_a_request_that_names_a_saga_is_refused_outside_of_it() {
        shop.run(
                context -> serving(
                        "saga-1",
                        () -> assertThatThrownBy(context.getBean(Shop.class)::order)
                                .isInstanceOf(SagaException.class)
                                .hasMessageContaining(
                                        "Shop.order is @Compensable but was called outside a saga, it did not run. Its thread serves a request that belongs to saga saga-1")));
    }

    @Test
    void it_runs_if_the_service_or_the_method_says_so_or_if_it_has_left_the_saga_on_purpose() {
        shop.run(context -> serving("saga-1", () -> {
            Shop bean = context.getBean(Shop.class);
            assertThat(bean.orderOnItsOwn()).isEqualTo(1);
            SagaContext.Scope left = SagaContext.outside();
            assertThat(bean.order()).isEqualTo(2);
            left.close();
            assertThatThrownBy(bean::order).isInstanceOf(SagaException.class);
        }));
        shop.withPropertyValues("omega.compensable.outside=warn")
                .run(context -> serving(
                        "saga-1",
                        () -> assertThat(context.getBean(Shop.class).order()).isEqualTo(1)));
    }

    @Test
    void a_request_that_names_none_is_warned_of(CapturedOutput output) {
        shop.run(context -> serving(
                null, () -> assertThat(context.getBean(Shop.class).order()).isEqualTo(1)));
        assertThat(warnings(output, "Shop.order is @Compensable but was called outside a saga"))
                .isEqualTo(1);
    }

    /** As a thread does that has inherited the request, but not the saga. */
    private static void serving(@Nullable String saga, Runnable work) {
        MockHttpServletRequest request = new MockHttpServletRequest();
        if (saga != null) request.addHeader(SagaHeaders.SAGA, saga);
        RequestContextHolder.setRequestAttributes(new ServletRequestAttributes(request));
        try {
            work.run();
        } finally {
            RequestContextHolder.resetRequestAttributes();
        }
    }

    // ---- clients

    @Configuration(proxyBeanMethods = false)
    static class Clients {
        @Bean
        RestClient madeByHand() {
            return RestClient.create();
        }

        @Bean
        RestTemplate oldMadeByHand() {
            return new RestTemplate();
        }

        @Bean
        @Scope("prototype")
        RestClient.Builder balanced() {
            return RestClient.builder();
        }

        @Bean
        WebClient reactiveMadeByHand() {
            return WebClient.create();
        }

        @Bean
        @Scope("prototype")
        WebClient.Builder reactiveBalanced() {
            return WebClient.builder();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class GoodClients {
        @Bean
        RestClient made(RestClient.Builder builder) {
            return builder.build();
        }

        @Bean
        RestTemplate oldMade(BeanFactory beans) {
            return BootUnderTest.restTemplate(beans);
        }

        @Bean
        WebClient reactiveMade(WebClient.Builder builder) {
            return builder.build();
        }

        @Bean
        WebClient reactiveMendedByHand() {
            WebClient.Builder builder = WebClient.builder();
            ReactiveSagaCalls.from(builder);
            return builder.build();
        }

        @Bean
        RestTemplate mendedByHand() {
            RestTemplate template = new RestTemplate();
            SagaCalls.from(template);
            return template;
        }
    }

    @Test
    void clients_that_do_not_send_sagas_along_are_named_at_start(CapturedOutput output) {
        shop.withUserConfiguration(Clients.class)
                .run(context -> assertThat(output)
                        .contains(
                                "These HTTP clients do not send sagas along",
                                "'oldMadeByHand' (RestTemplate), 'madeByHand' (RestClient), 'balanced' (RestClient.Builder)",
                                "'reactiveMadeByHand' (WebClient), 'reactiveBalanced' (WebClient.Builder)"));
    }

    @Test
    void clients_that_do_are_not(CapturedOutput output) {
        shop.withConfiguration(AutoConfigurations.of(BootUnderTest.HTTP_CLIENTS))
                .withConfiguration(AutoConfigurations.of(OmegaReactiveAutoConfiguration.class))
                .withUserConfiguration(GoodClients.class)
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    assertThat(output).doesNotContain("do not send sagas along");
                });
    }

    private static int warnings(CapturedOutput output, String sentence) {
        return StringUtils.countOccurrencesOf(output.getAll(), sentence);
    }

    private static double counted(MeterRegistry registry, String method) {
        return registry.get("omega.calls.outside")
                .tag("operation", "OutsideSagaTest.Shop." + method)
                .counter()
                .count();
    }
}
