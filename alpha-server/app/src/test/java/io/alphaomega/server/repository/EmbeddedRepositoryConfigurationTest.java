package io.alphaomega.server.repository;

import static org.assertj.core.api.Assertions.assertThat;

import io.alphaomega.repository.AppendResult;
import io.alphaomega.repository.SagaRepository;
import io.alphaomega.saga.SagaId;
import io.alphaomega.server.properties.AlphaProperties;
import io.alphaomega.server.properties.RefusedPropertyException;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

class EmbeddedRepositoryConfigurationTest {
    @TempDir
    @SuppressWarnings("NullAway.Init") // By JUnit.
    private Path directory;

    @Configuration(proxyBeanMethods = false)
    @EnableConfigurationProperties(AlphaProperties.class)
    static class Surroundings {
        @Bean
        MeterRegistry registry() {
            return new SimpleMeterRegistry();
        }
    }

    @Test
    void without_a_word_alpha_stores_what_it_has_acknowledged_in_the_directory() {
        int sagas = 500;
        alpha(directory).run(context -> {
            GroupCommit commits = context.getBean(GroupCommit.class);
            IntStream.range(0, sagas)
                    .mapToObj(i -> commits.submit(GatedRepository.append("s" + i)))
                    .toList()
                    .forEach(CompletableFuture::join);
            assertThat(context.getBean(MeterRegistry.class)
                            .get("alpha.repository.batch.items")
                            .summary()
                            .mean())
                    .isGreaterThan(1);
        });
        alpha(directory).withPropertyValues("alpha.repository.type=embedded").run(context -> {
            SagaRepository repository = context.getBean(SagaRepository.class);
            assertThat(IntStream.range(0, sagas))
                    .allSatisfy(
                            i -> assertThat(repository.load(new SagaId("s" + i)).events())
                                    .isEqualTo(GatedRepository.append("s" + i).events()));
            assertThat(repository.append(List.of(GatedRepository.append("s1"))))
                    .hasExactlyElementsOfTypes(AppendResult.Conflict.class);
        });
    }

    @Test
    void a_directory_that_another_alpha_uses_keeps_this_one_from_starting() {
        alpha(directory).run(first -> {
            assertThat(first).hasNotFailed();
            assertRefused(directory, "is in use by");
        });
        alpha(directory).run(again -> assertThat(again).hasNotFailed());
    }

    @Test
    void a_file_in_the_place_of_the_directory_keeps_alpha_from_starting() throws IOException {
        assertRefused(Files.writeString(directory.resolve("file"), "mine"), "is a file");
    }

    @Test
    void a_damaged_store_keeps_alpha_from_starting() throws IOException {
        Files.write(directory.resolve("alpha.db"), new byte[8192]);
        assertRefused(directory, "is damaged");
    }

    private static void assertRefused(Path directory, String sentence) {
        alpha(directory)
                .run(context -> assertThat(causes(context.getStartupFailure()))
                        .filteredOn(RefusedPropertyException.class::isInstance)
                        .singleElement()
                        .asInstanceOf(InstanceOfAssertFactories.THROWABLE)
                        .hasMessageStartingWith("alpha.repository.embedded.directory: ")
                        .hasMessageContaining(sentence));
    }

    private static ApplicationContextRunner alpha(Path directory) {
        return new ApplicationContextRunner()
                .withUserConfiguration(
                        Surroundings.class, RepositoryConfiguration.class, EmbeddedRepositoryConfiguration.class)
                .withPropertyValues("alpha.repository.embedded.directory=" + directory);
    }

    private static List<Throwable> causes(@Nullable Throwable failure) {
        return Stream.<Throwable>iterate(failure, Objects::nonNull, Throwable::getCause)
                .toList();
    }
}
