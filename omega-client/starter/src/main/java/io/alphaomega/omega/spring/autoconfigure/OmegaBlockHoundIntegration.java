package io.alphaomega.omega.spring.autoconfigure;

import io.alphaomega.omega.spring.reporting.SagaIds;
import reactor.blockhound.BlockHound;
import reactor.blockhound.integration.BlockHoundIntegration;

/**
 * Says to BlockHound, where a service uses it, what does not wait although it looks as if: the system's random numbers are
 * read from a file. Found by the service loader.
 */
public final class OmegaBlockHoundIntegration implements BlockHoundIntegration {
    @Override
    public void applyTo(BlockHound.Builder builder) {
        builder.allowBlockingCallsInside(SagaIds.class.getName(), "next");
        builder.allowBlockingCallsInside("io.alphaomega.omega.context.ReceivedCall", "anonymous");
        builder.allowBlockingCallsInside("io.alphaomega.omega.fence.ReactiveFence", "given");
    }
}
