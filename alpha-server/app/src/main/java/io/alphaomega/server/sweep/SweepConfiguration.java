package io.alphaomega.server.sweep;

import akka.cluster.typed.SingletonActor;
import io.alphaomega.server.properties.AlphaProperties;
import io.alphaomega.server.properties.RetentionProperties;
import io.alphaomega.server.repository.GroupCommit;
import io.alphaomega.server.saga.Holds;
import io.alphaomega.server.saga.Ownership;
import io.alphaomega.server.saga.Sagas;
import io.alphaomega.server.saga.StoreThreads;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** What the cluster has one of to look after all sagas. */
@Configuration(proxyBeanMethods = false)
class SweepConfiguration {
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
    SingletonActor<?> holdScanner(GroupCommit repository, Holds holds, Sagas sagas) {
        return HoldScanner.singleton(new HoldScanner.Settings(
                repository, repository::isAway, holds, sagas, new StoreThreads(), HoldScanner.LOOK_EVERY));
    }

    @Bean
    StuckBoard stuckBoard(MeterRegistry registry, Clock clock, GroupCommit repository) {
        return new StuckBoard(registry, clock, repository::isAway);
    }

    @Bean
    SingletonActor<?> stuckWatch(GroupCommit repository, Clock clock, StuckBoard board, List<StuckListener> listeners) {
        return StuckWatch.singleton(new StuckWatch.Settings(
                repository, repository::isAway, clock, new StoreThreads(), board, listeners, StuckWatch.LOOK_EVERY));
    }

    @Bean
    SingletonActor<?> retention(
            AlphaProperties properties,
            GroupCommit repository,
            Clock clock,
            MeterRegistry registry,
            List<Retention.Task> further) {
        RetentionProperties kept = properties.retention();
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
}
