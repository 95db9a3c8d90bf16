package io.alphaomega.omega;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.core.annotation.AliasFor;

/**
 * Another name of {@link SagaStart}, for sagas whose branches are {@link Participate}: tried, then all confirmed or all
 * cancelled. It means the same, and a saga may have branches of both kinds.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.TYPE})
@SagaStart
public @interface TccStart {

    /** As {@link SagaStart#propagation}. */
    @AliasFor(annotation = SagaStart.class)
    SagaPropagation propagation() default SagaPropagation.OUTERMOST;

    /** As {@link SagaStart#timeout}. */
    @AliasFor(annotation = SagaStart.class)
    String timeout() default "";

    /** As {@link SagaStart#autoClose}. */
    @AliasFor(annotation = SagaStart.class)
    boolean autoClose() default true;

    /** As {@link SagaStart#awaitDecision}. */
    @AliasFor(annotation = SagaStart.class)
    boolean awaitDecision() default true;

    /** As {@link SagaStart#abortFor}. */
    @AliasFor(annotation = SagaStart.class)
    Class<? extends Throwable>[] abortFor() default {};

    /** As {@link SagaStart#noAbortFor}. */
    @AliasFor(annotation = SagaStart.class)
    Class<? extends Throwable>[] noAbortFor() default {};

    /** As {@link SagaStart#businessKey}. */
    @AliasFor(annotation = SagaStart.class)
    String businessKey() default "";

    /** As {@link SagaStart#unique}. */
    @AliasFor(annotation = SagaStart.class)
    boolean unique() default false;

    /** As {@link SagaStart#attributes}. */
    @AliasFor(annotation = SagaStart.class)
    String[] attributes() default {};

    /** As {@link SagaStart#order}. */
    @AliasFor(annotation = SagaStart.class)
    CallbackOrder order() default CallbackOrder.SEQUENTIAL;
}
