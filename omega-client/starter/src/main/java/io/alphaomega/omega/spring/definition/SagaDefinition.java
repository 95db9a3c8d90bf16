package io.alphaomega.omega.spring.definition;

import io.alphaomega.omega.CallbackOrder;
import io.alphaomega.omega.SagaEnd;
import io.alphaomega.omega.SagaPropagation;
import io.alphaomega.omega.SagaStart;
import java.time.Duration;
import java.util.List;

/**
 * What a {@link SagaStart} or {@link SagaEnd} method says about its saga.
 *
 * @param operation the method, for people
 * @param begins whether the method begins the saga, or runs in it, as its propagation says; otherwise it ends one
 * @param propagation what becomes of a method that begins one, inside a saga and outside
 * @param ends whether the saga ends with the method
 * @param isVoid whether the method is done when it returns, and returns nothing
 * @param timeout of the saga; zero if the method does not begin it, or leaves it to the configuration
 * @param labels what its sagas are found by, if the method begins them
 */
public record SagaDefinition(
        String operation,
        boolean begins,
        SagaPropagation propagation,
        boolean ends,
        boolean isVoid,
        Duration timeout,
        SagaLabels labels,
        CallbackOrder order,
        boolean awaitDecision,
        List<Class<? extends Throwable>> abortFor,
        List<Class<? extends Throwable>> noAbortFor) {

    /** Whether the exception aborts the saga: the class that is nearer to it decides, every other exception aborts. */
    public boolean isAbortedBy(Throwable thrown) {
        return distance(noAbortFor, thrown) >= distance(abortFor, thrown);
    }

    /** Steps up from the exception's class to the nearest of {@code classes}; very many if there is none. */
    private static int distance(List<Class<? extends Throwable>> classes, Throwable thrown) {
        int steps = 0;
        for (Class<?> c = thrown.getClass(); c != null; c = c.getSuperclass()) {
            if (classes.contains(c)) return steps;
            steps++;
        }
        return Integer.MAX_VALUE;
    }
}
