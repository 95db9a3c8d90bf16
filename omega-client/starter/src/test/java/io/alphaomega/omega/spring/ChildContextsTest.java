package io.alphaomega.omega.spring;

import static io.alphaomega.omega.spring.Applications.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.alphaomega.omega.AfterCommit;
import io.alphaomega.omega.context.SagaContext;
import io.alphaomega.omega.spring.MadeBeans.CarDesk;
import io.alphaomega.omega.spring.MadeBeans.Desk;
import io.alphaomega.omega.spring.MadeBeans.DeskFactory;
import io.alphaomega.omega.spring.MadeBeans.Trips;
import io.alphaomega.protocol.v1.Input.KindCase;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.aop.config.AopConfigUtils;
import org.springframework.aop.framework.autoproxy.DefaultAdvisorAutoProxyCreator;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Scope;
import org.springframework.context.support.GenericApplicationContext;

/** What is annotated in a context beside omega's is advised, or the context does not start. */
class ChildContextsTest {
    private static final String REFUSED =
            "MadeBeans.CarDesk.book(String) has a saga annotation, but its bean 'desk' is in a child application context"
                    + " that has no omega of its own: the annotation would do nothing.";

    private final SmallAlpha alpha = new SmallAlpha();

    @AfterEach
    void stop() {
        alpha.close();
    }

    private ApplicationContextRunner parent() {
        return Applications.plain()
                .withBean("parentTrips", Trips.class)
                .withPropertyValues("omega.alpha.addresses=" + alpha.address(), "omega.drain-timeout=100ms");
    }

    private void child(ApplicationContextRunner child, Consumer<AssertableApplicationContext> check) {
        parent().run(parent -> child.withParent(parent).run(check::accept));
    }

    private static ApplicationContextRunner bare() {
        return new ApplicationContextRunner();
    }

    /** As transactions, caches and {@code @Async} have it, and every service without AspectJ. */
    private static ApplicationContextRunner withInfrastructureProxies() {
        return bare().withInitializer(context ->
                AopConfigUtils.registerAutoProxyCreatorIfNecessary((GenericApplicationContext) context));
    }

    private static ApplicationContextRunner withAllProxies() {
        return bare().withBean(DefaultAdvisorAutoProxyCreator.class, () -> {
            DefaultAdvisorAutoProxyCreator creator = new DefaultAdvisorAutoProxyCreator();
            creator.setProxyTargetClass(true);
            return creator;
        });
    }

    // ---- below omega

    @Test
    void a_child_without_proxies_that_has_a_participant_does_not_start() {
        child(bare().withBean("desk", CarDesk.class), context -> assertRefused(context, REFUSED));
    }

    @Test
    void nor_does_one_with_the_proxies_of_springs_infrastructure() {
        child(withInfrastructureProxies().withBean("desk", CarDesk.class), context -> assertRefused(context, REFUSED));
    }

    @Test
    void nor_does_one_whose_factory_makes_the_participant() {
        CarDesk desk = new CarDesk();
        child(
                bare().withBean("desk", DeskFactory.class, () -> new DeskFactory(desk, CarDesk.class, true)),
                context -> assertRefused(context, REFUSED));
    }

    @Test
    void nor_does_one_that_only_begins_sagas() {
        child(
                withInfrastructureProxies().withBean("trips", Trips.class),
                context -> assertRefused(context, "MadeBeans.Trips.plan(Runnable) has a saga annotation", "'trips'"));
    }

    static class Letters {
        @AfterCommit("MadeBeans.CarDesk.book")
        public void thank() {}
    }

    @Test
    void nor_does_one_whose_bean_follows_decisions_whatever_its_proxies() {
        child(
                withAllProxies().withBean("letters", Letters.class),
                context -> assertRefused(context, "ChildContextsTest.Letters.thank()", "'letters'"));
    }

    @Test
    void nor_does_a_child_of_a_child() {
        parent().run(parent -> bare().withParent(parent).run(child -> {
            assertThat(child).hasNotFailed();
            bare().withParent(child).withBean("desk", CarDesk.class).run(context -> assertRefused(context, REFUSED));
        }));
    }

    @Test
    void each_of_several_children_is_looked_at() {
        parent().run(parent -> {
            for (int i = 0; i < 2; i++) {
                bare().withParent(parent)
                        .withBean("desk", CarDesk.class)
                        .run(context -> assertRefused(context, REFUSED));
            }
            bare().withParent(parent).run(context -> assertThat(context).hasNotFailed());
        });
    }

    @Configuration(proxyBeanMethods = false)
    static class MadeLater {
        @Bean
        @Lazy
        Desk desk() {
            return new CarDesk();
        }

        @Bean
        @Scope("prototype")
        Trips trips() {
            return new Trips();
        }
    }

    @Test
    void what_a_child_makes_later_is_refused_when_it_is_made() {
        child(withInfrastructureProxies().withUserConfiguration(MadeLater.class), context -> {
            assertThat(context).hasNotFailed();
            assertThatThrownBy(() -> context.getBean("desk")).hasStackTraceContaining(REFUSED);
            assertThatThrownBy(() -> context.getBean("trips"))
                    .hasStackTraceContaining("MadeBeans.Trips.plan(Runnable)");
        });
    }

    @Test
    void a_child_whose_proxies_have_its_parents_advice_begins_sagas() {
        child(withAllProxies().withBean("trips", Trips.class), context -> {
            assertThat(context).hasNotFailed();
            context.getBean("trips", Trips.class)
                    .plan(() -> assertThat(SagaContext.current()).isPresent());
        });
    }

    @Test
    void a_child_that_omega_is_switched_off_in_starts() {
        child(
                bare().withBean("desk", CarDesk.class).withPropertyValues("omega.enabled=false"),
                context -> assertThat(context).hasNotFailed());
    }

    @Test
    void a_child_without_annotations_starts() {
        child(
                withInfrastructureProxies().withBean(Object.class),
                context -> assertThat(context).hasNotFailed());
    }

    // ---- above omega

    @Test
    void a_participant_above_omega_is_refused() {
        withInfrastructureProxies()
                .withBean("desk", CarDesk.class)
                .run(above -> parent().withParent(above)
                        .run(context -> assertRefused(
                                context, "its bean 'desk' is in a parent application context that has no omega")));
    }

    @Test
    void so_is_one_that_is_made_later() {
        bare().withUserConfiguration(LazyAbove.class)
                .run(above -> parent().withParent(above)
                        .run(context -> assertRefused(
                                context, "its bean 'desk' is in a parent application context that has no omega")));
    }

    @Configuration(proxyBeanMethods = false)
    static class LazyAbove {
        @Bean
        @Lazy
        CarDesk desk() {
            return new CarDesk();
        }
    }

    // ---- as Spring Boot builds them

    @Configuration(proxyBeanMethods = false)
    @Applications.EnableWithoutDataSource
    static class Whole {
        @Bean
        Trips parentTrips() {
            return new Trips();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Part {
        @Bean
        CarDesk desk() {
            return new CarDesk();
        }
    }

    private SpringApplicationBuilder builder(Class<?> parent) {
        return new SpringApplicationBuilder(parent)
                .web(WebApplicationType.NONE)
                .properties(
                        "spring.application.name=shop",
                        "spring.main.banner-mode=off",
                        "omega.alpha.addresses=" + alpha.address(),
                        "omega.drain-timeout=100ms");
    }

    @Test
    void a_hierarchy_of_the_builder_has_its_participants_beside_omega() {
        assertDoesNotStart(builder(Whole.class).child(Part.class), REFUSED);
        assertDoesNotStart(builder(Part.class).child(Whole.class), "in a parent application context that has no omega");
    }

    private static void assertDoesNotStart(SpringApplicationBuilder child, String sentence) {
        AtomicReference<ConfigurableApplicationContext> parent = new AtomicReference<>();
        SpringApplicationBuilder remembering = child.web(WebApplicationType.NONE)
                .initializers(context ->
                        parent.set((ConfigurableApplicationContext) Objects.requireNonNull(context.getParent())));
        assertThatThrownBy(remembering::run).hasStackTraceContaining(sentence);
        Objects.requireNonNull(parent.get()).close();
    }

    @Test
    void the_actuator_on_a_port_of_its_own_has_a_child_that_starts() {
        SpringApplicationBuilder service = builder(Whole.class)
                .web(WebApplicationType.SERVLET)
                .properties("server.port=0", "management.server.port=0");
        try (ConfigurableApplicationContext context = service.run()) {
            assertThat(context.getEnvironment().getProperty("local.management.port"))
                    .isNotNull()
                    .isNotEqualTo(context.getEnvironment().getProperty("local.server.port"));
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Nothing {}

    @Test
    void siblings_with_an_omega_each_are_two_that_take_part() {
        SpringApplicationBuilder both =
                builder(Nothing.class).child(Whole.class, Part.class).web(WebApplicationType.NONE);
        try (ConfigurableApplicationContext one = both.run();
                ConfigurableApplicationContext other = both.sibling(Whole.class, Part.class)
                        .web(WebApplicationType.NONE)
                        .run()) {
            for (ApplicationContext each : new ApplicationContext[] {one, other}) {
                each.getBean(Trips.class).plan(() -> each.getBean(CarDesk.class).book("Ada"));
            }
            assertThat(alpha.kinds().stream().filter(KindCase.BEGIN_BRANCH::equals))
                    .hasSize(2);
        }
    }
}
