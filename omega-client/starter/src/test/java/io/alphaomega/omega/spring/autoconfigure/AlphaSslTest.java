package io.alphaomega.omega.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.alphaomega.omega.AlphaConnectionDetails;
import io.alphaomega.omega.spring.Applications;
import io.alphaomega.omega.spring.config.OmegaProperties;
import io.alphaomega.omega.stream.AlphaTls;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.support.StaticListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** What {@code omega.alpha.ssl} means, in the words of Spring Boot. */
class AlphaSslTest {
    private static final OmegaProperties.Ssl NOTHING = new OmegaProperties.Ssl(null, "", "");

    private static ApplicationContextRunner application() {
        return Applications.plain().withConfiguration(AutoConfigurations.of(SslAutoConfiguration.class));
    }

    private static @Nullable AlphaTls tls(OmegaProperties.Ssl ssl, @Nullable AlphaConnectionDetails details) {
        AtomicReference<AlphaTls> found = new AtomicReference<>();
        withBundles(bundles -> {
            StaticListableBeanFactory beans = new StaticListableBeanFactory();
            beans.addBean("bundles", bundles);
            Supplier<AlphaTls> tls = AlphaSsl.of(ssl, details, beans.getBeanProvider(SslBundles.class));
            if (tls != null) found.set(tls.get());
        });
        return found.get();
    }

    private static void withBundles(Consumer<SslBundles> then) {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(SslAutoConfiguration.class))
                .withPropertyValues(
                        "spring.ssl.bundle.jks.secure.truststore.provider=",
                        "spring.ssl.bundle.jks.secure.options.ciphers=TLS_AES_128_GCM_SHA256",
                        "spring.ssl.bundle.jks.secure.options.enabled-protocols=TLSv1.3")
                .run(context -> then.accept(context.getBean(SslBundles.class)));
    }

    @Test
    void without_a_word_about_it_there_is_no_tls() {
        assertThat(tls(NOTHING, null)).isNull();
    }

    @Test
    void a_bundle_is_enough_unless_it_is_not_enabled() {
        AlphaTls named =
                Objects.requireNonNull(tls(new OmegaProperties.Ssl(null, "secure", "alpha.example.org"), null));
        assertThat(named.source()).isEqualTo("the SSL bundle 'secure'");
        assertThat(named.ciphers()).containsExactly("TLS_AES_128_GCM_SHA256");
        assertThat(named.protocols()).containsExactly("TLSv1.3");
        assertThat(named.serverName()).isEqualTo("alpha.example.org");
        assertThat(named.showsCertificate()).isFalse();
        assertThat(tls(new OmegaProperties.Ssl(false, "secure", ""), null)).isNull();
    }

    @Test
    void enabled_without_a_bundle_trusts_whom_java_trusts() {
        AlphaTls java = Objects.requireNonNull(tls(new OmegaProperties.Ssl(true, "", ""), null));
        assertThat(java.source()).isEqualTo("Java");
    }

    @Test
    void connection_details_count_instead_of_the_properties() {
        AlphaConnectionDetails plain = () -> List.of("127.0.0.1:1");
        assertThat(tls(new OmegaProperties.Ssl(true, "secure", ""), plain)).isNull();
        AlphaConnectionDetails secure = new AlphaConnectionDetails() {
            @Override
            public List<String> addresses() {
                return plain.addresses();
            }

            @Override
            public SslBundle getSslBundle() {
                return SslBundle.systemDefault();
            }
        };
        AlphaTls theirs = Objects.requireNonNull(tls(NOTHING, secure));
        assertThat(theirs.source()).isEqualTo("the SSL bundle of the connection details");
    }

    @Test
    void a_bundle_that_does_not_exist_keeps_the_service_from_starting() {
        application()
                .withPropertyValues("omega.alpha.ssl.bundle=nobody")
                .run(context -> Applications.assertRefused(
                        context,
                        "omega.alpha.ssl.bundle must be an SSL bundle, of which there is none, but is 'nobody'."));
    }

    @Test
    void a_name_for_tls_that_nobody_asks_for_keeps_the_service_from_starting() {
        application()
                .withPropertyValues("omega.alpha.ssl.server-name=alpha.example.org")
                .run(context -> Applications.assertRefused(
                        context, "omega.alpha.ssl.server-name is 'alpha.example.org', but TLS is not asked for."));
    }

    @ParameterizedTest
    @ValueSource(strings = {"stack_alpha", "alpha:8071", "https://alpha", "alpha."})
    void a_name_that_no_certificate_can_be_for_keeps_the_service_from_starting(String name) {
        application()
                .withPropertyValues("omega.alpha.ssl.enabled=true", "omega.alpha.ssl.server-name=" + name)
                .run(context -> Applications.assertRefused(
                        context,
                        "omega.alpha.ssl.server-name must be a host's name as certificates have it, but is '" + name
                                + "'."));
    }

    @Test
    void ciphers_that_java_does_not_have_keep_the_service_from_starting() {
        application()
                .withPropertyValues(
                        "omega.alpha.ssl.bundle=odd",
                        "spring.ssl.bundle.jks.odd.truststore.provider=",
                        "spring.ssl.bundle.jks.odd.options.ciphers=TLS_OF_NOBODY")
                .run(context -> Applications.assertRefused(
                        context, "omega.alpha.ssl: the SSL bundle 'odd' cannot be used: ", "TLS_OF_NOBODY"));
    }

    @Test
    void a_bundle_whose_files_are_missing_keeps_the_service_from_starting() {
        application()
                .withPropertyValues(
                        "omega.alpha.ssl.bundle=broken",
                        "spring.ssl.bundle.pem.broken.truststore.certificate=file:/nowhere/authority.pem")
                .run(context -> Applications.assertRefused(
                        context,
                        "omega.alpha.ssl: the SSL bundle 'broken' cannot be used: ",
                        "/nowhere/authority.pem"));
    }
}
