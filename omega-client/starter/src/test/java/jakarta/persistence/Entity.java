package jakarta.persistence;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;

/** JPA's, by name: omega looks at no more. */
@Retention(RetentionPolicy.RUNTIME)
public @interface Entity {}
