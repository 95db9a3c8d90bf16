package org.hibernate.validator.constraints;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;

/**
 * Springdoc looks for this annotation, which nothing here has. The library that it belongs to stays away: with it every
 * alpha of every test would make a validator when it starts, which alpha does not.
 */
@Retention(RetentionPolicy.RUNTIME)
public @interface Range {
    long min() default 0;

    long max() default Long.MAX_VALUE;
}
