package io.alphaomega.omega;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The method begins a saga: all {@link Compensable} methods that it calls, here or in other services, stay done or are
 * undone as one.
 *
 * <p>The method returns normally only if the saga is committed, or if it is a part of another one, which it has joined
 * or is nested in. Otherwise it throws: its own exception (the saga is aborted), {@link SagaAbortedException} (the saga
 * was aborted elsewhere), {@link SagaOutcomeUnknownException} (alpha did not report the decision in time),
 * {@link SagaPendingException} (not decided yet, see {@link #awaitDecision}) or {@link AlphaUnavailableException}
 * (alpha was not available when a branch, or an eager saga, was to begin).
 *
 * <p>A method that returns a {@code CompletableFuture}, a {@code Mono} or a {@code Flux} counts as returned when that
 * completes: its value, or the completion of a {@code Flux}, arrives only if the saga is committed. A cancellation
 * aborts the saga. Each subscription to a publisher is a saga of its own.
 *
 * <p>A call inside a saga is refused with a {@link SagaException} and does not run, unless {@link #propagation} says
 * otherwise. A call inside a local transaction that a branch joins would wait for itself: the saga is aborted at its
 * end, with a {@link SagaException} that says so.
 *
 * <p>It may stand on the method of an interface or a superclass, and on an annotation of your own, whose attributes are
 * aliases of these ({@code @AliasFor}). On a class or an interface it holds for all public methods that the class
 * declares, as {@code @Transactional} does, except for methods with a saga annotation of their own, and those that are
 * called back. If one of them calls another on {@code this}, the call stays in the caller's saga.
 *
 * <p>Durations are written as {@code 30s}, {@code 500ms}, {@code 2m}, {@code PT30S} or as a {@code ${placeholder}}.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.TYPE})
public @interface SagaStart {

    /**
     * How a call behaves inside a saga, and outside. A method that never begins a saga may not have attributes for its
     * begin or end, only {@link #abortFor} and {@link #noAbortFor} if it may join one.
     */
    SagaPropagation propagation() default SagaPropagation.OUTERMOST;

    /** How long the saga may take, to its decision; then alpha aborts it. Empty for {@code omega.saga.timeout}. */
    String timeout() default "";

    /**
     * Whether the saga ends with the method. If not, the method returns with the saga open, and a {@link SagaEnd}
     * method, called in the same saga from another thread or service, ends it; or its timeout aborts it. An exception
     * aborts it either way.
     */
    boolean autoClose() default true;

    /**
     * Whether to wait for branches that still run, such as asynchronous ones, until alpha has decided. If false, and
     * some still run, the method throws {@link SagaPendingException}.
     */
    boolean awaitDecision() default true;

    /**
     * Exceptions that abort the saga, with their subclasses. If {@link #noAbortFor} matches as well, the nearer class
     * counts.
     */
    Class<? extends Throwable>[] abortFor() default {};

    /**
     * Exceptions that do not abort the saga, with their subclasses: it is committed, then they are thrown. Every other
     * exception aborts it.
     */
    Class<? extends Throwable>[] noAbortFor() default {};

    /**
     * The business identifier of the saga, such as an order number, by which operators can find it: SpEL as in
     * {@code @Cacheable}, with the parameters by their names, {@code "#order.id"}. Text, up to 256 characters; one that is null, longer or cannot be
     * computed is left out.
     */
    String businessKey() default "";

    /**
     * Whether only one saga of this method may have a {@link #businessKey}, in all instances of the service, as long as
     * alpha remembers it (a month after its end, {@code alpha.retention}). A further start with the same key does not
     * run; its caller learns the outcome of the first one's saga. If that is committed, a {@code void} method returns,
     * and any other throws {@link SagaRepeatedException}. If it is aborted, the call throws
     * {@link SagaAbortedException}; if it is open, {@link SagaRepeatedException}. So a redelivered message, or a
     * repeated request, is no second saga. A key that is null, empty, longer than 256 characters or cannot be computed
     * is a {@link SagaException} here, and the method does not run.
     *
     * <p>The begin is reported to alpha before the method runs, as with {@code omega.saga.begin=EAGER}. An aborted saga
     * has used up its key: another try needs another one. After a rename of the method or its class, the key may be
     * used again.
     */
    boolean unique() default false;

    /**
     * Values by which sagas can be found besides the method and the services, at most 16 of {@code name=value}:
     * {@code "tenant=acme"}, or with SpEL between <code>#{</code> and <code>}</code> and the parameters by their names,
     * {@code "order=#{#order.id}"}. A value is text, up to 256 characters; one that is null or cannot be computed is
     * left out.
     */
    String[] attributes() default {};

    /** The order in which branches are compensated or confirmed. */
    CallbackOrder order() default CallbackOrder.SEQUENTIAL;
}
