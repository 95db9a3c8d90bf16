package io.alphaomega.omega.spring.fencing;

import io.alphaomega.omega.SagaOverException;
import io.alphaomega.omega.fence.Forward;
import io.alphaomega.omega.spring.definition.BranchDefinition;
import io.alphaomega.omega.spring.payload.Payloads;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Something was to go on in a saga that is committed. What has come again may have been done before. */
public final class CommittedException extends SagaOverException {
    private static final Logger log = LoggerFactory.getLogger(CommittedException.class);

    public CommittedException(String saga, String message) {
        super(saga, message);
    }

    /**
     * What the branch returned when it was done; throws this if it was not.
     *
     * @param forward what the fence says of it
     */
    @Nullable
    Object unlessDone(Forward forward, BranchDefinition definition, Payloads payloads) {
        if (forward.verdict() != Forward.Verdict.DUPLICATE) throw this;
        log.info(
                "{} of saga {} has come again after the commit. It is done and does not run again; its caller gets what it"
                        + " returned then.",
                definition.operation(),
                saga());
        byte[] stored = forward.result().orElse(null);
        return stored == null ? null : payloads.result(definition.resultType(), stored);
    }
}
