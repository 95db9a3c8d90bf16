package io.alphaomega.omega;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The method is called when a branch has been undone because its saga was aborted: for work that is done surely and only
 * then, such as a mail, a cache or a search index. It may be of any bean of the service that has the branch.
 *
 * <p>For alpha it is a part of the compensation, or of the cancellation of a {@link Participate}. It runs after that has
 * been committed, in a local transaction of its own, which has a row in the fence: if it fails, alpha asks again, and only
 * what is missing is done. So what it writes to the database of the service takes effect once. What no rollback reaches
 * is done once too, unless the process dies or the commit fails just then: then it is done again. A branch that left
 * nothing to undo has nothing to follow.
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
