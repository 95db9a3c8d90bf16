package io.alphaomega.omega;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Alpha calls the method when the saga of a branch has been committed: for work that must follow, and only then, such
 * as a mail, a cache or a search index. Any bean of the branch's service may have it. It is called in any instance,
 * with the retries and limits of the {@code reverse} attributes on the branch's method.
 *
 * <p>It has the same parameters as the branch's method, or the same followed by its result, or none. It returns when
 * its work is done. Behind the fence it runs in a local transaction with a row of its own, so whatever it writes to the
 * service's database takes effect once. Effects that no rollback reaches take place once too, unless the process dies
 * or the commit fails at that moment: then they are repeated.
 *
 * <p>By then the saga's caller knows that it is committed. After a {@link Participate} the method follows the
 * confirmation.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
public @interface AfterCommit {

    /**
     * The branches, as alpha shows them: simple name of the class and name of the method that is {@link Compensable} or
     * {@link Participate}, {@code "CarDesk.book"}. Each may have one such method.
     */
    String[] value();

    /**
     * The name by which alpha knows it, if no confirmation comes before it; stable over renamed classes and methods.
     * Empty for {@code SimpleClassName.method}.
     */
    String name() default "";

    /**
     * The names by which alpha knew it before a rename, as {@link Compensable#aliases}; like {@link #name}, only where no
     * confirmation comes before it.
     */
    String[] aliases() default {};
}
