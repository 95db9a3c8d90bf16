package io.alphaomega.omega.spring.reporting;

import io.alphaomega.omega.context.SagaContext;
import io.alphaomega.omega.context.SagaHeaders;
import io.alphaomega.protocol.v1.BeginBranch;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Warns of an operation that a retry above the caller's client has made two branches of: the first call has begun a branch
 * here, its caller has heard of no success, and the next call begins another one with the same arguments.
 */
final class RepeatedBranches {
    private static final Logger log = LoggerFactory.getLogger(RepeatedBranches.class);

    /** A retry comes within seconds, and the warning with one of many. */
    private static final int REMEMBERED = 4_096;

    /** Its arguments by their hash only. */
    private record Begun(String branch, int arguments) {}

    private final AtomicReferenceArray<@Nullable Begun> last = new AtomicReferenceArray<>(REMEMBERED);
    private final AtomicLong count = new AtomicLong();
    private final Set<String> warned = ConcurrentHashMap.newKeySet();

    /** Alpha has let that branch begin. */
    void begun(SagaContext caller, BeginBranch begin) {
        Begun now = new Begun(begin.getBranch(), begin.getArguments().hashCode());
        String failed = caller.nameInFailedCall(begin.getOperation());
        if (failed != null && has(new Begun(failed, now.arguments()))) warn(begin.getOperation());
        last.set((int) (count.getAndIncrement() % REMEMBERED), now);
    }

    private boolean has(Begun one) {
        for (int i = 0; i < REMEMBERED; i++) {
            if (one.equals(last.get(i))) return true;
        }
        return false;
    }

    private void warn(String operation) {
        if (!warned.add(operation)) return;
        log.warn(
                "{} has begun twice in one saga with the same arguments, as two branches that both take effect: its caller"
                        + " got no answer to its first call, or an error, and called again. A retry above the client is"
                        + " another call. If one is meant, send the same key with each attempt, in the header {}: {}/… with"
                        + " what tells this call from others, such as an order's number. Or retry beneath the client."
                        + " Further such calls of this method are not named.",
                operation,
                SagaHeaders.KEY,
                operation);
    }
}
