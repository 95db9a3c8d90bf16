package io.alphaomega.omega;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The method is a branch of the saga it is called in, and another method of the same bean undoes it. Outside a saga it
 * is an ordinary method, see {@link #outside}. Of what is reserved first and then confirmed or cancelled,
 * {@link Participate} says it.
 *
 * <p>Alpha is asked first: if the saga is aborted already, the method does not run and its caller gets a
 * {@link SagaAbortedException}; if alpha does not answer within {@code omega.begin-timeout}, an
 * {@link AlphaUnavailableException}. The branch ends once the local transaction has committed.
 *
 * <p>An exception makes the branch fail and aborts the saga.
 *
 * <p>What returns a {@code CompletableFuture}, a {@code Mono} or a {@code Flux} has returned when that is done, has thrown
 * when it has failed, and has failed when it was cancelled. Each subscription to a publisher is a branch of its own.
 *
 * <p>It may stand on the method of an interface or a superclass, and on an annotation of your own, whose attributes are
 * aliases of these ({@code @AliasFor}).
 *
 * <p>Durations are written as {@code 30s}, {@code 500ms}, {@code 2m}, {@code PT30S} or as a {@code ${placeholder}}; left
 * empty they are alpha's defaults.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
public @interface Compensable {

    /**
     * The method of the same bean that undoes this one. It has the same parameters, or the same followed by this
     * method's result, or none. It returns when its work is done and is not {@code @Async}; without a fence it may return
     * a {@code CompletableFuture}, a {@code Mono} or a {@code Flux} instead, which is waited for. Behind a fence of R2DBC,
     * as for a method that returns a {@code Mono}, it returns a {@code Mono}, which takes effect in the fence's transaction.
     * It must not fail for business reasons: alpha calls it until it succeeds or a person must look.
     */
    String compensationMethod();

    /**
     * The name by which alpha knows the compensation, stable over renamed classes and methods. Empty for {@code
     * SimpleClassName.compensationMethod}.
     */
    String name() default "";

    /**
     * The names by which alpha knew the compensation before a rename, such as {@code "OldDesk.cancel"}: it is called for
     * sagas as well that began then. It must still be able to read their arguments. Each is removed when none of these
     * sagas is open any more.
     */
    String[] aliases() default {};

    /**
     * How often the method is tried again when it throws, each time in a fresh local transaction, all within one
     * branch. Not possible inside a transaction of the caller's. What a failed attempt did in other services stays
     * done; the next one makes the same calls again, which fenced participants run once.
     */
    int forwardRetries() default 0;

    /** Pause before each further try. */
    String forwardRetryDelay() default "100ms";

    /**
     * How long the branch may take, all tries together; then alpha aborts the saga. A try under way is not interrupted,
     * no further one is begun. Alpha's default is 30 s.
     */
    String forwardTimeout() default "";

    /** How often the compensation is asked again after a failure, before alpha suspends the saga; -1 for alpha's default. */
    int reverseRetries() default -1;

    /** How long one attempt at the compensation may take. Alpha's default is 30 s. */
    String reverseTimeout() default "";

    /** Pause after the first failure of the compensation; it doubles with each further one. Alpha's default is 1 s. */
    String reverseRetryDelay() default "";

    /** The longest pause between attempts at the compensation. Alpha's default is 5 min. */
    String reverseMaxDelay() default "";

    /** How long alpha asks for the compensation altogether, before it suspends the saga. Alpha's default is 24 h. */
    String reverseTimeLimit() default "";

    /**
     * Whether a fence row in the local transaction guards the method and its compensation, where the service has a
     * {@code DataSource}; for a {@code Mono}, where it has an {@code R2dbcTransactionManager}. Without it a repeated call runs
     * twice, a compensation may come twice, and a branch whose end alpha never hears of suspends the saga. A {@code Flux}
     * never has one, nor has a {@code Mono} without R2DBC; the log names such methods at startup unless this is false. A
     * {@code CompletableFuture} has one, and its method must be {@code @Async} then.
     */
    boolean fenced() default true;

    /**
     * The transaction manager in whose database the fence is that guards the method and its callbacks: its bean name or
     * qualifier, as {@code @Transactional} says it, or a {@code ${placeholder}}. Each database has a fence of its own.
     * Or {@code redis}, or the bean name of a {@link io.alphaomega.omega.redis.FencedRedis}, for a method whose work is a
     * script that it executes there.
     *
     * <p>Empty for the only transaction manager, or the primary one; where there are several and none is primary, the service
     * does not start. The method and its callbacks run in transactions of that manager. Of a method that returns a
     * {@code Mono} it is one of R2DBC.
     */
    String fence() default "";

    /**
     * Whether an exception of the method means that it has left nothing behind. Only for a method without a local
     * transaction: with one, the transaction's outcome says so. If nobody says so, the branch counts as perhaps done;
     * since it has no fence either, alpha suspends the saga for a person to look. So it does if the method returns and
     * the branch fails all the same, as with a result that is too large.
     */
    boolean cleanOnException() default false;

    /**
     * Whether the compensation is called although the method threw and its local transaction was rolled back: for a
     * method that calls others which no rollback reaches, such as a payment, and whose exception does not say what they
     * have done. The compensation then gets null for the result, and must cope with what was never done. That the method
     * is about to begin is committed in a transaction of its own before it does, so it holds for a process that dies
     * within it as well. Only with the fence, a {@code Mono} with that of R2DBC, and not inside a transaction of the
     * caller's.
     */
    boolean compensateOnException() default false;

    /**
     * Whether the fence keeps what the method returns, so that a repeated call returns it again. If not, a repeated call
     * returns null, and the result is not encoded at all; so it may be large, or nothing that JSON can say. Not possible
     * where the compensation takes the result, or the result is a primitive.
     */
    boolean storeResult() default true;

    /** What becomes of a call outside a saga, whose effect nobody undoes. */
    OutsideSaga outside() default OutsideSaga.AS_CONFIGURED;
}
