package io.alphaomega.server.properties;

import static io.alphaomega.server.properties.Refusals.requirePort;
import static io.alphaomega.server.properties.Refusals.requireText;

import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Where omegas connect.
 *
 * @param host the address to listen on; 0.0.0.0 for all
 * @param port the port to listen on; 0 for any free one
 */
public record GrpcProperties(
        @DefaultValue("127.0.0.1") String host,
        @DefaultValue("8071") int port) {
    public GrpcProperties {
        requireText("alpha.grpc.host", host);
        requirePort("alpha.grpc.port", port);
    }
}
