package io.alphaomega.omega;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * What a parameter of a compensation is told, where the arguments of the {@link Compensable} method itself are too large
 * or too secret to be kept by alpha:
 *
 * <pre>{@code
 * @Compensable(compensationMethod = "refund")
 * public Receipt charge(Order order, Card card) { … }
 *
 * public void refund(@CompensationArgument("#order.id") String order) { … }
 * }</pre>
 *
 * <p>If one parameter of a compensation, or of the cancellation of a {@link Participate} method, has it, all have it, but
 * for a last one that takes the result. Nothing else of the arguments leaves the service, so every other callback of the
 * branch is told the same, without an annotation of its own: a confirmation, {@link AfterCommit} and {@link AfterAbort}
 * take these values, these and the result, or nothing. The values are computed before the branch begins; if that fails, or a value is not of the
 * parameter's type, the branch fails and its method does not run.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.PARAMETER)
public @interface CompensationArgument {

    /**
     * SpEL as in {@code @Cacheable}, with the parameters of the {@link Compensable} method by their names, {@code
     * "#order.id"}. A call that is repeated must compute equal values, or is another call.
     */
    String value();
}
