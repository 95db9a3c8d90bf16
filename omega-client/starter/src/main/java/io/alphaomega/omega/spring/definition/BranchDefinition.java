package io.alphaomega.omega.spring.definition;

import io.alphaomega.omega.Compensable;
import io.alphaomega.omega.OutsideSaga;
import io.alphaomega.omega.spring.method.Names;
import io.alphaomega.protocol.v1.CallbackOffer;
import java.lang.reflect.Method;
import java.lang.reflect.Type;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/**
 * What a {@link Compensable} method says about its branches, and what others say that follow them.
 *
 * @param operation the method, for people, and a part of every branch's id
 * @param argumentTypes declared types of the parameters
 * @param resultType declared type of the result
 * @param forwardTimeout of all tries together; zero for alpha's default
 * @param compensation the method that undoes this one
 * @param confirmation the method that is called when the saga has been committed; null if there is none
 * @param sequels the methods that follow these two
 * @param offer what alpha is told about the compensation
 * @param compensateOnException whether it may have done something elsewhere, whatever became of its local transaction
 * @param storeResult whether the fence keeps what it returns
 * @param declared what the compensation says it is told in the place of the arguments, and with it all other callbacks
 */
public record BranchDefinition(
        Method method,
        String operation,
        List<Type> argumentTypes,
        Type resultType,
        int forwardRetries,
        Duration forwardRetryDelay,
        Duration forwardTimeout,
        CallbackMethod compensation,
        @Nullable CallbackMethod confirmation,
        List<CallbackMethod> sequels,
        CallbackOffer offer,
        boolean fenced,
        String fence,
        boolean cleanOnException,
        boolean compensateOnException,
        boolean storeResult,
        OutsideSaga outside,
        CompensationArguments declared) {

    /** Declared types of what is kept for the callbacks; empty if none takes arguments. */
    public List<Type> keptTypes() {
        if (!takesArguments()) return List.of();
        return declared.isNone() ? argumentTypes : compensation.argumentTypes();
    }

    /** What of a call its compensation is told. */
    public @Nullable Object[] kept(MethodInvocation invocation) {
        return declared.of(Objects.requireNonNull(invocation.getThis()), method, invocation.getArguments());
    }

    /** The method's annotation as it is written, for people. */
    public String annotation() {
        return Names.annotation(method, Compensable.class);
    }

    /** What alpha is told about the confirmation; null if there is none. */
    public @Nullable CallbackOffer confirmationOffer() {
        return confirmation == null
                ? null
                : offer.toBuilder().setName(confirmation.name()).build();
    }

    /** All that may be called back for it. */
    public List<CallbackMethod> callbacks() {
        List<CallbackMethod> callbacks = new ArrayList<>(List.of(compensation));
        if (confirmation != null) callbacks.add(confirmation);
        callbacks.addAll(sequels);
        return callbacks;
    }

    /** Whether any of them takes the arguments. */
    boolean takesArguments() {
        return callbacks().stream()
                .anyMatch(callback -> !callback.argumentTypes().isEmpty());
    }

    /** Whether any of them takes the result. */
    public boolean takesResult() {
        return callbacks().stream().anyMatch(CallbackMethod::takesResult);
    }

    BranchDefinition confirmedBy(CallbackMethod callback) {
        return with(callback, sequels);
    }

    BranchDefinition followedBy(CallbackMethod sequel) {
        List<CallbackMethod> more = new ArrayList<>(sequels);
        more.add(sequel);
        return with(confirmation, List.copyOf(more));
    }

    private BranchDefinition with(@Nullable CallbackMethod itsConfirmation, List<CallbackMethod> itsSequels) {
        return with(compensation, itsConfirmation, itsSequels, offer);
    }

    /** The same, with the callbacks of one of several beans. */
    BranchDefinition ofBean(UnaryOperator<CallbackMethod> its) {
        CallbackMethod undoing = its.apply(compensation);
        return with(
                undoing,
                confirmation == null ? null : its.apply(confirmation),
                sequels,
                offer.toBuilder().setName(undoing.name()).build());
    }

    private BranchDefinition with(
            CallbackMethod itsCompensation,
            @Nullable CallbackMethod itsConfirmation,
            List<CallbackMethod> itsSequels,
            CallbackOffer itsOffer) {
        return new BranchDefinition(
                method,
                operation,
                argumentTypes,
                resultType,
                forwardRetries,
                forwardRetryDelay,
                forwardTimeout,
                itsCompensation,
                itsConfirmation,
                itsSequels,
                itsOffer,
                fenced,
                fence,
                cleanOnException,
                compensateOnException,
                storeResult,
                outside,
                declared);
    }

    /** Whether the fence keeps what it returns, for a repeated call and the callbacks. */
    public boolean storesResult() {
        return storeResult && resultType != void.class && resultType != Void.class;
    }
}
