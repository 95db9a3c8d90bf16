package io.alphaomega.omega.spring;

import static io.alphaomega.omega.spring.Applications.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.alphaomega.omega.spring.MadeBeans.CarDesk;
import io.alphaomega.omega.spring.MadeBeans.Desk;
import io.alphaomega.omega.spring.MadeBeans.Trips;
import io.alphaomega.omega.spring.definition.OfferedCallbacks;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.BeanRegistrar;
import org.springframework.beans.factory.BeanRegistry;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.Environment;

/** Beans that are registered by code, as of Spring 7. */
class BeanRegistrarTest {
    private static final CarDesk DESK = new CarDesk();

    private final SmallAlpha alpha = new SmallAlpha();

    @AfterEach
    void stop() {
        alpha.close();
        DESK.said.clear();
    }

    private ApplicationContextRunner application(Class<?> configuration) {
        return Applications.plain()
                .withBean(Trips.class)
                .withUserConfiguration(configuration)
                .withPropertyValues(
                        "omega.alpha.addresses=" + alpha.address(),
                        "omega.drain-timeout=100ms",
                        "omega.begin-timeout=20s");
    }

    static class ByClass implements BeanRegistrar {
        @Override
        public void register(BeanRegistry registry, Environment environment) {
            registry.registerBean("desk", CarDesk.class, spec -> spec.supplier(context -> DESK));
        }
    }

    /** Nothing but the object has the annotations, and it is made at startup. */
    static class ByInterface implements BeanRegistrar {
        @Override
        public void register(BeanRegistry registry, Environment environment) {
            registry.registerBean("desk", Desk.class, spec -> spec.supplier(context -> DESK));
        }
    }

    static class Lazily implements BeanRegistrar {
        @Override
        public void register(BeanRegistry registry, Environment environment) {
            registry.registerBean("desk", Desk.class, spec -> spec.lazyInit().supplier(context -> DESK));
        }
    }

    static class ForEach implements BeanRegistrar {
        @Override
        public void register(BeanRegistry registry, Environment environment) {
            registry.registerBean("desk", CarDesk.class, BeanRegistry.Spec::prototype);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @Import(ByClass.class)
    static class OfClass {}

    @Configuration(proxyBeanMethods = false)
    @Import(ByInterface.class)
    static class OfInterface {}

    @Configuration(proxyBeanMethods = false)
    @Import(Lazily.class)
    static class Lazy {}

    @Configuration(proxyBeanMethods = false)
    @Import(ForEach.class)
    static class Prototype {}

    @Test
    void a_registered_bean_is_found_by_its_class_or_its_object() {
        for (Class<?> each : new Class<?>[] {OfClass.class, OfInterface.class}) {
            alpha.forget();
            DESK.said.clear();
            application(each).run(context -> {
                assertThat(context).hasNotFailed();
                assertThat(context.getBean(OfferedCallbacks.class).names()).containsExactly("MadeBeans.CarDesk.cancel");
                book(context);
                assertThat(DESK.said).containsExactly("car for Ada");
            });
        }
    }

    @Test
    void one_that_is_made_later_or_each_time_is_refused() {
        application(Lazy.class)
                .run(context -> assertThatThrownBy(() -> book(context))
                        .hasStackTraceContaining("'desk' was made after startup"));
        application(Prototype.class).run(context -> assertRefused(context, "its bean 'desk' is not a singleton"));
    }

    private static void book(ApplicationContext context) {
        Desk desk = context.getBean("desk", Desk.class);
        context.getBean(Trips.class).plan(() -> desk.book("Ada"));
    }
}
