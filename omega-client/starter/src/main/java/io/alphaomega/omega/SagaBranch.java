package io.alphaomega.omega;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.core.ParameterizedTypeReference;

/**
 * A branch that has not run yet. Its settings mean the same as the attributes of {@link Compensable} with the same
 * names. Immutable: each method returns another one.
 *
 * <p>Behind the fence its work runs once, in the current local transaction or a new one: a repeated call returns the
 * stored result. Outside of sagas it runs as an ordinary call, see {@code omega.compensable.outside}.
 */
public interface SagaBranch {

    /** Work of a branch that returns something. */
    @FunctionalInterface
    interface Call<T extends @Nullable Object, X extends Throwable> {
        T call() throws X;
    }

    /** Work of a branch that returns nothing. */
    @FunctionalInterface
    interface Run<X extends Throwable> {
        void run() throws X;
    }

    /** How long it may take, from 1 ms to 30 days; then alpha aborts the saga. Alpha's default is 30 s. */
    SagaBranch timeout(Duration timeout);

    /** No fence guards it: {@link Compensable#fenced} says what that means. */
    SagaBranch unfenced();

    /** See {@link Compensable#cleanOnException}. */
    SagaBranch cleanOnException();

    /** See {@link Compensable#compensateOnException}. */
    SagaBranch compensateOnException();

    /**
     * Runs it, and throws as a {@link Compensable} method does.
     *
     * @param result the type by which the fence stores the result for a repeated call
     */
    <T extends @Nullable Object, X extends Throwable> T call(Class<T> result, Call<? extends T, X> work) throws X;

    /** As {@link #call(Class, Call)}, for a generic type. */
    <T extends @Nullable Object, X extends Throwable> T call(
            ParameterizedTypeReference<T> result, Call<? extends T, X> work) throws X;

    /** Runs it, and throws as a {@link Compensable} method does. */
    <X extends Throwable> void run(Run<X> work) throws X;
}
