package io.alphaomega.server.saga;

import io.alphaomega.server.clock.SteadyClock;
import io.alphaomega.server.properties.AlphaProperties;
import io.alphaomega.server.repository.GroupCommit;
import io.alphaomega.server.traces.Traces;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Clock;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Puts the shell together. */
@Configuration(proxyBeanMethods = false)
class SagaConfiguration {
    @Bean
    SteadyClock clock() {
        return new SteadyClock();
    }

    @Bean
    Ownership ownership(Clock clock, MeterRegistry registry) {
        return new Ownership(clock, registry, Ownership.SETTLED_AFTER);
    }

    @Bean
    Sagas sagas() {
        return new Sagas();
    }

    @Bean
    Holds holds() {
        return new Holds();
    }

    @Bean
    UnreadableSagas unreadableSagas(Clock clock) {
        return new UnreadableSagas(clock);
    }

    @Bean
    SagaMetrics sagaMetrics(MeterRegistry registry, UnreadableSagas unreadable) {
        return new SagaMetrics(registry, unreadable);
    }

    @Bean
    SagaTraces sagaTraces(Traces traces) {
        return new SagaTraces(traces.tracer(), Clock.systemUTC());
    }

    @Bean
    SagaSharding sagaSharding(
            AlphaProperties properties,
            Sagas sagas,
            GroupCommit repository,
            Clock clock,
            SagaMetrics metrics,
            SagaTraces traces,
            UnreadableSagas unreadable,
            Ownership ownership,
            Holds holds) {
        SagaJournal journal = new SagaJournal(repository, repository::submit, new StoreThreads());
        Alerts alerts = new Alerts();
        WrongAnswers wrongAnswers = new WrongAnswers(clock);
        return new SagaSharding(
                sagas,
                router -> new SagaActor.Shared(
                        journal,
                        clock,
                        router,
                        metrics,
                        traces,
                        unreadable,
                        alerts,
                        wrongAnswers,
                        ownership,
                        sagas,
                        sagas.localSagas(),
                        new SagaMemory(
                                Runtime.getRuntime().maxMemory(),
                                properties.saga().passivateAfter()),
                        holds));
    }
}
