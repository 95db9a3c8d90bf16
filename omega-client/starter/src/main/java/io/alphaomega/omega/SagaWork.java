package io.alphaomega.omega;

import org.jspecify.annotations.Nullable;

/**
 * What runs in a saga.
 *
 * @param <T> its result
 * @param <X> what it throws, as it is
 */
@FunctionalInterface
public interface SagaWork<T extends @Nullable Object, X extends Throwable> {
    T run(OpenSaga saga) throws X;

    /**
     * Such work without a result.
     *
     * @param <X> what it throws, as it is
     */
    @FunctionalInterface
    interface WithoutResult<X extends Throwable> {
        void run(OpenSaga saga) throws X;
    }
}
