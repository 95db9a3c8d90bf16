package io.alphaomega.server.stream;

import akka.actor.typed.Behavior;
import io.alphaomega.repository.SagaRepository;
import io.alphaomega.server.cluster.SagaCluster;
import io.alphaomega.server.properties.AlphaProperties;
import io.alphaomega.server.properties.RefusedPropertyException;
import io.alphaomega.server.saga.Sagas;
import io.alphaomega.server.saga.StoreThreads;
import io.alphaomega.server.saga.ToParticipants;
import io.alphaomega.server.turn.EventLoops;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Clock;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/** Puts the conversation with omegas together. */
@Configuration(proxyBeanMethods = false)
class StreamConfiguration {
    private static final Logger LOG = LoggerFactory.getLogger(GrpcServer.class);

    private static final Pattern NO_LETTERS = Pattern.compile("[^a-z]+");

    /** A profile is of a production if one of these is a word of its name, as in PROD or prod-eu. */
    private static final Set<String> IN_EARNEST = Set.of("prd", "prod", "production", "live");

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

    /** Refused where it might be in earnest: with no profile, or one that says so. */
    @Bean
    Rehearsal rehearsal(AlphaProperties properties, Environment environment, MeterRegistry registry) {
        double share = properties.rehearsal().share();
        List<String> profiles = List.of(environment.getActiveProfiles());
        if (share > 0 && (profiles.isEmpty() || profiles.stream().anyMatch(StreamConfiguration::isInEarnest))) {
            throw new RefusedPropertyException(
                    "alpha.rehearsal.share must be 0 unless a Spring profile is active (spring.profiles.active=staging) and none has the word %s, but was '%s' with the profiles %s."
                            .formatted(String.join(" or ", new TreeSet<>(IN_EARNEST)), share, profiles));
        }
        if (share > 0) {
            LOG.warn(
                    "REHEARSAL: {} % of the sagas are aborted on purpose when they commit (alpha.rehearsal.share).",
                    share * 100);
        }
        return new Rehearsal(share, registry);
    }

    private static boolean isInEarnest(String profile) {
        return NO_LETTERS.splitAsStream(profile.toLowerCase(Locale.ROOT)).anyMatch(IN_EARNEST::contains);
    }

    @Bean
    Behavior<ToParticipants> participants(
            Sagas sagas, SagaRepository repository, Clock clock, Budget streamBudget, StreamMetrics metrics) {
        return Participants.create(
                new Participants.Shared(sagas, repository, clock, streamBudget, metrics, new StoreThreads()));
    }

    @Bean
    GrpcServer grpcServer(
            AlphaProperties properties,
            SagaCluster cluster,
            Sagas sagas,
            Clock clock,
            Budget streamBudget,
            StreamMetrics metrics,
            Instances instances,
            Rehearsal rehearsal,
            EventLoops loops) {
        return new GrpcServer(
                properties.grpc(),
                properties.saga().policy(),
                cluster,
                sagas,
                clock,
                streamBudget,
                metrics,
                instances,
                rehearsal,
                loops);
    }
}
