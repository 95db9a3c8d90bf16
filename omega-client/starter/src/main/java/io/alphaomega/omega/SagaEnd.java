package io.alphaomega.omega;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The method ends the saga it is called in, one begun with {@code @SagaStart(autoClose = false)}. It throws as
 * {@link SagaStart} says; outside a saga it is refused with a {@link SagaException} and does not run.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
public @interface SagaEnd {

    /** As {@link SagaStart#awaitDecision}. */
    boolean awaitDecision() default true;

    /** As {@link SagaStart#abortFor}. */
    Class<? extends Throwable>[] abortFor() default {};

    /** As {@link SagaStart#noAbortFor}. */
    Class<? extends Throwable>[] noAbortFor() default {};
}
