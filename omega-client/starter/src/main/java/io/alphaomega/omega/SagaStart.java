package io.alphaomega.omega;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The method begins a saga: what it calls and is {@link Compensable}, here or in other services, stays done or is
 * undone as one.
 *
 * <p>The method returns normally only if the saga is committed, or if it is a part of another one, which it has joined or
 * is nested in. Otherwise it throws: its
 * own exception (the saga is aborted), {@link SagaAbortedException} (somebody else aborted it), {@link
 * SagaOutcomeUnknownException} (alpha did not say in time), {@link SagaPendingException} (not decided yet, see {@link
 * #awaitDecision}) or {@link AlphaUnavailableException} (alpha was not there when a branch, or an eager saga, was to
 * begin).
 *
 * <p>What returns a {@code CompletableFuture}, a {@code Mono} or a {@code Flux} has returned when that is done: its value,
 * or the completion of a {@code Flux}, comes only if the saga is committed. One that is cancelled aborts the saga. Each
 * subscription to a publisher is a saga of its own.
 *
 * <p>Called inside a saga the method is refused with a {@link SagaException} and does not run, unless {@link
 * #propagation} says otherwise. Called inside a local transaction that a branch joins, it would wait for itself: the saga
 * is aborted at its end, with a {@link SagaException} that says so.
 *
 * <p>It may stand on the method of an interface or a superclass, and on an annotation of your own, whose attributes are
 * aliases of these ({@code @AliasFor}). On a class or an interface it holds for all public methods that the class declares, as
 * {@code @Transactional} does, but for those that say themselves what they are in sagas, and those that are called back. One
 * of them that calls another on {@code this} stays in its own saga.
 *
 * <p>Durations are written as {@code 30s}, {@code 500ms}, {@code 2m}, {@code PT30S} or as a {@code ${placeholder}}.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.TYPE})
public @interface SagaStart {

    /**
     * What becomes of a call inside a saga, and outside. A method that never begins a saga may say nothing of how one
     * begins or ends, only {@link #abortFor} and {@link #noAbortFor} if it may join one.
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
     * Whether to wait for branches that still run, such as asynchronous ones, until alpha has decided. If not, and if
     * some do run, the method throws {@link SagaPendingException}.
     */
    boolean awaitDecision() default true;

    /** Exceptions that abort the saga, with their subclasses. Of this and {@link #noAbortFor} the nearer class counts. */
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
     * Whether only one saga of this method may have a {@link #businessKey}, in all instances of the service, as long as alpha
     * remembers it (a month after its end, {@code alpha.retention}). A further start with the same key does not run. It is
     * told how the first one's saga is decided: a {@code void} method returns if that is committed, any other throws {@link
     * SagaRepeatedException}; if it is aborted, {@link SagaAbortedException}; if it is open, {@link SagaRepeatedException}. So
     * a message that is delivered again, or a request that is repeated, is no second saga. A key that is null, empty, longer
     * than 256 characters or cannot be computed is a {@link SagaException} here, and the method does not run.
     *
     * <p>Alpha hears of the begin before the method runs, as with {@code omega.saga.begin=EAGER}. An aborted saga has used up
     * its key: another try needs another one. A method that is renamed, or whose class is, has other sagas.
     */
    boolean unique() default false;

    /**
     * What sagas are found by besides the method and the services, at most 16 of {@code name=value}: {@code
     * "tenant=acme"}, or with SpEL between <code>#{</code> and <code>}</code> and the parameters by their names, {@code
     * "order=#{#order.id}"}. A value is text, up to 256 characters; one that is null or cannot be computed is left out.
     */
    String[] attributes() default {};

    /** In which order branches are compensated or confirmed. */
    CallbackOrder order() default CallbackOrder.SEQUENTIAL;
}
