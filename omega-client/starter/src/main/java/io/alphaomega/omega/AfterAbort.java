package io.alphaomega.omega;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The method is called when a branch has been undone because its saga was aborted: for work that must follow, and only
 * then, such as a mail, a cache or a search index. Any bean of the branch's service may have it.
 *
 * <p>To alpha it is a part of the compensation, or of the cancellation of a {@link Participate}. It runs after that has
 * been committed, in a local transaction of its own, which has a row in the fence: if it fails, alpha retries, and only
 * the missing part is done. So whatever it writes to the service's database takes effect once. Effects that no rollback
 * reaches take place once too, unless the process dies or the commit fails at that moment: then they are repeated. It
 * is not called for a branch that left nothing to undo.
 *
 * <p>It has the same parameters as the branch's method, or the same followed by its result, or none. It returns when its
 * work is done. It needs the fence.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
public @interface AfterAbort {

    /** As {@link AfterCommit#value}. */
    String[] value();
}
