package io.alphaomega.omega.spring;

import static io.alphaomega.omega.spring.Applications.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.alphaomega.omega.Compensable;
import io.alphaomega.omega.Omega;
import io.alphaomega.omega.SagaEnd;
import io.alphaomega.omega.SagaException;
import io.alphaomega.omega.SagaStart;
import io.alphaomega.omega.spring.autoconfigure.AlphaLifecycle;
import io.alphaomega.omega.spring.autoconfigure.OmegaDisabledAutoConfiguration;
import io.alphaomega.omega.spring.definition.OfferedCallbacks;
import io.reactivex.rxjava3.core.SingleSource;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import kotlin.coroutines.Continuation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.AutowireCapableBeanFactory;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.web.context.request.async.DeferredResult;

@ExtendWith(OutputCaptureExtension.class)
class StartUpTest {
    @TempDir
    Path directory;

    private final ApplicationContextRunner plain = Applications.plain();

    @Test
    void a_service_without_a_name_is_refused() {
        plain.withPropertyValues("spring.application.name=")
                .run(context -> assertRefused(context, "spring.application.name is not set"));
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Nameless {}

    @Test
    void whoever_starts_it_reads_a_sentence_and_what_to_do(CapturedOutput output) {
        SpringApplication application = new SpringApplication(Nameless.class);
        application.setWebApplicationType(WebApplicationType.NONE);
        assertThatThrownBy(() -> application.run("--spring.datasource.url=" + Applications.url(directory)));
        assertThat(output)
                .contains("APPLICATION FAILED TO START", "spring.application.name is not set", "Action:")
                .doesNotContain("\tat io.alphaomega");
    }

    static class GoodShop {
        @SagaStart(timeout = "30s")
        public void sell() {}

        @Compensable(compensationMethod = "undo", reverseRetries = 3, reverseRetryDelay = "${delay:250ms}")
        @Transactional
        public String order(String what, int many) {
            return what;
        }

        public void undo(String what, Integer many, String result) {}
    }

    @Test
    void a_good_service_starts_and_offers_its_compensation() {
        Applications.withDatabase(directory).withBean(GoodShop.class).run(context -> {
            assertThat(context).hasNotFailed();
            assertThat(context.getBean(OfferedCallbacks.class).names()).containsExactly("StartUpTest.GoodShop.undo");
        });
    }

    @Test
    void a_lazy_bean_offers_its_compensation_too() {
        plain.withBean(GoodShop.class, GoodShop::new, definition -> definition.setLazyInit(true))
                .run(context -> assertThat(
                                context.getBean(OfferedCallbacks.class).names())
                        .hasSize(1));
    }

    @Test
    void where_omega_is_disabled_the_annotations_mean_nothing() {
        plain.withPropertyValues("omega.enabled=false", "spring.application.name=")
                .withBean(PrivateShop.class)
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(AlphaLifecycle.class));
    }

    // ---- methods that no proxy can intercept

    static class PrivateShop {
        @Compensable(compensationMethod = "undo")
        private void order() {}

        public void undo() {
            order();
        }
    }

    static class FinalMethodShop {
        @SagaStart
        public final void sell() {}
    }

    static class StaticMethodShop {
        @SagaStart
        public static void sell() {}
    }

    static final class FinalShop {
        @SagaStart
        public void sell() {}
    }

    static class FinalCompensationShop {
        @Compensable(compensationMethod = "undo")
        public void order() {}

        public final void undo() {}
    }

    static class FutureShop {
        @Compensable(compensationMethod = "undo")
        public Future<String> order() {
            return CompletableFuture.completedFuture("");
        }

        public void undo() {}
    }

    @Test
    void methods_that_no_proxy_can_intercept_are_refused() {
        refused(PrivateShop.class, "PrivateShop.order() is @Compensable but private");
        refused(FinalMethodShop.class, "FinalMethodShop.sell() is @SagaStart but final");
        refused(StaticMethodShop.class, "StaticMethodShop.sell() is @SagaStart but static");
        refused(FinalShop.class, "FinalShop.sell() is @SagaStart but its class is final");
        refused(FinalCompensationShop.class, "FinalCompensationShop.undo() is a compensation but final");
    }

    @Test
    void a_method_that_returns_before_its_work_is_done_is_refused() {
        refused(FutureShop.class, "FutureShop.order() is @Compensable and returns a Future");
    }

    static class DeferredShop {
        @SagaStart
        public DeferredResult<String> sell() {
            return new DeferredResult<>();
        }
    }

    static class CallableShop {
        @Compensable(compensationMethod = "undo")
        public Callable<String> order() {
            return () -> "";
        }

        public void undo() {}
    }

    static class RxShop {
        @Compensable(compensationMethod = "undo")
        public SingleSource<String> order() {
            return new SingleSource<>() {};
        }

        public void undo() {}
    }

    static class SuspendingShop {
        @SagaStart
        public String sell(String what, Continuation<String> continuation) {
            return what;
        }
    }

    @Test
    void a_method_whose_work_is_done_by_whoever_takes_its_result_is_refused() {
        refused(DeferredShop.class, "DeferredShop.sell() is @SagaStart and returns a DeferredResult");
        refused(CallableShop.class, "CallableShop.order() is @Compensable and returns a Callable");
        refused(RxShop.class, "RxShop.order() is @Compensable and returns a SingleSource");
        refused(
                SuspendingShop.class,
                "SuspendingShop.sell(String) is @SagaStart and a suspend function, which Spring calls by kotlinx-coroutines-reactor and kotlin-reflect: they are not both there");
    }

    /** Has a bean made together with the post-processors, when only those in order are there: the one that makes proxies. */
    static class Early implements BeanPostProcessor {
        Early(GoodShop needed) {}
    }

    /** Has a bean made before the one that makes proxies is there. */
    static class TooEarly extends Early implements Ordered {
        TooEarly(GoodShop needed) {
            super(needed);
        }

        @Override
        public int getOrder() {
            return LOWEST_PRECEDENCE;
        }
    }

    @Test
    void a_bean_that_is_made_early_is_found_all_the_same() {
        Applications.withDatabase(directory)
                .withBean(GoodShop.class)
                .withBean(Early.class)
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    assertThat(context.getBean(OfferedCallbacks.class).names())
                            .containsExactly("StartUpTest.GoodShop.undo");
                });
    }

    @Test
    void a_bean_that_is_made_too_early_to_be_advised_is_refused() {
        Applications.withDatabase(directory)
                .withBean(GoodShop.class)
                .withBean(TooEarly.class)
                .run(context -> assertRefused(context, "StartUpTest.GoodShop.", "has a saga annotation, but its bean"));
    }

    static class Asking {
        private final Omega omega;

        Asking(Omega omega) {
            this.omega = omega;
        }
    }

    @Test
    void where_omega_is_disabled_a_service_that_asks_it_starts_and_is_in_no_saga() {
        plain.withConfiguration(AutoConfigurations.of(OmegaDisabledAutoConfiguration.class))
                .withPropertyValues("omega.enabled=false")
                .withBean(Asking.class)
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    Omega omega = context.getBean(Asking.class).omega;
                    assertThat(omega.sagaId()).isEmpty();
                    assertThatThrownBy(() -> omega.abort("never mind")).isInstanceOf(SagaException.class);
                });
    }

    interface Selling {
        void other();
    }

    static class InterfaceShop implements Selling {
        @Override
        public void other() {}

        @SagaStart
        public void sell() {}
    }

    @Test
    void a_method_that_a_proxy_by_interface_does_not_have_is_refused() {
        plain.withPropertyValues("spring.aop.proxy-target-class=false")
                .withBean(InterfaceShop.class)
                .run(context -> assertRefused(context, "proxied by interface and no interface has the method"));
    }

    @Test
    void a_bean_that_is_not_proxied_is_refused() {
        plain.withBean(GoodShop.class.getName() + AutowireCapableBeanFactory.ORIGINAL_INSTANCE_SUFFIX, GoodShop.class)
                .run(context -> assertRefused(context, "its bean is not proxied"));
    }

    @Test
    void beans_are_proxied_where_spring_boot_proxies_none() {
        plain.withPropertyValues("spring.aop.auto=false")
                .withBean(GoodShop.class)
                .run(context -> assertThat(AopUtils.isAopProxy(context.getBean(GoodShop.class)))
                        .isTrue());
    }

    static class SelfCallingShop {
        @SagaStart
        public void sell() {
            order("book");
        }

        @Compensable(compensationMethod = "undo")
        public void order(String what) {}

        public void undo(String what) {}
    }

    static class SelfReferringShop {
        @SagaStart
        public void sell() {
            List.of("book").forEach(this::order);
        }

        @Compensable(compensationMethod = "undo")
        public void order(String what) {}

        public void undo(String what) {}
    }

    static class SelfCallingLambdaShop {
        @SagaStart
        public void sell() {
            List.of("book").forEach(what -> order(what));
        }

        @Compensable(compensationMethod = "undo")
        public void order(String what) {}

        public void undo(String what) {}
    }

    static class SelfInjectedShop {
        private final ObjectProvider<SelfInjectedShop> self;

        SelfInjectedShop(ObjectProvider<SelfInjectedShop> self) {
            this.self = self;
        }

        @SagaStart
        public void sell() {
            self.getObject().order("book");
        }

        @Compensable(compensationMethod = "undo")
        public void order(String what) {}

        public void undo(String what) {}
    }

    static class OverridingShop extends GoodShop {
        @Override
        public String order(String what, int many) {
            return super.order(what, many);
        }
    }

    @Test
    void a_call_that_does_not_pass_the_proxy_is_refused() {
        refused(SelfCallingShop.class, "sell calls StartUpTest.SelfCallingShop.order(String) of its own object");
        refused(SelfReferringShop.class, "sell calls StartUpTest.SelfReferringShop.order(String) of its own object");
        refused(SelfCallingLambdaShop.class, "sell calls StartUpTest.SelfCallingLambdaShop.order(String)");
    }

    @Test
    void a_call_by_way_of_the_proxy_or_of_the_superclass_is_fine() {
        plain.withBean(SelfInjectedShop.class)
                .run(context -> assertThat(context).hasNotFailed());
        plain.withBean(OverridingShop.class).run(context -> assertThat(context).hasNotFailed());
    }

    // ---- annotations that contradict themselves

    static class StartAndEndShop {
        @SagaStart
        @SagaEnd
        public void sell() {}
    }

    static class BadDurationShop {
        @SagaStart(timeout = "soon")
        public void sell() {}
    }

    static class UnfinishedKeyShop {
        @SagaStart(businessKey = "#order.")
        public void sell(String order) {}
    }

    static class NamelessAttributeShop {
        @SagaStart(attributes = "acme")
        public void sell() {}
    }

    static class UnfinishedAttributeShop {
        @SagaStart(attributes = "order=#{#order.id")
        public void sell(String order) {}
    }

    static class TwiceAttributeShop {
        @SagaStart(attributes = {"order=1", "order=2"})
        public void sell() {}
    }

    static class TooManyRetriesShop {
        @Compensable(compensationMethod = "undo", forwardRetries = 100)
        public void order() {}

        public void undo() {}
    }

    static class BadDelaysShop {
        @Compensable(compensationMethod = "undo", reverseRetryDelay = "10s", reverseMaxDelay = "5s")
        public void order() {}

        public void undo() {}
    }

    @Test
    void annotations_that_make_no_sense_are_refused() {
        refused(StartAndEndShop.class, "is both @SagaStart and @SagaEnd");
        refused(BadDurationShop.class, "timeout of StartUpTest.BadDurationShop.sell() is 'soon'");
        refused(UnfinishedKeyShop.class, "The businessKey '#order.' of", "cannot be read");
        refused(NamelessAttributeShop.class, "The attribute 'acme' of", "is not name=value");
        refused(UnfinishedAttributeShop.class, "The attribute 'order=#{#order.id' of", "cannot be read");
        refused(TwiceAttributeShop.class, "has two attributes of one name");
        refused(TooManyRetriesShop.class, "forwardRetries of", "is 100, expected 0 to 99");
        refused(BadDelaysShop.class, "reverseMaxDelay PT5S, shorter than reverseRetryDelay PT10S");
    }

    private void refused(Class<?> shop, String... sentences) {
        register(plain, shop).run(context -> assertRefused(context, sentences));
    }

    private static <T> ApplicationContextRunner register(ApplicationContextRunner runner, Class<T> bean) {
        return runner.withBean(bean);
    }
}
