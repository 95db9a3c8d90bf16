package io.alphaomega.omega.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.alphaomega.omega.Compensable;
import io.alphaomega.omega.SagaStart;
import io.alphaomega.omega.spring.autoconfigure.OmegaActuatorAutoConfiguration;
import io.alphaomega.omega.spring.autoconfigure.OmegaAutoConfiguration;
import io.alphaomega.omega.stream.AlphaClient;
import io.alphaomega.omega.stream.AlphaStatus.State;
import io.alphaomega.omega.stream.ScriptedAlpha;
import io.alphaomega.protocol.v1.Ack;
import io.alphaomega.protocol.v1.Committed;
import io.alphaomega.protocol.v1.Input;
import java.lang.management.ManagementFactory;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.core.OverridingClassLoader;
import org.springframework.core.io.DefaultResourceLoader;

/**
 * What DevTools does at each change: it closes the application, and starts it anew with the service's own classes loaded
 * again, beside libraries that stay, omega among them.
 */
class RestartTest {
    private static final int RESTARTS = 20;

    private final ScriptedAlpha alpha = new ScriptedAlpha("alpha-1");

    /** The service; each start has classes of its own. */
    @ImportAutoConfiguration({
        AopAutoConfiguration.class,
        JacksonAutoConfiguration.class,
        OmegaAutoConfiguration.class,
        OmegaActuatorAutoConfiguration.class
    })
    static class Service {
        record Order(String item) {}

        static class Desk {
            @Compensable(compensationMethod = "cancel")
            public Order order(Order order) {
                return order;
            }

            public void cancel(Order order) {}
        }

        static class Counter implements Runnable {
            private final Desk desk;

            Counter(Desk desk) {
                this.desk = desk;
            }

            @Override
            @SagaStart
            public void run() {
                Order unused = desk.order(new Order("book"));
            }
        }

        @Bean
        Desk desk() {
            return new Desk();
        }

        @Bean
        Counter counter(Desk desk) {
            return new Counter(desk);
        }
    }

    /** As DevTools has it: the service's classes are its own, and all others those of its parent. */
    private static final class Restarted extends OverridingClassLoader {
        Restarted(ClassLoader libraries) {
            super(libraries);
        }

        @Override
        protected boolean isEligibleForOverriding(String name) {
            return name.startsWith(Service.class.getName());
        }
    }

    @Test
    void a_service_that_restarts_twenty_times_has_one_stream_at_a_time_and_piles_nothing_up() {
        alpha.onInput = (conversation, input) -> conversation.ack(answer(input));
        start(); // What is made once, and stays.
        await().until(() -> omegaThreads().isEmpty());
        int beans = ManagementFactory.getPlatformMBeanServer().getMBeanCount();

        List<WeakReference<ClassLoader>> loaders = new ArrayList<>();
        for (int i = 0; i < RESTARTS; i++) loaders.add(start());

        assertThat(alpha.conversations).hasSize(1 + RESTARTS);
        assertThat(alpha.inputs().stream().filter(Input::hasBeginBranch)).hasSize(1 + RESTARTS);
        assertThat(ManagementFactory.getPlatformMBeanServer().getMBeanCount()).isEqualTo(beans);
        await().untilAsserted(() -> assertThat(omegaThreads()).isEmpty());
        await().untilAsserted(() -> {
            System.gc();
            assertThat(loaders.stream().filter(each -> each.get() != null))
                    .as("but for one that some cache of the libraries has seen last")
                    .hasSizeLessThanOrEqualTo(1);
        });
        alpha.close();
    }

    private static Ack answer(Input input) {
        Ack.Builder answer =
                input.hasEnd() ? Ack.newBuilder().setCommitted(Committed.getDefaultInstance()) : SmallAlpha.accepted();
        return answer.setCorrelation(input.getCorrelation()).build();
    }

    /** Starts the service, has it run a saga, and closes it. */
    private WeakReference<ClassLoader> start() {
        Thread thread = Thread.currentThread();
        ClassLoader libraries = thread.getContextClassLoader();
        Restarted loader = new Restarted(libraries);
        thread.setContextClassLoader(loader);
        try (ConfigurableApplicationContext service = run(loader)) {
            AlphaClient client = service.getBean(AlphaClient.class);
            await().until(() -> client.status().stream().anyMatch(each -> each.state() == State.CONNECTED));
            assertThat(alpha.open()).isEqualTo(1);
            Runnable counter = (Runnable) service.getBean("counter");
            assertThat(counter.getClass().getClassLoader()).isSameAs(loader);
            counter.run();
        } finally {
            thread.setContextClassLoader(libraries);
        }
        return new WeakReference<>(loader);
    }

    private ConfigurableApplicationContext run(ClassLoader loader) {
        Class<?> service;
        try {
            service = loader.loadClass(Service.class.getName());
        } catch (ClassNotFoundException e) {
            throw new AssertionError(e);
        }
        return new SpringApplicationBuilder(new DefaultResourceLoader(loader), service)
                .web(WebApplicationType.NONE)
                .registerShutdownHook(false)
                .run(
                        "--spring.application.name=shop",
                        "--spring.main.banner-mode=off",
                        "--spring.aop.proxy-target-class=true",
                        "--omega.alpha.addresses=" + alpha.address());
    }

    private static List<String> omegaThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> name.startsWith("omega-"))
                .sorted()
                .toList();
    }
}
