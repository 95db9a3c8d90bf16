package io.alphaomega.server.health;

import io.alphaomega.server.stream.GrpcServer;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.stereotype.Component;

/** Whether omegas can connect, for readiness. */
@Component
final class GrpcHealthIndicator implements HealthIndicator {
    private final GrpcServer grpc;

    GrpcHealthIndicator(GrpcServer grpc) {
        this.grpc = grpc;
    }

    @Override
    public Health health() {
        return (grpc.isRunning() ? Health.up() : Health.down())
                .withDetail("port", grpc.port())
                .build();
    }
}
