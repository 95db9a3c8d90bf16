package io.alphaomega.server.properties;

import static io.alphaomega.server.properties.Refusals.requirePort;
import static io.alphaomega.server.properties.Refusals.requireText;
import static io.alphaomega.server.properties.Refusals.text;

import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.web.server.Ssl.ClientAuth;

/**
 * Where omegas connect.
 *
 * @param host the address to listen on; 0.0.0.0 for all
 * @param port the port to listen on; 0 for any free one
 * @param ssl whether they connect with TLS
 */
public record GrpcProperties(
        @DefaultValue("127.0.0.1") String host,
        @DefaultValue("8071") int port,
        @DefaultValue Ssl ssl) {
    /**
     * Whether omegas connect with TLS.
     *
     * @param bundle the name of a bundle under spring.ssl.bundle, whose certificate alpha shows; empty for no TLS
     * @param clientAuth whether omegas must show a certificate, too: none, want (it is checked if there is one), need
     */
    public record Ssl(
            @DefaultValue("") String bundle,
            @DefaultValue("none") ClientAuth clientAuth) {
        public Ssl {
            if (bundle.isBlank() && clientAuth != ClientAuth.NONE) {
                throw new RefusedPropertyException(
                        "alpha.grpc.ssl.client-auth must be none without alpha.grpc.ssl.bundle, but was '%s'."
                                .formatted(text(clientAuth)));
            }
        }

        public boolean isOn() {
            return !bundle.isBlank();
        }
    }

    public GrpcProperties {
        requireText("alpha.grpc.host", host);
        requirePort("alpha.grpc.port", port);
    }
}
