package io.alphaomega.server.saga;

import akka.actor.typed.ActorSystem;
import akka.actor.typed.Behavior;
import akka.cluster.typed.SingletonActor;
import com.typesafe.config.ConfigFactory;
import io.alphaomega.server.AlphaProperties;
import io.alphaomega.server.repository.GroupCommit;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Puts the shell together. */
@Configuration(proxyBeanMethods = false)
class SagaConfiguration {
    @Bean
    Clock clock() {
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
    UnreadableSagas unreadableSagas() {
        return new UnreadableSagas();
    }

    @Bean
    SagaMetrics sagaMetrics(MeterRegistry registry, UnreadableSagas unreadable) {
        return new SagaMetrics(registry, unreadable);
    }

    @Bean
    SingletonActor<?> dueScanner(
            AlphaProperties properties,
            Sagas sagas,
            GroupCommit repository,
            Clock clock,
            Ownership ownership,
            MeterRegistry registry) {
        return DueScanner.singleton(new DueScanner.Settings(
                repository,
                repository::isAway,
                sagas,
                clock,
                new StoreThreads(),
                ownership::departures,
                clock.instant().plus(properties.saga().startGrace()),
                properties.saga().scanInterval(),
                new DueLag(registry, clock)));
    }

    @Bean
    SingletonActor<?> retention(
            AlphaProperties properties,
            GroupCommit repository,
            Clock clock,
            MeterRegistry registry,
            List<Retention.Task> further) {
        AlphaProperties.Retention kept = properties.retention();
        List<Retention.Task> tasks = new ArrayList<>();
        if (kept.purges()) tasks.add(new Retention.Task("histories", kept.ended(), repository::purge));
        if (kept.forgets()) tasks.add(new Retention.Task("tombstones", kept.tombstones(), repository::forget));
        if (kept.purges()) tasks.addAll(further);
        return Retention.singleton(new Retention.Settings(
                tasks,
                kept.interval(),
                kept.batch(),
                repository::isAway,
                clock,
                new StoreThreads(),
                new RetentionMetrics(registry, clock, tasks)));
    }

    @Bean
    SagaCluster sagaCluster(
            AlphaProperties properties,
            Sagas sagas,
            GroupCommit repository,
            Clock clock,
            SagaMetrics metrics,
            UnreadableSagas unreadable,
            Behavior<ToParticipants> participants,
            List<SingletonActor<?>> singletons,
            Ownership ownership,
            Consumer<ActorSystem<?>> admission) {
        SagaJournal journal = new SagaJournal(repository, repository::submit, new StoreThreads());
        return new SagaCluster(
                properties.cluster(),
                sagas,
                router -> new SagaActor.Shared(
                        journal,
                        clock,
                        router,
                        metrics,
                        unreadable,
                        ownership,
                        sagas.residents(),
                        new Room(
                                Runtime.getRuntime().maxMemory(),
                                properties.saga().passivateAfter())),
                participants,
                singletons,
                ownership,
                admission,
                Downed.takenForDead(),
                ConfigFactory.empty());
    }
}
