package io.alphaomega.omega.stream;

import io.grpc.ManagedChannel;
import java.net.InetSocketAddress;

/** Opens connections to alphas. A bean of this type takes the place of the network, as a test may want. */
@FunctionalInterface
public interface AlphaChannels {

    /**
     * A channel for one attempt to connect: gRPC would wait ever longer before it tries again on the same one. Must not
     * block.
     *
     * @param authority the address as configured
     * @param omegaVersion of who connects; may be blank
     */
    ManagedChannel open(InetSocketAddress socket, String authority, String omegaVersion);
}
