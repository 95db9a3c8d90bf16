package io.alphaomega.omega.test;

import static io.alphaomega.omega.test.OmegaAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.alphaomega.omega.Compensable;
import io.alphaomega.omega.SagaAbortedException;
import io.alphaomega.omega.SagaStart;
import io.alphaomega.omega.context.SagaContext;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.aopalliance.intercept.MethodInterceptor;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.aop.Advisor;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.annotation.AnnotationMatchingPointcut;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Role;
import org.springframework.core.Ordered;

/** An interceptor of the application's own proceeds three times with one invocation. */
@SpringBootTest(classes = RepeatingAdviceTest.App.class)
@OmegaTest
class RepeatingAdviceTest {
    private static final List<String> RUNS = new CopyOnWriteArrayList<>();
    private static final List<String> UNDONE = new CopyOnWriteArrayList<>();
    private static final AtomicInteger FAILURES = new AtomicInteger();

    @Autowired
    private Trips trips;

    @Autowired
    private TestAlpha alpha;

    @Retention(RetentionPolicy.RUNTIME)
    @interface ThreeTimes {}

    @SpringBootConfiguration
    @EnableAutoConfiguration
    @Import({Desk.class, Trips.class})
    static class App {
        @Bean
        @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
        static Advisor repeating() {
            MethodInterceptor threeTimes = invocation -> {
                for (int times = 1; ; times++) {
                    try {
                        return invocation.proceed();
                    } catch (RuntimeException again) {
                        if (times == 3) throw again;
                    }
                }
            };
            DefaultPointcutAdvisor advisor = new DefaultPointcutAdvisor(
                    AnnotationMatchingPointcut.forMethodAnnotation(ThreeTimes.class), threeTimes);
            advisor.setOrder(Ordered.HIGHEST_PRECEDENCE);
            return advisor;
        }
    }

    static class Desk {
        @ThreeTimes
        @Compensable(compensationMethod = "cancel")
        public void book(String guest) {
            RUNS.add(SagaContext.current().map(SagaContext::saga).orElse("none"));
            if (FAILURES.getAndDecrement() > 0) throw new IllegalStateException("not yet");
        }

        @Compensable(compensationMethod = "cancel")
        public void bookOnce(String guest) {
            RUNS.add(SagaContext.current().map(SagaContext::saga).orElse("none"));
        }

        public void cancel(String guest) {
            UNDONE.add(guest);
        }
    }

    static class Trips {
        private final Desk desk;

        Trips(Desk desk) {
            this.desk = desk;
        }

        @SagaStart
        public void once(String guest) {
            desk.book(guest);
        }

        @ThreeTimes
        @SagaStart
        public void repeated(String guest) {
            desk.bookOnce(guest);
            if (FAILURES.getAndDecrement() > 0) throw new IllegalStateException("not yet");
        }
    }

    @BeforeEach
    void nothing_done() {
        RUNS.clear();
        UNDONE.clear();
    }

    @Test
    void a_branch_that_has_failed_does_not_run_again_outside_of_omega() {
        FAILURES.set(2);
        assertThatExceptionOfType(SagaAbortedException.class).isThrownBy(() -> trips.once("Ada"));
        assertThat(RUNS).as("runs").containsExactly(alpha.saga().id());
        assertThat(alpha.saga()).compensated();
    }

    @Test
    void each_repetition_of_a_saga_is_a_saga() {
        FAILURES.set(2);
        trips.repeated("Ada");
        assertThat(RUNS).doesNotContain("none").doesNotHaveDuplicates().hasSize(3);
        alpha.awaitSagas(3);
        assertThat(alpha.sagas().subList(0, 2))
                .allSatisfy(saga -> assertThat(saga).compensated());
        assertThat(UNDONE).hasSize(2);
        assertThat(alpha.sagas().get(2)).committed();
    }
}
