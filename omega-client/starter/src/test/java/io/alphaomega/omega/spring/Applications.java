package io.alphaomega.omega.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.alphaomega.omega.spring.autoconfigure.OmegaActuatorAutoConfiguration;
import io.alphaomega.omega.spring.autoconfigure.OmegaAutoConfiguration;
import io.alphaomega.omega.spring.autoconfigure.OmegaConfigurationFailureAnalyzer;
import io.alphaomega.omega.spring.autoconfigure.OmegaFenceAutoConfiguration;
import io.alphaomega.omega.spring.autoconfigure.OmegaWebAutoConfiguration;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.nio.file.Path;
import java.util.Objects;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ConfigurableApplicationContext;

/** Small applications with omega in them. */
public final class Applications {
    /** Without a connection pool beside the database of R2DBC. */
    @Retention(RetentionPolicy.RUNTIME)
    @EnableAutoConfiguration(
            excludeName = {
                "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration",
                "org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration"
            })
    @interface EnableWithoutDataSource {}

    private Applications() {}

    /** Without a database. */
    public static ApplicationContextRunner plain() {
        return new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        AopAutoConfiguration.class,
                        BootUnderTest.JACKSON,
                        OmegaAutoConfiguration.class,
                        OmegaFenceAutoConfiguration.class,
                        OmegaWebAutoConfiguration.class,
                        OmegaActuatorAutoConfiguration.class))
                .withPropertyValues("spring.application.name=shop");
    }

    /** With a SQLite database in that directory. */
    static ApplicationContextRunner withDatabase(Path directory) {
        return plain().withConfiguration(AutoConfigurations.of(BootUnderTest.DATABASE))
                .withPropertyValues("spring.datasource.url=" + url(directory));
    }

    /** One that runs until it is closed, of that name, with no server of its own and that alpha. */
    static ConfigurableApplicationContext started(Class<?> application, String name, SmallAlpha alpha) {
        return new SpringApplicationBuilder(application)
                .web(WebApplicationType.NONE)
                .properties(
                        "spring.application.name=" + name,
                        "spring.main.banner-mode=off",
                        "omega.alpha.addresses=" + alpha.address(),
                        "omega.begin-timeout=20s",
                        "omega.ack-timeout=20s",
                        "omega.hold-for=10m",
                        "omega.drain-timeout=100ms")
                .run();
    }

    /** The {@link Shop}, with a database and that alpha. */
    public static ApplicationContextRunner shop(Path directory, SmallAlpha alpha) {
        return withDatabase(directory)
                .withBean(Shop.Orders.class)
                .withBean(Shop.Counter.class)
                .withPropertyValues(
                        "omega.alpha.addresses=" + alpha.address(),
                        "omega.begin-timeout=20s",
                        "omega.ack-timeout=20s",
                        "omega.hold-for=10m",
                        "omega.drain-timeout=100ms");
    }

    /** The shop that soon stops waiting for an alpha that is silent on reports; not for one that is so on begins. */
    static ApplicationContextRunner impatientShop(Path directory, SmallAlpha alpha) {
        return shop(directory, alpha).withPropertyValues("omega.ack-timeout=300ms");
    }

    public static String url(Path directory) {
        return "jdbc:sqlite:" + directory.resolve("shop.db")
                + "?journal_mode=WAL&busy_timeout=10000&transaction_mode=IMMEDIATE";
    }

    /** The application did not start, and the analysis of that says these things, and what to do. */
    public static void assertRefused(AssertableApplicationContext context, String... sentences) {
        Throwable failure = context.getStartupFailure();
        assertThat(failure).as("the start-up's failure").isNotNull();
        FailureAnalysis analysis = new OmegaConfigurationFailureAnalyzer().analyze(Objects.requireNonNull(failure));
        assertThat(analysis).as(() -> "the analysis of " + failure).isNotNull();
        assertThat(Objects.requireNonNull(analysis).getDescription()).contains(sentences);
        assertThat(analysis.getAction()).endsWith(".");
    }
}
