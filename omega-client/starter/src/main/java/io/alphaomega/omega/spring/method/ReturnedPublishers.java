package io.alphaomega.omega.spring.method;

import io.alphaomega.omega.SagaException;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;

/** What reactive methods return, as publishers. Loaded only where there is Reactor. */
public final class ReturnedPublishers {
    private ReturnedPublishers() {}

    /**
     * What the method returned, as a publisher.
     *
     * @throws SagaException if it returned null
     */
    public static Publisher<?> require(@Nullable Object returned) {
        if (returned instanceof Publisher<?> publisher) return publisher;
        if (returned != null && KotlinFunctions.isFlow(returned)) return Coroutines.publisher(returned);
        throw new SagaException("The method returned null instead of a Mono or a Flux.");
    }
}
