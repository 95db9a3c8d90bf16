package io.alphaomega.omega.test;

import io.alphaomega.omega.AlphaConnectionDetails;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.testcontainers.service.connection.ContainerConnectionDetailsFactory;
import org.springframework.boot.testcontainers.service.connection.ContainerConnectionSource;
import org.testcontainers.containers.Container;

/**
 * Where the alpha of a test is that runs in a container with {@code @ServiceConnection("alpha")}, or of an image that is
 * named {@code alpha}. Loaded only where there is Testcontainers.
 */
class AlphaContainerConnectionDetailsFactory
        extends ContainerConnectionDetailsFactory<Container<?>, AlphaConnectionDetails> {
    /** The port for gRPC in the container: the image's default. */
    private static final int PORT = 8071;

    AlphaContainerConnectionDetailsFactory() {
        super("alpha");
    }

    @Override
    protected AlphaConnectionDetails getContainerConnectionDetails(ContainerConnectionSource<Container<?>> source) {
        return new ContainerDetails(source);
    }

    private static final class ContainerDetails extends ContainerConnectionDetails<Container<?>>
            implements AlphaConnectionDetails {
        ContainerDetails(ContainerConnectionSource<Container<?>> source) {
            super(source);
        }

        /** Asked for when the container runs: its port is another one each time. */
        @Override
        public List<String> addresses() {
            Container<?> alpha = getContainer();
            return List.of(alpha.getHost() + ":" + alpha.getMappedPort(PORT));
        }

        /** By the annotations on the container's field, such as {@code @PemTrustStore}. */
        @Override
        public @Nullable SslBundle getSslBundle() {
            return super.getSslBundle();
        }
    }
}
