package io.alphaomega.omega.fence;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;

/** Spring Boot's configuration but for a part, by the names that it has in Boot 4 and 3. */
final class EnableWithout {
    private EnableWithout() {}

    @Retention(RetentionPolicy.RUNTIME)
    @EnableAutoConfiguration(
            excludeName = {
                "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration",
                "org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration",
                "org.springframework.boot.autoconfigure.r2dbc.R2dbcAutoConfiguration"
            })
    @interface Database {}

    @Retention(RetentionPolicy.RUNTIME)
    @EnableAutoConfiguration(
            excludeName = {
                "org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration",
                "org.springframework.boot.autoconfigure.orm.jpa.HibernateJpaAutoConfiguration"
            })
    @interface Hibernate {}
}
