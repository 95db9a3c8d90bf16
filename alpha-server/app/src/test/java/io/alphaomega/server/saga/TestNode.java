package io.alphaomega.server.saga;

import akka.actor.typed.Behavior;
import com.typesafe.config.ConfigFactory;
import io.alphaomega.repository.SagaRepository;
import io.alphaomega.saga.Policy;
import io.alphaomega.server.AlphaProperties;
import io.alphaomega.server.repository.GroupCommit;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;

/** A node without HTTP and Spring, on any repository: sagas, router and scanner. */
public final class TestNode implements AutoCloseable {
    public final AlphaProperties properties;
    public final GroupCommit repository;
    public final Sagas sagas = new Sagas();
    public final Clock clock = new SteadyClock();
    public final UnreadableSagas unreadable = new UnreadableSagas();
    public final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    public final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    public final SagaCluster cluster;

    /** @param participants the router of callbacks of this node */
    public TestNode(
            SagaRepository store,
            AlphaProperties properties,
            Function<TestNode, Behavior<ToParticipants>> participants) {
        this.properties = properties;
        this.repository = new GroupCommit(store, GroupCommit.Limits.ofLanes(2));
        SagaJournal journal = new SagaJournal(repository, repository::submit, threads);
        SagaMetrics metrics = new SagaMetrics(meters, unreadable);
        DueScanner.Settings scanning = new DueScanner.Settings(
                repository,
                sagas,
                clock,
                threads,
                properties.saga().startGrace(),
                properties.saga().scanInterval());
        cluster = new SagaCluster(
                properties,
                sagas,
                router -> new SagaActor.Shared(
                        journal,
                        clock,
                        router,
                        metrics,
                        unreadable,
                        properties.saga().passivateAfter()),
                participants.apply(this),
                DueScanner.create(scanning),
                () -> {},
                ConfigFactory.parseString("""
                        akka.actor.serialize-messages = on
                        akka.actor.no-serialization-verification-needed-class-prefix = ["akka."]
                        akka.loglevel = WARNING
                        """));
    }

    /** What a test wants: any free ports, and everything soon. */
    public static AlphaProperties properties(int port, List<String> seedNodes) {
        Policy policy = Policy.DEFAULT;
        return new AlphaProperties(
                new AlphaProperties.Repository(
                        AlphaProperties.Repository.Type.EMBEDDED, new AlphaProperties.Repository.Embedded("unused")),
                new AlphaProperties.Grpc("127.0.0.1", 0),
                new AlphaProperties.Cluster("alpha", "127.0.0.1", port, seedNodes),
                new AlphaProperties.Saga(
                        policy.timeout(),
                        policy.branchTimeout(),
                        policy.order(),
                        policy.callbacks().attempts(),
                        policy.callbacks().within(),
                        policy.callbacks().firstDelay(),
                        policy.callbacks().maxDelay(),
                        policy.callbacks().timeout(),
                        Duration.ofSeconds(30),
                        Duration.ofMillis(50),
                        Duration.ZERO));
    }

    public double count(String meter, String... tags) {
        return meters.counter(meter, tags).count();
    }

    @Override
    public void close() {
        cluster.stop();
        threads.shutdownNow();
    }
}
