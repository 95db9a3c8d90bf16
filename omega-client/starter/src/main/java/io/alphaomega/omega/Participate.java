package io.alphaomega.omega;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.core.annotation.AliasFor;

/**
 * The method tries: it reserves what the saga it is called in will need, and is a branch of that saga. When the saga
 * has been committed, alpha calls {@link #confirmMethod}, when it has been aborted, {@link #cancelMethod}: in any
 * instance of the service, until that succeeds or a person must intervene.
 *
 * <p>Both are methods of the same bean, with the same parameters as this one, or the same followed by its result, or
 * none. Behind the fence each takes effect once. A cancellation that overtakes its try has nothing to cancel, and the
 * late try is refused.
 *
 * <p>Otherwise it works like {@link Compensable}, with the cancellation as its compensation: a try that throws fails
 * the saga, and a try that was rolled back is not cancelled. The {@code reverse} attributes apply to both methods.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Compensable(compensationMethod = "")
public @interface Participate {

    /**
     * The method that makes the reservation final. By then the saga's caller knows that it is committed, so it must not
     * fail for business reasons.
     */
    String confirmMethod();

    /** The method that releases the reservation. It must not fail for business reasons. */
    @AliasFor(annotation = Compensable.class, attribute = "compensationMethod")
    String cancelMethod();

    /**
     * The name by which alpha knows the confirmation, stable over renamed classes and methods. Empty for {@code
     * SimpleClassName.confirmMethod}.
     */
    String confirmName() default "";

    /** The names by which alpha knew the confirmation before a rename, as {@link Compensable#aliases}. */
    String[] confirmAliases() default {};

    /** The same for the cancellation. Empty for {@code SimpleClassName.cancelMethod}. */
    @AliasFor(annotation = Compensable.class, attribute = "name")
    String cancelName() default "";

    /** The same for the cancellation, as {@link Compensable#aliases}. */
    @AliasFor(annotation = Compensable.class, attribute = "aliases")
    String[] cancelAliases() default {};

    /** As {@link Compensable#forwardRetries}. */
    @AliasFor(annotation = Compensable.class)
    int forwardRetries() default 0;

    /** As {@link Compensable#forwardRetryDelay}. */
    @AliasFor(annotation = Compensable.class)
    String forwardRetryDelay() default "100ms";

    /** As {@link Compensable#forwardTimeout}. */
    @AliasFor(annotation = Compensable.class)
    String forwardTimeout() default "";

    /** As {@link Compensable#reverseRetries}, for the confirmation as well. */
    @AliasFor(annotation = Compensable.class)
    int reverseRetries() default -1;

    /** As {@link Compensable#reverseTimeout}, for the confirmation as well. */
    @AliasFor(annotation = Compensable.class)
    String reverseTimeout() default "";

    /** As {@link Compensable#reverseRetryDelay}, for the confirmation as well. */
    @AliasFor(annotation = Compensable.class)
    String reverseRetryDelay() default "";

    /** As {@link Compensable#reverseMaxDelay}, for the confirmation as well. */
    @AliasFor(annotation = Compensable.class)
    String reverseMaxDelay() default "";

    /** As {@link Compensable#reverseTimeLimit}, for the confirmation as well. */
    @AliasFor(annotation = Compensable.class)
    String reverseTimeLimit() default "";

    /** As {@link Compensable#fenced}. */
    @AliasFor(annotation = Compensable.class)
    boolean fenced() default true;

    /** As {@link Compensable#fence}, for the confirmation and the cancellation as well. */
    @AliasFor(annotation = Compensable.class)
    String fence() default "";

    /** As {@link Compensable#cleanOnException}. */
    @AliasFor(annotation = Compensable.class)
    boolean cleanOnException() default false;

    /** As {@link Compensable#compensateOnException}: the try is cancelled although it threw. */
    @AliasFor(annotation = Compensable.class)
    boolean compensateOnException() default false;

    /** As {@link Compensable#storeResult}. */
    @AliasFor(annotation = Compensable.class)
    boolean storeResult() default true;

    /** As {@link Compensable#outside}: such a call is neither confirmed nor cancelled. */
    @AliasFor(annotation = Compensable.class)
    OutsideSaga outside() default OutsideSaga.AS_CONFIGURED;
}
