package io.alphaomega.omega;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The method is a branch of the saga it is called in, and another method of the same bean undoes it. Outside a saga it
 * is an ordinary method, see {@link #outside}. For work that is reserved first and then confirmed or cancelled, use
 * {@link Participate}.
 *
 * <p>Alpha must let the branch begin: if the saga is already aborted, the method does not run and its caller gets a
 * {@link SagaAbortedException}; if alpha does not answer within {@code omega.begin-timeout}, an
 * {@link AlphaUnavailableException}. The branch ends once the local transaction has committed.
 *
 * <p>An exception makes the branch fail and aborts the saga.
 *
 * <p>A method that returns a {@code CompletableFuture}, a {@code Mono} or a {@code Flux} counts as returned when that
 * completes, and as having thrown when that fails or is cancelled. Each subscription to a publisher is a branch of its
 * own.
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
     * method's result, or none. It returns when its work is done and is not {@code @Async}; without a fence it may
     * return a {@code CompletableFuture}, a {@code Mono} or a {@code Flux} instead, and omega waits for it. Behind an
     * R2DBC fence, that is if the method returns a {@code Mono}, it returns a {@code Mono} too, which takes effect in
     * the fence's transaction. It must not fail for business reasons: alpha calls it until it succeeds or a person must
     * intervene.
     */
    String compensationMethod();

    /**
     * The name by which alpha knows the compensation, stable over renamed classes and methods. Empty for {@code
     * SimpleClassName.compensationMethod}.
     */
    String name() default "";

    /**
     * The names by which alpha knew the compensation before a rename, such as {@code "OldDesk.cancel"}: it is also
     * called for sagas that began then, so it must still be able to read their arguments. Remove a name when none of
     * these sagas is open any more.
     */
    String[] aliases() default {};

    /**
     * How often the method is retried when it throws, each time in a fresh local transaction, all within one branch.
     * Not possible inside a transaction of the caller. The effects of a failed attempt in other services stay; the next
     * one makes the same calls again, which fenced participants run once.
     */
    int forwardRetries() default 0;

    /** Pause before each further try. */
    String forwardRetryDelay() default "100ms";

    /**
     * How long the branch may take, all tries together; then alpha aborts the saga. A running try is not interrupted,
     * but no further one is begun. Alpha's default is 30 s.
     */
    String forwardTimeout() default "";

    /**
     * How often the compensation is retried after a failure, before alpha suspends the saga; -1 for alpha's default.
     */
    int reverseRetries() default -1;

    /** How long one attempt at the compensation may take. Alpha's default is 30 s. */
    String reverseTimeout() default "";

    /** Pause after the first failure of the compensation; it doubles with each further one. Alpha's default is 1 s. */
    String reverseRetryDelay() default "";

    /** The longest pause between attempts at the compensation. Alpha's default is 5 min. */
    String reverseMaxDelay() default "";

    /** How long alpha keeps trying the compensation in all, before it suspends the saga. Alpha's default is 24 h. */
    String reverseTimeLimit() default "";

    /**
     * Whether a fence row in the local transaction guards the method and its compensation, where the service has a
     * {@code DataSource}; for a {@code Mono}, where it has an {@code R2dbcTransactionManager}. Without it a repeated
     * call runs twice, a compensation may be called twice, and a branch whose end is never reported suspends the saga.
     * A {@code Flux} never has a fence, nor has a {@code Mono} without R2DBC; the log names such methods at startup
     * unless this is false. A {@code CompletableFuture} has one, and its method must be {@code @Async} then.
     */
    boolean fenced() default true;

    /**
     * The transaction manager in whose database the fence is that guards the method and its callbacks: its bean name or
     * qualifier, as in {@code @Transactional}, or a {@code ${placeholder}}. Each database has a fence of its own. Or
     * {@code redis}, or the bean name of a {@link io.alphaomega.omega.redis.FencedRedis}, for a method whose work is a
     * script that it executes there.
     *
     * <p>Empty for the only transaction manager, or the primary one; where there are several and none is primary, the
     * service does not start. The method and its callbacks run in transactions of that manager. For a method that
     * returns a {@code Mono} it is one of R2DBC.
     */
    String fence() default "";

    /**
     * Whether an exception of the method means that it has left nothing behind. Only for a method without a local
     * transaction: with one, the transaction's outcome decides. If false, the effect of the branch is unknown after an
     * exception; since it has no fence either, alpha suspends the saga so that a person can find out. The same happens
     * if the method returns and the branch fails all the same, as with a result that is too large.
     */
    boolean cleanOnException() default false;

    /**
     * Whether the compensation is called although the method threw and its local transaction was rolled back: for a
     * method that calls others which no rollback reaches, such as a payment, and whose exception does not say whether
     * they took effect. The compensation then gets null for the result, and must cope with calls that had no effect.
     * Before the method begins, a row that says so is committed in a transaction of its own, so this holds even if the
     * process dies within the method. Only with the fence, for a {@code Mono} that of R2DBC, and not inside a
     * transaction of the caller.
     */
    boolean compensateOnException() default false;

    /**
     * Whether the fence stores the method's result, so that a repeated call returns it again. If not, a repeated call
     * returns null, and the result is not encoded at all; so it may be large, or of a type that JSON cannot express.
     * Not possible if the compensation takes the result, or the result is a primitive.
     */
    boolean storeResult() default true;

    /** What happens to a call outside a saga, which would never be undone. */
    OutsideSaga outside() default OutsideSaga.AS_CONFIGURED;
}
