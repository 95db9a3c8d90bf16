package io.alphaomega.omega;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The value that a parameter of a compensation receives, if the arguments of the {@link Compensable} method itself are
 * too large or too secret to be kept by alpha:
 *
 * <pre>{@code
 * @Compensable(compensationMethod = "refund")
 * public Receipt charge(Order order, Card card) { … }
 *
 * public void refund(@CompensationArgument("#order.id") String order) { … }
 * }</pre>
 *
 * <p>If one parameter of a compensation, or of the cancellation of a {@link Participate} method, has it, all must have
 * it, except a last one that takes the result. Nothing else of the arguments leaves the service, so every other
 * callback of the branch gets the same values, without an annotation of its own: a confirmation, {@link AfterCommit}
 * and {@link AfterAbort} take these values, these and the result, or nothing. The values are computed before the branch
 * begins; if that fails, or a value is not of the parameter's type, the branch fails and its method does not run.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.PARAMETER)
public @interface CompensationArgument {

    /**
     * SpEL as in {@code @Cacheable}, with the parameters of the {@link Compensable} method by their names,
     * {@code "#order.id"}. A repeated call must compute equal values, or it counts as another call.
     */
    String value();
}
