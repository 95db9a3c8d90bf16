package io.alphaomega.omega.spring;

import static io.alphaomega.omega.spring.Applications.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.alphaomega.omega.Compensable;
import io.alphaomega.omega.SagaStart;
import io.alphaomega.omega.spring.MadeBeans.CarDesk;
import io.alphaomega.omega.spring.MadeBeans.Desk;
import io.alphaomega.omega.spring.MadeBeans.Trips;
import io.alphaomega.omega.spring.config.OmegaConfigurationException;
import io.alphaomega.protocol.v1.Input.KindCase;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.mockito.Mockito;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.AnnotationBeanWiringInfoResolver;
import org.springframework.beans.factory.annotation.Autowire;
import org.springframework.beans.factory.annotation.Configurable;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.wiring.BeanConfigurerSupport;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Scope;
import org.springframework.context.annotation.ScopedProxyMode;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.context.support.SimpleThreadScope;

/** Objects that are made when they are needed: by scopes, by {@code new}, and after startup. */
class LateBeansTest {
    private final SmallAlpha alpha = new SmallAlpha();

    @AfterEach
    void stop() {
        alpha.close();
    }

    private ApplicationContextRunner application() {
        return Applications.plain()
                .withBean(Trips.class)
                .withPropertyValues(
                        "omega.alpha.addresses=" + alpha.address(),
                        "omega.drain-timeout=100ms",
                        "omega.begin-timeout=20s");
    }

    // ---- scopes

    @Configuration(proxyBeanMethods = false)
    static class PerRequest {
        @Bean
        @Scope(scopeName = "request", proxyMode = ScopedProxyMode.INTERFACES)
        CarDesk desk() {
            return new CarDesk();
        }
    }

    /** Is made anew for each request, and begins sagas. */
    static class Visit {
        @SagaStart
        public void pay(Runnable business) {
            business.run();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Visits {
        @Bean
        @Scope(scopeName = "request", proxyMode = ScopedProxyMode.TARGET_CLASS)
        Visit visit() {
            return new Visit();
        }

        @Bean
        @Scope("prototype")
        Visit another() {
            return new Visit();
        }
    }

    private ApplicationContextRunner web() {
        return application()
                .withInitializer(context -> context.getBeanFactory().registerScope("request", new SimpleThreadScope()));
    }

    @Test
    void a_participant_of_a_request_is_refused() {
        web().withUserConfiguration(PerRequest.class)
                .run(
                        context -> assertRefused(
                                context,
                                "MadeBeans.CarDesk.book(String) is @Compensable, but its bean 'scopedTarget.desk' is not a singleton"));
    }

    @Test
    void a_saga_may_begin_in_a_bean_of_any_scope() {
        web().withUserConfiguration(Visits.class).withBean(CarDesk.class).run(context -> {
            assertThat(context).hasNotFailed();
            Desk desk = context.getBean(Desk.class);
            for (String visit : new String[] {"visit", "another"}) {
                alpha.forget();
                context.getBean(visit, Visit.class).pay(() -> desk.book("Ada"));
                assertThat(alpha.toldKinds()).as(visit).contains(KindCase.BEGIN_BRANCH, KindCase.END);
            }
        });
    }

    // ---- lazy ones

    static class Waiting {
        private final Desk desk;
        private final ObjectProvider<Desk> desks;

        Waiting(@Lazy Desk desk, ObjectProvider<Desk> desks) {
            this.desk = desk;
            this.desks = desks;
        }
    }

    @Test
    void a_lazy_bean_that_is_injected_lazily_is_found() {
        CarDesk desk = new CarDesk();
        application()
                .withBean("desk", CarDesk.class, () -> desk, definition -> definition.setLazyInit(true))
                .withBean(Waiting.class)
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    Waiting waiting = context.getBean(Waiting.class);
                    context.getBean(Trips.class).plan(() -> waiting.desk.book("Ada"));
                    assertThat(alpha.callBack(any -> {}).hasFailure()).isFalse();
                    assertThat(desk.said).containsExactly("car for Ada", "no car for Ada");
                    assertThat(waiting.desks.getIfUnique()).isNotNull();
                });
    }

    // ---- after startup

    @Test
    void a_bean_whose_definition_is_registered_late_is_refused_when_it_is_made() {
        application().run(context -> {
            ((GenericApplicationContext) context.getSourceApplicationContext())
                    .registerBean("desk", CarDesk.class, CarDesk::new);
            assertThatThrownBy(() -> context.getBean("desk"))
                    .hasStackTraceContaining("its bean 'desk' was made after startup");
        });
    }

    @Test
    void a_finished_object_that_is_registered_late_keeps_sagas_from_beginning() {
        application().run(context -> {
            Trips trips = context.getBean(Trips.class);
            trips.plan(() -> {});
            CarDesk late = new CarDesk();
            context.getBeanFactory().registerSingleton("late", late);
            assertThatThrownBy(() -> trips.plan(() -> late.book("Ada")))
                    .isInstanceOf(OmegaConfigurationException.class)
                    .hasMessageContaining(
                            "MadeBeans.CarDesk.book(String) has a saga annotation, but its bean 'late' was registered as a finished object (registerSingleton)");
            assertThat(late.said).isEmpty();
        });
    }

    @Test
    void a_mock_that_is_registered_late_takes_part_in_nothing() {
        application().run(context -> {
            Trips trips = context.getBean(Trips.class);
            context.getBeanFactory().registerSingleton("late", Mockito.mock(CarDesk.class));
            assertThatCode(() -> trips.plan(() -> {})).doesNotThrowAnyException();
        });
    }

    // ---- by new

    @Configurable(autowire = Autowire.BY_TYPE)
    static class Basket {
        @Compensable(compensationMethod = "empty", fenced = false)
        public void fill() {}

        public void empty() {}
    }

    @Configurable(autowire = Autowire.BY_TYPE)
    static class Purchase {
        @SagaStart
        public void pay() {}
    }

    @Configurable(autowire = Autowire.BY_TYPE)
    static class Plain {
        private @Nullable Trips trips;

        public void setTrips(Trips trips) {
            this.trips = trips;
        }
    }

    /** As AspectJ's aspect of Spring does at each {@code new}. */
    private static void configure(ConfigurableListableBeanFactory beans, Object made) {
        BeanConfigurerSupport configurer = new BeanConfigurerSupport();
        configurer.setBeanFactory(beans);
        configurer.setBeanWiringInfoResolver(new AnnotationBeanWiringInfoResolver());
        configurer.configureBean(made);
    }

    @Test
    void an_object_that_is_configured_where_it_is_made_is_refused_there() {
        application().run(context -> {
            for (Object made : List.of(new Basket(), new Purchase())) {
                assertThatThrownBy(() -> configure(context.getBeanFactory(), made))
                        .hasStackTraceContaining(
                                "has a saga annotation, but its class is @Configurable: Spring puts no proxy around an object that is made by new");
            }
            Plain plain = new Plain();
            configure(context.getBeanFactory(), plain);
            assertThat(plain.trips).isNotNull();
        });
    }

    // ---- final classes and methods

    static final class FinalDesk implements Desk {
        @Override
        @Compensable(compensationMethod = "cancel", fenced = false)
        public void book(String guest) {}

        @Override
        public void cancel(String guest) {}
    }

    static class FinalMethods implements Desk {
        @Override
        @Compensable(compensationMethod = "cancel", fenced = false)
        public final void book(String guest) {}

        @Override
        public final void cancel(String guest) {}
    }

    static class FinalCancellation implements Desk {
        @Override
        @Compensable(compensationMethod = "cancel", fenced = false)
        public void book(String guest) {}

        @Override
        public final void cancel(String guest) {}
    }

    static final class WithoutInterface {
        @Compensable(compensationMethod = "cancel", fenced = false)
        public void book(String guest) {}

        public void cancel(String guest) {}
    }

    @Test
    void a_proxy_by_interface_stands_in_front_of_final_classes_and_methods() {
        for (Class<? extends Desk> each : List.of(FinalDesk.class, FinalMethods.class, FinalCancellation.class)) {
            try (SmallAlpha its = new SmallAlpha()) {
                register(application(), each)
                        .withPropertyValues(
                                "spring.aop.proxy-target-class=false", "omega.alpha.addresses=" + its.address())
                        .run(context -> {
                            assertThat(context).hasNotFailed();
                            Desk desk = context.getBean("desk", Desk.class);
                            context.getBean(Trips.class).plan(() -> desk.book("Ada"));
                            assertThat(its.callBack(any -> {}).hasFailure()).isFalse();
                        });
            }
        }
    }

    @Test
    void no_other_does() {
        register(application(), FinalDesk.class)
                .run(context ->
                        assertRefused(context, "FinalDesk.book(String) is @Compensable but its class is final"));
        register(application(), FinalMethods.class)
                .run(context -> assertRefused(context, "FinalMethods.book(String) is @Compensable but final"));
        register(application(), FinalCancellation.class)
                .run(context -> assertRefused(context, "FinalCancellation.cancel(String) is a compensation but final"));
        register(application(), WithoutInterface.class)
                .withPropertyValues("spring.aop.proxy-target-class=false")
                .run(context ->
                        assertRefused(context, "WithoutInterface.book(String) is @Compensable but its class is final"));
    }

    private static <T> ApplicationContextRunner register(ApplicationContextRunner runner, Class<T> type) {
        return runner.withBean("desk", type);
    }
}
