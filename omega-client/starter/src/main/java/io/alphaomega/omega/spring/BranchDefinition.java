package io.alphaomega.omega.spring;

import io.alphaomega.omega.OutsideSaga;
import io.alphaomega.protocol.v1.CallbackOffer;
import java.lang.reflect.Method;
import java.lang.reflect.Type;
import java.time.Duration;
import java.util.List;

/**
 * What a {@link io.alphaomega.omega.Compensable} method says about its branches.
 *
 * @param operation the method, for people, and a part of every branch's id
 * @param argumentTypes declared types of the parameters
 * @param resultType declared type of the result
 * @param forwardTimeout of all tries together; zero for alpha's default
 * @param compensation the method that undoes this one
 * @param offer what alpha is told about it
 * @param compensateOnException whether it may have done something elsewhere, whatever became of its local transaction
 * @param storeResult whether the fence keeps what it returns
 * @param declared what the compensation is told in the place of the arguments, if it says so
 */
record BranchDefinition(
        Method method,
        String operation,
        List<Type> argumentTypes,
        Type resultType,
        int forwardRetries,
        Duration forwardRetryDelay,
        Duration forwardTimeout,
        CallbackMethod compensation,
        CallbackOffer offer,
        boolean fenced,
        boolean cleanOnException,
        boolean compensateOnException,
        boolean storeResult,
        OutsideSaga outside,
        CompensationArguments declared) {

    /** Declared types of what is kept for the compensation; empty if it takes no arguments. */
    List<Type> keptTypes() {
        if (compensation.argumentTypes().isEmpty()) return List.of();
        return declared.isNone() ? argumentTypes : compensation.argumentTypes();
    }

    /** Whether the fence keeps what it returns, for a repeated call and the compensation. */
    boolean storesResult() {
        return storeResult && resultType != void.class && resultType != Void.class;
    }
}
