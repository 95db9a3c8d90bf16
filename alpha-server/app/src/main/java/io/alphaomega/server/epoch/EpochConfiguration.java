package io.alphaomega.server.epoch;

import io.alphaomega.server.repository.GroupCommit;
import io.alphaomega.server.saga.Holds;
import io.alphaomega.server.saga.StoreThreads;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Clock;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Has each node note how far the store has come. */
@Configuration(proxyBeanMethods = false)
class EpochConfiguration {
    @Bean
    StoreEpoch storeEpoch(GroupCommit repository, Clock clock, Holds holds, MeterRegistry registry) {
        StoreEpoch epoch = new StoreEpoch(repository, clock, holds, new StoreThreads());
        Gauge.builder(
                        "alpha.saga.held",
                        epoch,
                        each -> each.holding().map(StoreEpoch.Holding::sagas).orElse(0))
                .description(
                        "Sagas that are held because the store was set back to an earlier time; 1000 stands for more")
                .register(registry);
        epoch.open(StoreEpoch.EVERY);
        return epoch;
    }
}
