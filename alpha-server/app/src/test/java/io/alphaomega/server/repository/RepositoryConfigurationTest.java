package io.alphaomega.server.repository;

import static org.assertj.core.api.Assertions.assertThat;

import io.alphaomega.repository.AppendResult;
import io.alphaomega.repository.SagaRepository;
import io.alphaomega.server.properties.AlphaProperties;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.convert.ConversionFailedException;

class RepositoryConfigurationTest {
    private final ApplicationContextRunner alpha =
            new ApplicationContextRunner().withUserConfiguration(Surroundings.class, RepositoryConfiguration.class);

    @Configuration(proxyBeanMethods = false)
    @EnableConfigurationProperties(AlphaProperties.class)
    static class Surroundings {
        @Bean
        MeterRegistry registry() {
            return new SimpleMeterRegistry();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Plugin {
        static final GatedRepository STORE = new GatedRepository();

        @Bean(defaultCandidate = false, destroyMethod = "")
        @Qualifier(RepositoryConfiguration.PLUGIN)
        SagaRepository plugin() {
            return STORE;
        }

        @Bean
        GroupCommit.Limits limits() {
            return GroupCommit.Limits.ofLanes(1);
        }
    }

    @Test
    void the_server_sees_one_repository_that_gathers_and_measures() {
        alpha.withUserConfiguration(Plugin.class).run(context -> {
            assertThat(context.getBean(SagaRepository.class)).isSameAs(context.getBean(GroupCommit.class));
            Plugin.STORE.gate.release();
            assertThat(context.getBean(GroupCommit.class)
                            .submit(GatedRepository.append("a"))
                            .join())
                    .isInstanceOf(AppendResult.Appended.class);
            assertThat(context.getBean(MeterRegistry.class)
                            .get("alpha.repository.batch.items")
                            .summary()
                            .count())
                    .isEqualTo(1);
            context.close();
            assertThat(Plugin.STORE.closed).isTrue();
        });
    }

    @Test
    void a_type_that_there_is_not_is_refused_by_its_property() {
        alpha.withPropertyValues("alpha.repository.type=paper")
                .run(context -> assertThat(context)
                        .hasFailed()
                        .getFailure()
                        .hasRootCauseInstanceOf(IllegalArgumentException.class)
                        .hasStackTraceContaining(ConversionFailedException.class.getName())
                        .hasStackTraceContaining("paper"));
    }
}
