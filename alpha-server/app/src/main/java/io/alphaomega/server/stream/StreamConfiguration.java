package io.alphaomega.server.stream;

import akka.actor.typed.Behavior;
import io.alphaomega.repository.SagaRepository;
import io.alphaomega.server.cluster.SagaCluster;
import io.alphaomega.server.epoch.StoreEpoch;
import io.alphaomega.server.properties.AlphaProperties;
import io.alphaomega.server.properties.GrpcProperties;
import io.alphaomega.server.saga.RouterCommand;
import io.alphaomega.server.saga.Sagas;
import io.alphaomega.server.saga.StoreThreads;
import io.alphaomega.server.turn.EventLoops;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Clock;
import java.util.List;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/** Puts the conversation with omegas together. */
@Configuration(proxyBeanMethods = false)
class StreamConfiguration {
    @Bean
    EventLoops eventLoops() {
        return new EventLoops();
    }

    @Bean
    Budget streamBudget() {
        return new Budget(Runtime.getRuntime().maxMemory());
    }

    @Bean
    StreamMetrics streamMetrics(MeterRegistry registry, Budget streamBudget) {
        return new StreamMetrics(registry, streamBudget);
    }

    @Bean
    Instances instances() {
        return new Instances();
    }

    @Bean
    Rehearsal rehearsal(AlphaProperties properties, Environment environment, MeterRegistry registry) {
        double share = properties.rehearsal().share();
        Rehearsal.requireProfiles(share, List.of(environment.getActiveProfiles()));
        return new Rehearsal(share, registry);
    }

    @Bean
    Behavior<RouterCommand> participants(
            Sagas sagas,
            SagaRepository repository,
            Clock clock,
            Budget streamBudget,
            StreamMetrics metrics,
            CallbackNeeds needs) {
        return CallbackRouter.create(
                new CallbackRouter.Shared(sagas, repository, clock, streamBudget, metrics, needs, new StoreThreads()));
    }

    /** Made at once: what is wrong with an SSL bundle is said before anything listens. */
    @Bean
    GrpcPort grpcPort(AlphaProperties properties, EventLoops loops, SslBundles bundles, Clock clock) {
        GrpcProperties grpc = properties.grpc();
        return new GrpcPort(grpc, loops, grpc.ssl().isOn() ? BundleTls.of(grpc.ssl(), bundles, clock) : null, clock);
    }

    @Bean
    GrpcServer grpcServer(
            GrpcPort port,
            AlphaProperties properties,
            SagaCluster cluster,
            Sagas sagas,
            Clock clock,
            Budget streamBudget,
            StreamMetrics metrics,
            Instances instances,
            Rehearsal rehearsal,
            StoreEpoch epoch) {
        return new GrpcServer(
                port,
                properties.saga().policy(),
                cluster,
                sagas,
                clock,
                streamBudget,
                metrics,
                instances,
                rehearsal,
                epoch);
    }
}
