package io.alphaomega.server.stream;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** The alerts of docker/prometheus that a real fault fires in this test. Each alert belongs to one test. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
@interface Fires {
    String[] value();

    /** Those that the same faults fire as well, or may, and that belong to another test. */
    String[] also() default {};
}
