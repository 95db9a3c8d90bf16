package io.alphaomega.server.saga;

import akka.actor.typed.Behavior;
import com.typesafe.config.ConfigFactory;
import io.alphaomega.server.AlphaProperties;
import io.alphaomega.server.repository.GroupCommit;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Clock;
import java.util.concurrent.Executor;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Puts the shell together. */
@Configuration(proxyBeanMethods = false)
class SagaConfiguration {
    /** The others have taken this node for dead and have its sagas now: it must not go on as if it owned them. */
    private static final int DOWNED = 3;

    @Bean
    Clock clock() {
        return new SteadyClock();
    }

    @Bean
    Sagas sagas() {
        return new Sagas();
    }

    @Bean
    UnreadableSagas unreadableSagas() {
        return new UnreadableSagas();
    }

    @Bean
    SagaMetrics sagaMetrics(MeterRegistry registry, UnreadableSagas unreadable) {
        return new SagaMetrics(registry, unreadable);
    }

    @Bean
    SagaCluster sagaCluster(
            AlphaProperties properties,
            Sagas sagas,
            GroupCommit repository,
            Clock clock,
            SagaMetrics metrics,
            UnreadableSagas unreadable,
            Behavior<ToParticipants> participants) {
        Executor storeThreads = new StoreThreads();
        SagaJournal journal = new SagaJournal(repository, repository::submit, storeThreads);
        DueScanner.Settings scanning = new DueScanner.Settings(
                repository,
                repository::isAway,
                sagas,
                clock,
                storeThreads,
                properties.saga().startGrace(),
                properties.saga().scanInterval());
        return new SagaCluster(
                properties.cluster(),
                sagas,
                router -> new SagaActor.Shared(
                        journal,
                        clock,
                        router,
                        metrics,
                        unreadable,
                        properties.saga().passivateAfter()),
                participants,
                DueScanner.create(scanning),
                () -> new Thread(() -> System.exit(DOWNED), "downed").start(),
                ConfigFactory.empty());
    }
}
