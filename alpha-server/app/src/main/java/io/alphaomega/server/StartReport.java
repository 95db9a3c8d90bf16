package io.alphaomega.server;

import io.alphaomega.repository.Durability;
import io.alphaomega.repository.SagaRepository;
import io.alphaomega.repository.redis.RedisSagaRepository;
import io.alphaomega.server.cluster.SagaCluster;
import io.alphaomega.server.log.Announcement;
import io.alphaomega.server.process.Release;
import io.alphaomega.server.properties.AlphaProperties;
import io.alphaomega.server.stream.GrpcServer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.availability.AvailabilityChangeEvent;
import org.springframework.boot.availability.ReadinessState;
import org.springframework.context.event.EventListener;
import org.springframework.core.env.Environment;
import org.springframework.stereotype.Component;

/** What a node tells of itself once it serves: where, what it stores and how durably. */
@Component
final class StartReport {
    private static final Logger LOG = LoggerFactory.getLogger(AlphaServer.class);

    private final AlphaProperties properties;
    private final SagaRepository repository;
    private final SagaCluster cluster;
    private final GrpcServer grpc;
    private final Environment environment;

    StartReport(
            AlphaProperties properties,
            SagaRepository repository,
            SagaCluster cluster,
            GrpcServer grpc,
            Environment environment) {
        this.properties = properties;
        this.repository = repository;
        this.cluster = cluster;
        this.grpc = grpc;
        this.environment = environment;
    }

    /** Last, so that whoever reads it finds the node ready over HTTP too. */
    @EventListener
    void ready(AvailabilityChangeEvent<ReadinessState> event) {
        if (event.getState() != ReadinessState.ACCEPTING_TRAFFIC) return;
        String http = environment.getProperty("server.address") + ":" + environment.getProperty("local.server.port");
        String omegas = properties.grpc().host() + ":" + grpc.port();
        String store = store();
        Durability durability = repository.durability();
        LOG.info("version     {}", Release.version());
        LOG.info("node        {}", cluster.system().address().hostPort());
        LOG.info("grpc        {}", omegas);
        LOG.info("http        {} (console, /api/v1, /actuator)", http);
        LOG.info("repository  {}", store);
        LOG.info("durability  {} ({})", durability.level(), durability.settings());
        if (durability.level().compareTo(Durability.Level.POWER_LOSS) < 0) {
            LOG.warn(
                    "DURABILITY IS ONLY {}: what alpha acknowledges may be lost when {}."
                            + " Change the store's settings ({}) unless these sagas may be lost.",
                    durability.level(),
                    durability.level() == Durability.Level.VOLATILE
                            ? "the store is killed or its machine fails"
                            : "the power of the store's machine fails",
                    durability.settings());
        }
        // For scripts, so not a line of the log, whose format and level may be changed.
        Announcement.make(System.out, "alpha ready: grpc %s, http %s, repository %s".formatted(omegas, http, store));
    }

    /** Without its options. */
    private String database() {
        String url = properties.repository().jdbc().url();
        return url.substring("jdbc:".length()).replaceAll("[?].*", "");
    }

    private String store() {
        return switch (properties.repository().type()) {
            case EMBEDDED -> "embedded in " + properties.repository().embedded().path();
            case REDIS ->
                RedisSagaRepository.Settings.of(properties.repository().redis().uri())
                        .place();
            case ELASTICSEARCH ->
                "elasticsearch at "
                        + String.join(
                                ",", properties.repository().elasticsearch().uris());
            case MYSQL, POSTGRESQL -> database();
        };
    }
}
