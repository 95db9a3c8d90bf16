package io.alphaomega.server.cluster;

import akka.actor.typed.ActorSystem;
import akka.actor.typed.Behavior;
import akka.cluster.typed.SingletonActor;
import com.typesafe.config.ConfigFactory;
import io.alphaomega.server.properties.AlphaProperties;
import io.alphaomega.server.saga.Ownership;
import io.alphaomega.server.saga.RouterCommand;
import io.alphaomega.server.saga.SagaSharding;
import java.util.List;
import java.util.function.Consumer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
class ClusterConfiguration {
    @Bean
    SagaCluster sagaCluster(
            AlphaProperties properties,
            SagaSharding sharding,
            Behavior<RouterCommand> participants,
            List<SingletonActor<?>> singletons,
            Ownership ownership,
            Consumer<ActorSystem<?>> admission) {
        return new SagaCluster(
                properties.cluster(),
                sharding,
                participants,
                singletons,
                ownership,
                admission,
                Downed.takenForDead(),
                ConfigFactory.empty());
    }
}
