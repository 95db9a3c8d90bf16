package io.alphaomega.omega.spring;

import static io.alphaomega.omega.spring.Applications.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.alphaomega.omega.AfterCommit;
import io.alphaomega.omega.Compensable;
import io.alphaomega.omega.spring.MadeBeans.AnnotatedDesk;
import io.alphaomega.omega.spring.MadeBeans.CarDesk;
import io.alphaomega.omega.spring.MadeBeans.Desk;
import io.alphaomega.omega.spring.MadeBeans.DeskFactory;
import io.alphaomega.omega.spring.MadeBeans.Trips;
import io.alphaomega.omega.spring.config.OmegaConfigurationException;
import io.alphaomega.omega.spring.definition.OfferedCallbacks;
import io.alphaomega.protocol.v1.Input.KindCase;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.aop.framework.ProxyFactoryBean;
import org.springframework.aop.framework.autoproxy.DefaultAdvisorAutoProxyCreator;
import org.springframework.beans.factory.BeanCreationException;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Lookup;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.beans.factory.config.AutowireCapableBeanFactory;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.BeanDefinitionBuilder;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.BeanDefinitionRegistryPostProcessor;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Scope;
import org.springframework.context.annotation.ScopedProxyMode;
import org.springframework.context.support.GenericApplicationContext;

/** Beans that are made in other ways than by a class: alpha's callbacks find each, or the service says that they would not. */
class MadeBeansTest {
    private final SmallAlpha alpha = new SmallAlpha();
    private final CarDesk desk = new CarDesk();

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

    /** Books in a saga, and has that undone by alpha. */
    private void assertUndone(ApplicationContextRunner application) {
        application.run(context -> {
            assertThat(context).hasNotFailed();
            book(context);
            assertThat(alpha.callBack(any -> {}).hasFailure()).isFalse();
            assertThat(desk.said).containsExactly("car for Ada", "no car for Ada");
        });
    }

    private static void book(ApplicationContext context) {
        Object bean = context.getBean("desk");
        context.getBean(Trips.class).plan(() -> {
            if (bean instanceof AnnotatedDesk annotated) annotated.book("Ada");
            else ((Desk) bean).book("Ada");
        });
    }

    private ApplicationContextRunner made(Class<?> type, boolean singleton) {
        return application().withBean("desk", DeskFactory.class, () -> new DeskFactory(desk, type, singleton));
    }

    // ---- the products of factory beans

    @Test
    void the_product_of_a_factory_bean_is_found_by_its_class() {
        assertUndone(made(CarDesk.class, true));
    }

    /** Uses the desk, so that it is made at startup whatever its factory says of it. */
    static class Counter {
        Counter(@Qualifier("desk") Object desk) {}
    }

    @Test
    void the_product_of_a_factory_bean_that_does_not_say_its_class_is_found_when_it_is_made() {
        assertUndone(made(Desk.class, true).withBean(Counter.class));
    }

    @Test
    void one_that_is_made_after_startup_is_refused_before_anything_runs() {
        made(Desk.class, true).run(context -> {
            assertThat(context).hasNotFailed();
            assertThatThrownBy(() -> book(context))
                    .hasRootCauseInstanceOf(OmegaConfigurationException.class)
                    .hasStackTraceContaining(
                            "MadeBeans.CarDesk.cancel(String) is the callback 'MadeBeans.CarDesk.cancel', but its bean 'desk' was made after startup");
            assertThat(desk.said).isEmpty();
            assertThat(alpha.kinds()).doesNotContain(KindCase.BEGIN_BRANCH);
        });
    }

    @Test
    void a_product_that_is_no_singleton_is_refused() {
        made(CarDesk.class, false)
                .run(context -> assertRefused(
                        context,
                        "MadeBeans.CarDesk.book(String) is @Compensable, but its bean 'desk' is not a singleton"));
    }

    /** Is a desk itself, besides making something. */
    static class BusyFactory extends CarDesk implements FactoryBean<String> {
        @Override
        public String getObject() {
            return "product";
        }

        @Override
        public Class<?> getObjectType() {
            return String.class;
        }
    }

    @Test
    void a_factory_bean_with_a_branch_of_its_own_is_called_back_itself() {
        application().withBean("desk", BusyFactory.class).run(context -> {
            assertThat(context).hasNotFailed();
            Desk factory = (Desk) context.getBean("&desk");
            context.getBean(Trips.class).plan(() -> factory.book("Ada"));
            assertThat(alpha.callBack(any -> {}).hasFailure()).isFalse();
        });
    }

    @Configuration(proxyBeanMethods = false)
    static class LazyDesk {
        @Bean
        @Lazy
        Desk desk() {
            return new CarDesk();
        }
    }

    @Test
    void a_lazy_bean_whose_type_does_not_tell_is_refused_when_it_is_made() {
        application().withUserConfiguration(LazyDesk.class).run(context -> {
            assertThat(context).hasNotFailed();
            assertThatThrownBy(() -> book(context)).hasStackTraceContaining("'desk' was made after startup");
        });
    }

    interface Listening {}

    static class Letters implements Listening {
        @AfterCommit("MadeBeans.CarDesk.book")
        public void thank() {}
    }

    @Configuration(proxyBeanMethods = false)
    static class LazyLetters {
        @Bean
        @Lazy
        Listening letters() {
            return new Letters();
        }
    }

    @Test
    void what_follows_a_decision_and_is_made_after_startup_is_refused_too() {
        application()
                .withBean("desk", CarDesk.class)
                .withUserConfiguration(LazyLetters.class)
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    assertThatThrownBy(() -> context.getBean("letters"))
                            .hasStackTraceContaining(
                                    "MadeBeansTest.Letters.thank() follows the decision of a saga, but its bean 'letters' was made after startup");
                });
    }

    // ---- objects that are registered, and definitions that are

    @Test
    void an_object_that_is_registered_as_it_is_is_refused() {
        application()
                .withInitializer(context -> context.getBeanFactory().registerSingleton("desk", desk))
                .run(
                        context -> assertRefused(
                                context,
                                "MadeBeans.CarDesk.book(String) has a saga annotation, but its bean 'desk' was registered as a finished object (registerSingleton)"));
    }

    /** Makes the object's proxy by hand, and registers that. */
    static class ByHand {
        ByHand(AutowireCapableBeanFactory factory) {
            Object proxied = factory.initializeBean(new CarDesk(), "desk");
            ((ConfigurableListableBeanFactory) factory).registerSingleton("desk", proxied);
        }
    }

    @Test
    void an_object_that_is_registered_with_a_proxy_made_by_hand_is_found() {
        application().withBean(ByHand.class).run(context -> {
            assertThat(context).hasNotFailed();
            book(context);
            assertThat(alpha.callBack(any -> {}).hasFailure()).isFalse();
        });
    }

    static class Registrar implements BeanDefinitionRegistryPostProcessor {
        private final CarDesk desk;

        Registrar(CarDesk desk) {
            this.desk = desk;
        }

        @Override
        public void postProcessBeanDefinitionRegistry(BeanDefinitionRegistry registry) {
            registry.registerBeanDefinition("desk", new RootBeanDefinition(Desk.class, () -> desk));
        }
    }

    @Test
    void a_definition_that_is_registered_with_an_interface_is_found_by_its_object() {
        assertUndone(application().withBean(Registrar.class, () -> new Registrar(desk)));
    }

    // ---- objects that are no beans

    static class Factory {
        private final AutowireCapableBeanFactory factory;

        Factory(AutowireCapableBeanFactory factory) {
            this.factory = factory;
        }

        Desk make() {
            return factory.createBean(CarDesk.class);
        }
    }

    static class EagerFactory {
        EagerFactory(AutowireCapableBeanFactory factory) {
            CarDesk unused = factory.createBean(CarDesk.class);
        }
    }

    @Test
    void an_object_that_is_made_by_hand_is_refused_at_startup_or_when_it_is_made() {
        application()
                .withBean(EagerFactory.class)
                .run(context -> assertRefused(
                        context,
                        "CarDesk.book(String) is @Compensable, but its object",
                        "is no bean that can be looked up"));
        application().withBean(Factory.class).run(context -> {
            assertThat(context).hasNotFailed();
            Factory factory = context.getBean(Factory.class);
            assertThatThrownBy(factory::make)
                    .isInstanceOf(BeanCreationException.class)
                    .hasMessageContaining("is no bean that can be looked up");
        });
    }

    static class Owner {
        private Desk inner = new CarDesk();

        public void setInner(Desk inner) {
            this.inner = inner;
        }

        Desk inner() {
            return inner;
        }
    }

    @Test
    void a_bean_within_another_is_refused() {
        BeanDefinition inner =
                BeanDefinitionBuilder.rootBeanDefinition(CarDesk.class).getBeanDefinition();
        BeanDefinition owner = BeanDefinitionBuilder.rootBeanDefinition(Owner.class)
                .addPropertyValue("inner", inner)
                .getBeanDefinition();
        application()
                .withInitializer(
                        context -> ((GenericApplicationContext) context).registerBeanDefinition("owner", owner))
                .run(context -> assertRefused(context, "is no bean that can be looked up", "is a bean within another"));
    }

    // ---- scopes

    @Configuration(proxyBeanMethods = false)
    static class Scoped {
        @Bean
        @Scope(scopeName = "prototype", proxyMode = ScopedProxyMode.TARGET_CLASS)
        CarDesk desk() {
            return new CarDesk();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Prototype {
        @Bean
        @Scope("prototype")
        CarDesk desk() {
            return new CarDesk();
        }
    }

    @Test
    void a_bean_of_another_scope_is_refused_although_nobody_has_it_made() {
        application()
                .withUserConfiguration(Scoped.class)
                .run(context -> assertRefused(context, "its bean 'scopedTarget.desk' is not a singleton"));
        application()
                .withUserConfiguration(Prototype.class)
                .run(context -> assertRefused(context, "its bean 'desk' is not a singleton"));
    }

    // ---- classes made at run time

    @Configuration(proxyBeanMethods = false)
    static class Lambdas {
        static final List<String> SAID = new CopyOnWriteArrayList<>();

        interface OneWay extends AnnotatedDesk {
            @Override
            default void cancel(String guest) {
                SAID.add("no car for " + guest);
            }
        }

        @Bean
        OneWay desk() {
            return guest -> SAID.add("car for " + guest);
        }
    }

    @Test
    void a_lambda_has_the_names_of_its_interface() {
        application().withUserConfiguration(Lambdas.class).run(context -> {
            assertThat(context).hasNotFailed();
            assertThat(context.getBean(OfferedCallbacks.class).names())
                    .containsExactly("MadeBeansTest.Lambdas.OneWay.cancel");
            book(context);
            assertThat(alpha.only(KindCase.BEGIN_BRANCH).getBeginBranch().getOperation())
                    .isEqualTo("MadeBeansTest.Lambdas.OneWay.book");
            assertThat(alpha.callBack(any -> {}).hasFailure()).isFalse();
            assertThat(Lambdas.SAID).containsExactly("car for Ada", "no car for Ada");
        });
    }

    abstract static class LookingUp extends CarDesk {
        @Lookup
        abstract Trips trips();

        @Override
        @Compensable(compensationMethod = "cancel", fenced = false)
        public void book(String guest) {
            said.add(trips() + " for " + guest);
        }
    }

    @Test
    void a_class_that_spring_completes_is_found_as_it_was_written() {
        application()
                .withInitializer(context -> ((GenericApplicationContext) context)
                        .registerBeanDefinition("desk", new RootBeanDefinition(LookingUp.class)))
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    assertThat(context.getBean(OfferedCallbacks.class).names())
                            .containsExactly("MadeBeansTest.LookingUp.cancel");
                    book(context);
                    assertThat(alpha.callBack(any -> {}).hasFailure()).isFalse();
                });
    }

    @Configuration(proxyBeanMethods = false)
    static class HandMadeProxy {
        @Bean
        ProxyFactoryBean desk(@Value("${by-class}") boolean byClass) {
            ProxyFactoryBean factory = new ProxyFactoryBean();
            factory.setTarget(new CarDesk());
            factory.setProxyTargetClass(byClass);
            return factory;
        }
    }

    @Test
    void the_product_of_a_proxy_factory_bean_is_found_by_its_target() {
        application()
                .withUserConfiguration(HandMadeProxy.class)
                .withPropertyValues("by-class=true")
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    book(context);
                    assertThat(alpha.only(KindCase.BEGIN_BRANCH)
                                    .getBeginBranch()
                                    .getOperation())
                            .isEqualTo("MadeBeans.CarDesk.book");
                    assertThat(alpha.callBack(any -> {}).hasFailure()).isFalse();
                });
    }

    @Test
    void one_whose_interface_hides_the_annotation_is_refused() {
        application()
                .withUserConfiguration(HandMadeProxy.class)
                .withPropertyValues("by-class=false")
                .run(context -> assertRefused(
                        context,
                        "MadeBeans.CarDesk.book(String) has a saga annotation, but its bean's proxy has not got"));
    }

    // ---- contexts with parents

    @Configuration(proxyBeanMethods = false)
    static class Child {
        @Bean
        CarDesk desk() {
            return new CarDesk();
        }
    }

    @Test
    void a_participant_in_a_child_context_whose_client_of_alpha_is_in_its_parent_is_refused() {
        application()
                .run(parent -> Applications.plain()
                        .withParent(parent)
                        .withUserConfiguration(Child.class)
                        .run(context -> assertRefused(
                                context,
                                "is a callback of the bean 'desk' in a child application context, but the client")));
    }

    @Test
    void a_branch_in_a_child_context_without_omega_does_not_run() {
        application()
                .run(parent -> new ApplicationContextRunner()
                        // As AspectJ's it takes advice of the parent's too; that of Spring's infrastructure does not.
                        .withBean(DefaultAdvisorAutoProxyCreator.class, () -> {
                            DefaultAdvisorAutoProxyCreator creator = new DefaultAdvisorAutoProxyCreator();
                            creator.setProxyTargetClass(true);
                            return creator;
                        })
                        .withParent(parent)
                        .withUserConfiguration(Child.class)
                        .run(context -> {
                            assertThat(context).hasNotFailed();
                            assertThatThrownBy(() -> book(context))
                                    .hasMessageContaining(
                                            "MadeBeans.CarDesk.book did not run: no bean that omega has found at startup offers its callback");
                            assertThat(alpha.kinds()).doesNotContain(KindCase.BEGIN_BRANCH);
                        }));
    }

    // ---- by way of providers

    static class Provided {
        private final ObjectProvider<Desk> desks;

        Provided(ObjectProvider<Desk> desks) {
            this.desks = desks;
        }
    }

    @Test
    void a_bean_that_is_only_provided_is_found() {
        application()
                .withBean("desk", CarDesk.class, () -> desk)
                .withBean(Provided.class)
                .run(context -> {
                    Provided provided = context.getBean(Provided.class);
                    context.getBean(Trips.class)
                            .plan(() -> provided.desks.getObject().book("Ada"));
                    assertThat(alpha.callBack(any -> {}).hasFailure()).isFalse();
                    assertThat(desk.said).containsExactly("car for Ada", "no car for Ada");
                });
    }
}
