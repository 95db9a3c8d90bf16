package io.alphaomega.omega.spring;

import static io.alphaomega.omega.spring.Applications.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.alphaomega.omega.CompensationHandler;
import io.alphaomega.omega.SagaException;
import io.alphaomega.omega.SagaSettings;
import io.alphaomega.omega.SagaTemplate;
import io.alphaomega.omega.spring.autoconfigure.OmegaAutoConfiguration;
import io.alphaomega.omega.spring.autoconfigure.OmegaDisabledAutoConfiguration;
import io.alphaomega.omega.stream.AlphaClient;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Scope;

/** Sagas in code: what is seen at start, and what is left where omega is switched off. */
class SagaTemplateStartUpTest {
    private static CompensationHandler<String> handler(String name) {
        return CompensationHandler.of(name, String.class, argument -> {});
    }

    @Configuration
    static class LazyHandlers {
        @Bean
        @Lazy
        CompensationHandler<String> cancelCar() {
            return handler("car.cancel");
        }
    }

    @Test
    void handlers_are_offered_to_alpha_from_the_start_also_lazy_ones() {
        Applications.plain().withUserConfiguration(LazyHandlers.class).run(context -> {
            assertThat(context).hasNotFailed();
            assertThat(context.getBean(AlphaClient.class).hello().getCallbacksList())
                    .containsExactly("car.cancel");
        });
    }

    @Configuration
    static class Twins {
        @Bean
        CompensationHandler<String> cancelCar() {
            return handler("cancel");
        }

        @Bean
        CompensationHandler<String> cancelHotel() {
            return handler("cancel");
        }
    }

    @Configuration
    static class Prototypes {
        @Bean
        @Scope(BeanDefinition.SCOPE_PROTOTYPE)
        CompensationHandler<String> cancelCar() {
            return handler("cancel");
        }
    }

    @Configuration
    static class Unreadable {
        @Bean
        CompensationHandler<Thread> cancelCar() {
            return CompensationHandler.of("cancel", Thread.class, argument -> {});
        }
    }

    @Test
    void handlers_that_could_not_be_called_back_keep_the_service_from_starting() {
        refused(Twins.class, "Two callbacks are named 'cancel'", "'cancelCar'", "'cancelHotel'");
        refused(Prototypes.class, "The CompensationHandler 'cancelCar' is a bean that is not a singleton");
        refused(Unreadable.class, "The argument of CompensationHandler 'cancel'", "could never be read again");
    }

    private static void refused(Class<?> configuration, String... sentences) {
        Applications.plain().withUserConfiguration(configuration).run(context -> assertRefused(context, sentences));
    }

    @Test
    void what_is_no_name_and_no_time_is_refused_where_it_is_said() {
        assertThatIllegalArgumentException().isThrownBy(() -> SagaSettings.named(" "));
        assertThatIllegalArgumentException().isThrownBy(() -> handler("x".repeat(257)));
        SagaSettings trip = SagaSettings.named("trip");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> trip.timeout(Duration.ofDays(31)))
                .withMessageContainingAll("trip", "PT720H");
        assertThatIllegalArgumentException().isThrownBy(() -> trip.attribute("a=b", "c"));
    }

    @Test
    void where_omega_is_disabled_code_runs_in_no_saga() {
        new ApplicationContextRunner()
                .withConfiguration(
                        AutoConfigurations.of(OmegaAutoConfiguration.class, OmegaDisabledAutoConfiguration.class))
                .withPropertyValues("omega.enabled=false")
                .run(context -> {
                    SagaTemplate sagas = context.getBean(SagaTemplate.class);
                    String result = sagas.execute(SagaSettings.named("trip"), saga -> {
                        assertThat(saga.id()).isEmpty();
                        return saga.branch("car")
                                .compensateWith(handler("cancel"), "argument")
                                .call(String.class, () -> "booked");
                    });
                    assertThat(result).isEqualTo("booked");
                    assertThatExceptionOfType(SagaException.class)
                            .isThrownBy(() -> sagas.outcome("saga"))
                            .withMessageContaining("omega.enabled");
                });
    }
}
