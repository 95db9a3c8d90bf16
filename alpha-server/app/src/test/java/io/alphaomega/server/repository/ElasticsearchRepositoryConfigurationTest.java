package io.alphaomega.server.repository;

import static org.assertj.core.api.Assertions.assertThat;

import io.alphaomega.repository.Durability;
import io.alphaomega.repository.SagaRepository;
import io.alphaomega.repository.servers.ElasticsearchServer;
import io.alphaomega.repository.servers.ServerProcess;
import io.alphaomega.saga.SagaId;
import io.alphaomega.server.properties.AlphaProperties;
import io.alphaomega.server.properties.RefusedPropertyException;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

class ElasticsearchRepositoryConfigurationTest {
    private static final String AT = "alpha.repository.elasticsearch.";

    @Configuration(proxyBeanMethods = false)
    @EnableConfigurationProperties(AlphaProperties.class)
    static class Surroundings {
        @Bean
        MeterRegistry registry() {
            return new SimpleMeterRegistry();
        }
    }

    @Test
    void alpha_stores_what_it_has_acknowledged_in_the_cluster() {
        int sagas = 500;
        try (ElasticsearchServer server = ElasticsearchServer.start(ElasticsearchServer.V8)) {
            // A busy machine makes no index within the time that one operation has.
            ApplicationContextRunner alpha = alpha().withPropertyValues(
                            AT + "uris=http://127.0.0.1:" + server.port(), "alpha.repository.await-at-start=2m");
            alpha.run(context -> {
                GroupCommit commits = context.getBean(GroupCommit.class);
                IntStream.range(0, sagas)
                        .mapToObj(i -> commits.submit(GatedRepository.append("s" + i)))
                        .toList()
                        .forEach(CompletableFuture::join);
            });
            alpha.run(context -> {
                SagaRepository repository = context.getBean(SagaRepository.class);
                assertThat(IntStream.range(0, sagas))
                        .allSatisfy(i -> assertThat(
                                        repository.load(new SagaId("s" + i)).events())
                                .isEqualTo(GatedRepository.append("s" + i).events()));
                assertThat(repository.durability().level()).isEqualTo(Durability.Level.POWER_LOSS);
            });
        }
    }

    @Test
    void a_cluster_that_is_not_there_keeps_alpha_from_starting() {
        int nobody = ServerProcess.freePort();
        alpha().withPropertyValues(AT + "uris=http://127.0.0.1:" + nobody, AT + "api-key=c2VjcmV0")
                .run(context -> assertThat(refusal(context.getStartupFailure()))
                        .startsWith("alpha.repository.elasticsearch: Elasticsearch does not answer (http://127.0.0.1:"
                                + nobody)
                        .doesNotContain("c2VjcmV0"));
    }

    @Test
    void a_host_that_fits_into_no_uri_is_named_without_secrets() {
        alpha().withPropertyValues(AT + "uris=http://es:9200,http://elastic:secret@stack_es:9200")
                .run(context -> assertThat(refusal(context.getStartupFailure()))
                        .startsWith(AT + "uris has the host 'stack_es', which fits into no URI")
                        .doesNotContain("secret"));
    }

    @ParameterizedTest
    @CsvSource({
        "uris, '', uris must name a node but is empty.",
        "uris, localhost:9200, 'uris must be a list of http://host:port or https://host:port but has ''localhost:9200''.'",
        "uris, https://elastic:secret@es:9200, uris must not contain a user or a password: they have settings of their own.",
        "uris, 'http://x y:secret', 'uris must be a list of http://host:port or https://host:port.'",
        "index-prefix, Alpha, 'index-prefix must be up to 100 of a–z 0–9 . _ -, beginning with a letter or digit, but was ''Alpha''.'",
        "shards, 0, shards must be 1 to 1024 but was 0.",
        "replicas, 11, replicas must be 0 to 10 but was 11.",
        "username, elastic, password must not be empty with a username.",
        "password, secret, username must not be empty with a password.",
    })
    void nonsense_is_refused_with_the_name_of_the_property_and_without_secrets(
            String property, String value, String sentence) {
        alpha().withPropertyValues(AT + property + "=" + value)
                .run(context -> assertThat(refusal(context.getStartupFailure()))
                        .isEqualTo(AT + sentence)
                        .doesNotContain("secret"));
    }

    @Test
    void an_api_key_beside_a_user_is_refused() {
        alpha().withPropertyValues(AT + "username=elastic", AT + "password=secret", AT + "api-key=c2VjcmV0")
                .run(context -> assertThat(refusal(context.getStartupFailure()))
                        .isEqualTo(AT + "api-key must be empty with a username."));
    }

    @Test
    void a_certificate_that_is_none_is_refused() {
        alpha().withPropertyValues(AT + "ca-certificate=pom.xml")
                .run(
                        context -> assertThat(refusal(context.getStartupFailure()))
                                .startsWith(
                                        "alpha.repository.elasticsearch: ca-certificate must be a PEM file of certificates, but pom.xml"));
    }

    private static ApplicationContextRunner alpha() {
        return new ApplicationContextRunner()
                .withUserConfiguration(
                        Surroundings.class, RepositoryConfiguration.class, ElasticsearchRepositoryConfiguration.class)
                .withPropertyValues("alpha.repository.type=elasticsearch", "alpha.repository.await-at-start=0");
    }

    private static String refusal(@Nullable Throwable failure) {
        List<Throwable> causes = Stream.<Throwable>iterate(failure, Objects::nonNull, Throwable::getCause)
                .toList();
        return String.valueOf(assertThat(causes)
                .filteredOn(RefusedPropertyException.class::isInstance)
                .singleElement()
                .asInstanceOf(InstanceOfAssertFactories.THROWABLE)
                .actual()
                .getMessage());
    }
}
