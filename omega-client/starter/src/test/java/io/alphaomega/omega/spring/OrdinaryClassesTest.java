package io.alphaomega.omega.spring;

import static io.alphaomega.omega.spring.Applications.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import feign.Feign;
import feign.RequestLine;
import io.alphaomega.omega.Compensable;
import io.alphaomega.omega.SagaStart;
import io.alphaomega.omega.spring.MadeBeans.Trips;
import io.alphaomega.omega.spring.definition.OfferedCallbacks;
import io.alphaomega.omega.spring.visible.VisibleDesk;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.support.RestClientAdapter;
import org.springframework.web.service.annotation.PostExchange;
import org.springframework.web.service.invoker.HttpServiceProxyFactory;

/** What compilers and libraries make of ordinary classes and interfaces. */
class OrdinaryClassesTest {
    private final ApplicationContextRunner plain = Applications.plain().withPropertyValues("omega.fence.enabled=false");

    private List<String> callbacksOf(Class<?> bean) {
        List<String> names = new java.util.ArrayList<>();
        register(plain, bean).run(context -> {
            assertThat(context).hasNotFailed();
            names.addAll(context.getBean(OfferedCallbacks.class).names());
        });
        return names;
    }

    private static <T> ApplicationContextRunner register(ApplicationContextRunner runner, Class<T> bean) {
        return runner.withBean(bean);
    }

    // ---- bridges

    record CarOrder(String car) {}

    interface Step<T> {
        void run(T order);

        void undo(T order);
    }

    static class CarStep implements Step<CarOrder> {
        @Override
        @Compensable(compensationMethod = "undo")
        public void run(CarOrder order) {}

        @Override
        public void undo(CarOrder order) {}
    }

    abstract static class GenericStep<T, R extends Number> {
        @Compensable(compensationMethod = "undo")
        public abstract R run(T order);

        public void undo(T order, R result) {}
    }

    static class CountingStep extends GenericStep<CarOrder, Integer> {
        @Override
        public Integer run(CarOrder order) {
            return 1;
        }
    }

    static class OverridingStep extends GenericStep<CarOrder, Integer> {
        @Override
        public Integer run(CarOrder order) {
            return 1;
        }

        @Override
        public void undo(CarOrder order, Integer result) {}
    }

    interface Sale {
        Object sell();
    }

    static class CovariantSale implements Sale, Supplier<String> {
        @Override
        @SagaStart
        public String sell() {
            return "";
        }

        @Override
        @SagaStart
        public String get() {
            return "";
        }
    }

    @Test
    void a_generic_supertype_or_another_return_type_is_no_call_of_its_own_object() {
        assertThat(callbacksOf(CarStep.class)).containsExactly("OrdinaryClassesTest.CarStep.undo");
        assertThat(callbacksOf(CountingStep.class)).containsExactly("OrdinaryClassesTest.CountingStep.undo");
        assertThat(callbacksOf(OverridingStep.class)).containsExactly("OrdinaryClassesTest.OverridingStep.undo");
        assertThat(callbacksOf(CovariantSale.class)).isEmpty();
    }

    @Test
    void what_a_class_inherits_from_one_that_is_not_public_is_found() {
        assertThat(callbacksOf(VisibleDesk.class)).containsExactly("VisibleDesk.undo");
    }

    // ---- classes in classes, and what they call

    static class Outer {
        class Inner {
            void use() {
                helper();
            }
        }

        enum Kind {
            SMALL {
                @Override
                int size() {
                    return 1;
                }
            };

            abstract int size();
        }

        @Compensable(compensationMethod = "undo")
        public void book(String what) {
            new Inner().use();
            List.of(what).forEach(each -> helper());
            Runnable runnable = this::helper;
            runnable.run();
            switch (Kind.valueOf(what)) {
                case SMALL -> helper();
            }
        }

        private void helper() {}

        public void undo(String what) {
            helper();
        }
    }

    static class Fluent {
        private final Fluent next;

        Fluent(Fluent... next) {
            this.next = next.length == 0 ? this : next[0];
        }

        @SagaStart
        public Fluent sell() {
            return next;
        }

        public Fluent again() {
            return next.sell();
        }
    }

    @Test
    void helpers_inner_classes_lambdas_and_fluent_methods_are_fine() {
        assertThat(callbacksOf(Outer.class)).hasSize(1);
        plain.withBean(Fluent.class, Fluent::new)
                .run(context -> assertThat(context).hasNotFailed());
    }

    static class AnonymousCaller {
        @SagaStart
        public void sell() {
            new Object() {
                void run() {
                    order("book");
                }
            }.run();
        }

        @Compensable(compensationMethod = "undo")
        public void order(String what) {}

        public void undo(String what) {}
    }

    interface DefaultCaller {
        @Compensable(compensationMethod = "undo")
        void order(String what);

        void undo(String what);

        default void orderTwo() {
            order("book");
            order("book");
        }
    }

    static class DefaultCalled implements DefaultCaller {
        @Override
        public void order(String what) {}

        @Override
        public void undo(String what) {}
    }

    @Test
    void a_call_of_its_own_object_is_found_in_inner_classes_and_in_default_methods_too() {
        register(plain, AnonymousCaller.class)
                .run(context -> assertRefused(
                        context, "calls OrdinaryClassesTest.AnonymousCaller.order(String) of its own object"));
        register(plain, DefaultCalled.class)
                .run(context -> assertRefused(
                        context, "orderTwo calls OrdinaryClassesTest.DefaultCalled.order(String) of its own object"));
    }

    // ---- interfaces that a client shares with the service

    interface HotelApi {
        @PostExchange("/rooms")
        @Compensable(compensationMethod = "cancel", fenced = false)
        void book(String guest);
    }

    @Configuration(proxyBeanMethods = false)
    static class HttpClient {
        @Bean
        HotelApi hotel() {
            RestClient client = RestClient.create("http://127.0.0.1:1");
            return HttpServiceProxyFactory.builderFor(RestClientAdapter.create(client))
                    .build()
                    .createClient(HotelApi.class);
        }
    }

    @Test
    void a_client_of_an_interface_with_annotations_takes_no_part_and_nothing_is_said() {
        try (Warnings warnings = Warnings.ofOmega()) {
            plain.withUserConfiguration(HttpClient.class).run(context -> {
                assertThat(context).hasNotFailed();
                assertThat(context.getBean(OfferedCallbacks.class).names()).isEmpty();
            });
            assertThat(warnings.said()).isEmpty();
        }
    }

    interface CarApi {
        @RequestLine("POST /cars")
        @Compensable(compensationMethod = "cancel", fenced = false)
        void book(String guest);
    }

    @Configuration(proxyBeanMethods = false)
    static class FeignClient {
        @Bean
        CarApi cars() {
            return Feign.builder().target(CarApi.class, "http://127.0.0.1:1");
        }
    }

    @Test
    void a_client_of_feigns_takes_no_part() {
        try (Warnings warnings = Warnings.ofOmega()) {
            plain.withUserConfiguration(FeignClient.class).run(context -> {
                assertThat(context).hasNotFailed();
                assertThat(context.getBean(OfferedCallbacks.class).names()).isEmpty();
            });
            assertThat(warnings.said()).isEmpty();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class UnknownClient {
        @Bean
        HotelApi hotel() {
            return (HotelApi) Proxy.newProxyInstance(
                    HotelApi.class.getClassLoader(),
                    new Class<?>[] {HotelApi.class},
                    (proxy, method, arguments) -> null);
        }
    }

    @Test
    void a_proxy_that_may_be_a_client_takes_no_part_and_is_named() {
        try (Warnings warnings = Warnings.ofOmega()) {
            plain.withUserConfiguration(UnknownClient.class).run(context -> {
                assertThat(context).hasNotFailed();
                assertThat(context.getBean(OfferedCallbacks.class).names()).isEmpty();
            });
            assertThat(warnings.said())
                    .singleElement()
                    .asString()
                    .startsWith("These beans are proxies with nothing but an interface behind them")
                    .contains("'hotel' (" + HotelApi.class.getName() + ", by ");
        }
    }

    /** As a client of a service may itself be a part of what is called in a saga: it is just called. */
    @Test
    void a_client_is_called_in_a_saga_as_it_is_outside_of_one() {
        SmallAlpha alpha = new SmallAlpha();
        plain.withUserConfiguration(UnknownClient.class)
                .withBean(Trips.class)
                .withPropertyValues("omega.alpha.addresses=" + alpha.address(), "omega.begin-timeout=20s")
                .run(context -> {
                    HotelApi hotel = context.getBean(HotelApi.class);
                    context.getBean(Trips.class).plan(() -> hotel.book("Ada"));
                    assertThat(alpha.kinds()).doesNotContain(io.alphaomega.protocol.v1.Input.KindCase.BEGIN_BRANCH);
                });
        alpha.close();
    }
}
