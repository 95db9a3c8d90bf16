package io.alphaomega.omega.spring.reporting;

import io.alphaomega.omega.SagaException;
import org.springframework.util.ClassUtils;
import reactor.core.scheduler.Schedulers;

/** The threads on which nothing may wait: those of Netty's event loops and of Reactor's schedulers. */
public final class EventLoops {
    private static final boolean REACTOR =
            ClassUtils.isPresent("reactor.core.scheduler.Schedulers", EventLoops.class.getClassLoader());

    private EventLoops() {}

    public static boolean isHere() {
        return NettyThreads.isHere() || (REACTOR && Reactors.isHere());
    }

    /**
     * Keeps what waits for alpha off event loops.
     *
     * @throws SagaException if what waits for alpha was called on one
     */
    public static void refuseWaiting(String operation) {
        if (!isHere()) return;
        throw new SagaException(
                "%s waits for alpha, but was called on %s, a thread on which nothing may wait; it did not run. Call it on a scheduler that may wait: Mono.fromCallable(…).subscribeOn(Schedulers.boundedElastic()). A method with an annotation of omega's may return a Mono or a CompletableFuture instead."
                        .formatted(operation, Thread.currentThread().getName()));
    }

    /** Loaded only where there is Reactor. */
    private static final class Reactors {
        static boolean isHere() {
            return Schedulers.isInNonBlockingThread();
        }
    }
}
