package io.alphaomega.server.health;

import io.alphaomega.repository.Durability;
import io.alphaomega.repository.SagaRepository;
import io.alphaomega.saga.Limits;
import io.alphaomega.server.process.Release;
import io.alphaomega.server.properties.AlphaProperties;
import java.util.Locale;
import java.util.Map;
import org.springframework.boot.actuate.info.Info;
import org.springframework.boot.actuate.info.InfoContributor;
import org.springframework.stereotype.Component;

/** What this node is, under {@code /actuator/info}. */
@Component
final class AlphaInfo implements InfoContributor {
    private final Map<String, Object> alpha;

    AlphaInfo(AlphaProperties properties, SagaRepository repository) {
        Durability durability = repository.durability();
        this.alpha = Map.of(
                "version", Release.version(),
                "repository", properties.repository().type().name().toLowerCase(Locale.ROOT),
                "durability", Map.of("level", durability.level(), "settings", durability.settings()),
                "limits",
                        Map.of(
                                "branches", Limits.BRANCHES,
                                "payloadBytes", Limits.PAYLOAD_BYTES,
                                "sagaBytes", Limits.SAGA_BYTES,
                                "timeout", Limits.TIMEOUT));
    }

    @Override
    public void contribute(Info.Builder builder) {
        builder.withDetail("alpha", alpha).withDetail("process", JvmProcess.now());
    }
}
