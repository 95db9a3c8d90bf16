package io.alphaomega.omega;

import org.jspecify.annotations.Nullable;

/**
 * Work that runs in a saga.
 *
 * @param <T> its result
 * @param <X> its exception, which is passed on unchanged
 */
@FunctionalInterface
public interface SagaWork<T extends @Nullable Object, X extends Throwable> {
    T run(OpenSaga saga) throws X;

    /**
     * Such work without a result.
     *
     * @param <X> its exception, which is passed on unchanged
     */
    @FunctionalInterface
    interface WithoutResult<X extends Throwable> {
        void run(OpenSaga saga) throws X;
    }
}
