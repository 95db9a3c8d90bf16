package io.alphaomega.server.repository;

import static org.assertj.core.api.Assertions.assertThat;

import io.alphaomega.repository.AppendResult;
import io.alphaomega.repository.SagaRepository;
import io.alphaomega.repository.servers.RedisServer;
import io.alphaomega.repository.servers.ServerProcess;
import io.alphaomega.saga.SagaId;
import io.alphaomega.server.AlphaProcess;
import io.alphaomega.server.properties.RefusedPropertyException;
import io.alphaomega.server.turn.EventLoops;
import io.micrometer.core.instrument.MeterRegistry;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

class RedisRepositoryConfigurationTest {
    private static final Duration ENDED_WITHIN = AlphaProcess.READY_WITHIN;

    @SuppressWarnings("NullAway.Init") // By JUnit.
    private static RedisServer server;

    @TempDir
    @SuppressWarnings("NullAway.Init") // By JUnit.
    private Path directory;

    @BeforeAll
    static void start() {
        server = RedisServer.start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void what_alpha_has_acknowledged_is_there_for_the_next_alpha() {
        int sagas = 500;
        alpha(uri(server.port())).run(context -> {
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
        alpha(uri(server.port())).run(context -> {
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
    void a_redis_that_would_lose_sagas_keeps_alpha_from_starting_until_that_is_allowed() {
        try (RedisServer volatileServer = RedisServer.start("appendonly no")) {
            assertRefused(uri(volatileServer.port()), "appendonly is 'no'");
            alpha(uri(volatileServer.port()))
                    .withPropertyValues("alpha.repository.redis.allow-volatile=true")
                    .run(context -> assertThat(context).hasNotFailed());
        }
    }

    @Test
    void a_place_where_nobody_listens_keeps_alpha_from_starting() {
        int nobody = ServerProcess.freePort();
        assertRefused("redis://alpha:secret@127.0.0.1:" + nobody, "Redis at 127.0.0.1:" + nobody);
    }

    @Test
    void a_redis_that_demands_another_password_is_not_waited_for() {
        try (RedisServer locked = RedisServer.start("requirepass right")) {
            alpha("redis://:secret@127.0.0.1:" + locked.port())
                    .withPropertyValues("alpha.repository.await-at-start=1h")
                    .run(context -> assertThat(causes(context.getStartupFailure()))
                            .filteredOn(RefusedPropertyException.class::isInstance)
                            .singleElement()
                            .asInstanceOf(InstanceOfAssertFactories.THROWABLE)
                            .hasMessageContaining("refuses the user or the password"));
        }
    }

    @Test
    void what_is_no_address_keeps_alpha_from_starting_and_is_not_repeated() {
        assertRefused("localhost secret", "redis://host:6379");
        assertRefused("redis-cluster://user:secret@", "redis://host:6379");
    }

    private static void assertRefused(String uri, String sentence) {
        alpha(uri)
                .run(context -> assertThat(causes(context.getStartupFailure()))
                        .filteredOn(RefusedPropertyException.class::isInstance)
                        .singleElement()
                        .asInstanceOf(InstanceOfAssertFactories.THROWABLE)
                        .hasMessageStartingWith("alpha.repository.redis.uri: ")
                        .hasMessageContaining(sentence)
                        .hasMessageNotContaining("secret"));
    }

    @Test
    void the_server_serves_with_redis_alone_and_ends_with_a_sentence_where_there_is_none() {
        String[] arguments = {
            "--alpha.repository.type=redis",
            "--alpha.repository.redis.uri=redis://default:secret@127.0.0.1:" + server.port()
        };
        server.ask("CONFIG", "SET", "requirepass", "secret");
        try (AlphaProcess alpha = AlphaProcess.start(directory, arguments).awaitReady()) {
            assertThat(alpha.out())
                    .contains("repository Redis at 127.0.0.1:" + server.port(), "durability  VOLATILE (Redis")
                    .doesNotContain("secret");
            assertThat(alpha.get("/actuator/health/readiness").statusCode()).isEqualTo(200);
            assertThat(alpha.get("/actuator/info").body())
                    .contains("appendfsync=everysec")
                    .doesNotContain("secret");
            assertThat(directory.resolve("data")).doesNotExist();
            alpha.terminate();
            assertThat(alpha.exitCode(ENDED_WITHIN)).isZero();
        } finally {
            server.ask("-a", "secret", "CONFIG", "SET", "requirepass", "");
        }
        String[] elsewhere = {
            arguments[0],
            "--alpha.repository.redis.uri=redis://default:secret@127.0.0.1:" + ServerProcess.freePort(),
            "--alpha.repository.await-at-start=0"
        };
        try (AlphaProcess alpha = AlphaProcess.start(directory, elsewhere)) {
            assertThat(alpha.exitCode(ENDED_WITHIN)).isEqualTo(1);
            assertThat(alpha.err().lines())
                    .singleElement()
                    .asString()
                    .startsWith("alpha cannot start: alpha.repository.redis.uri: Redis at 127.0.0.1:")
                    .doesNotContain("secret");
        }
    }

    private static String uri(int port) {
        return "redis://127.0.0.1:" + port;
    }

    private static ApplicationContextRunner alpha(String uri) {
        return new ApplicationContextRunner()
                .withBean(EventLoops.class)
                .withUserConfiguration(
                        EmbeddedRepositoryConfigurationTest.Surroundings.class,
                        RepositoryConfiguration.class,
                        EmbeddedRepositoryConfiguration.class,
                        RedisRepositoryConfiguration.class)
                .withPropertyValues(
                        "alpha.repository.type=redis",
                        "alpha.repository.redis.uri=" + uri,
                        "alpha.repository.await-at-start=0");
    }

    private static List<Throwable> causes(@Nullable Throwable failure) {
        return Stream.<Throwable>iterate(failure, Objects::nonNull, Throwable::getCause)
                .toList();
    }
}
