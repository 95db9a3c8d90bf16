package io.alphaomega.server.repository;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.alphaomega.repository.RepositoryUnavailableException;
import io.alphaomega.repository.SagaRepository;
import io.alphaomega.repository.servers.DatabaseServer;
import io.alphaomega.repository.servers.ElasticsearchServer;
import io.alphaomega.repository.servers.MariaDbServer;
import io.alphaomega.repository.servers.Patience;
import io.alphaomega.repository.servers.PostgreSqlServer;
import io.alphaomega.repository.servers.RedisCluster;
import io.alphaomega.repository.servers.RedisServer;
import io.alphaomega.repository.servers.ServerProcess;
import io.alphaomega.server.AlphaProcess;
import io.alphaomega.server.properties.RefusedPropertyException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** An alpha that starts before its store does. */
class StoreOpeningTest {
    private static final String WAITS = "Alpha waits up to";

    @TempDir
    @SuppressWarnings("NullAway.Init") // By JUnit.
    private Path directory;

    /** A store that is away, and will come. */
    record Away(List<String> arguments, Runnable comes, AutoCloseable server) {}

    /** Each that is reached over a network. */
    enum Kind {
        REDIS {
            @Override
            Away away() {
                RedisServer server = RedisServer.start();
                server.process().kill();
                return new Away(at(server.port()), () -> server.process().start(), server);
            }

            @Override
            List<String> at(int... ports) {
                return List.of(
                        "--alpha.repository.type=redis", "--alpha.repository.redis.uri=redis://127.0.0.1:" + ports[0]);
            }
        },
        REDIS_CLUSTER {
            @Override
            Away away() {
                RedisCluster cluster = RedisCluster.start(3);
                cluster.servers().forEach(server -> server.process().kill());
                return new Away(
                        at(cluster.networks().stream()
                                .mapToInt(network -> network.port())
                                .toArray()),
                        () -> cluster.servers()
                                .forEach(server -> server.process().start()),
                        cluster);
            }

            @Override
            List<String> at(int... ports) {
                String addresses = String.join(
                        ",",
                        IntStream.of(ports)
                                .mapToObj(port -> "127.0.0.1:" + port)
                                .toList());
                return List.of(
                        "--alpha.repository.type=redis", "--alpha.repository.redis.uri=redis-cluster://" + addresses);
            }
        },
        MARIADB {
            @Override
            Away away() {
                return killed(MariaDbServer.start());
            }

            @Override
            List<String> at(int... ports) {
                return jdbc("mysql", "jdbc:mariadb", ports[0]);
            }
        },
        POSTGRESQL {
            @Override
            Away away() {
                return killed(PostgreSqlServer.start());
            }

            @Override
            List<String> at(int... ports) {
                return jdbc("postgresql", "jdbc:postgresql", ports[0]);
            }
        },
        ELASTICSEARCH {
            @Override
            Away away() {
                ElasticsearchServer server = ElasticsearchServer.start(ElasticsearchServer.V9);
                server.kill();
                return new Away(at(server.port()), server::start, server);
            }

            @Override
            List<String> at(int... ports) {
                return List.of(
                        "--alpha.repository.type=elasticsearch",
                        "--alpha.repository.elasticsearch.uris=http://127.0.0.1:" + ports[0]);
            }
        };

        /** One that was there. */
        abstract Away away();

        /** How alpha is told of it. */
        abstract List<String> at(int... ports);

        Away killed(DatabaseServer server) {
            server.process().kill();
            return new Away(at(server.port()), () -> server.process().start(), server);
        }

        private static List<String> jdbc(String type, String scheme, int port) {
            return List.of(
                    "--alpha.repository.type=" + type,
                    "--alpha.repository.jdbc.url=%s://127.0.0.1:%d/%s".formatted(scheme, port, DatabaseServer.DATABASE),
                    "--alpha.repository.jdbc.username=" + DatabaseServer.USER,
                    "--alpha.repository.jdbc.password=" + DatabaseServer.PASSWORD);
        }
    }

    private AlphaProcess start(List<String> arguments, String patience) {
        return AlphaProcess.start(
                directory,
                Stream.concat(arguments.stream(), Stream.of("--alpha.repository.await-at-start=" + patience))
                        .toArray(String[]::new));
    }

    private static void awaitWaiting(AlphaProcess alpha) {
        await().atMost(Patience.LIMIT).until(() -> alpha.out().contains(WAITS));
    }

    @Test
    void a_store_that_comes_later_is_waited_for() throws Exception {
        comesLater(Kind.REDIS);
    }

    @Tag("long")
    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "REDIS")
    void each_of_the_others_is_waited_for_as_well(Kind kind) throws Exception {
        comesLater(kind);
    }

    private void comesLater(Kind kind) throws Exception {
        Away store = kind.away();
        try (AutoCloseable server = store.server();
                AlphaProcess alpha = start(store.arguments(), "10m")) {
            assertThat(server).isNotNull();
            awaitWaiting(alpha);
            store.comes().run();
            alpha.awaitReady();
            assertThat(alpha.out()).containsOnlyOnce(WAITS + " 600 s for its store.");
            assertThat(alpha.out()).containsOnlyOnce("The store is there, after ");
            assertThat(alpha.err()).isEmpty();
        }
    }

    @Tag("long")
    @ParameterizedTest
    @EnumSource
    void a_store_that_does_not_come_ends_the_start_with_1_and_what_is_wrong(Kind kind) {
        try (AlphaProcess alpha = start(kind.at(ServerProcess.freePort()), "1s")) {
            assertThat(alpha.exitCode(Patience.LIMIT)).isEqualTo(1);
            assertThat(alpha.out()).containsOnlyOnce(WAITS + " 1 s for its store.");
            assertThat(alpha.err().lines())
                    .singleElement()
                    .asString()
                    .startsWith("alpha cannot start: alpha.repository.");
        }
    }

    @Test
    @Tag("long")
    void it_ends_with_0_on_SIGTERM_while_it_waits() {
        try (AlphaProcess alpha = start(Kind.REDIS.at(ServerProcess.freePort()), "1h")) {
            awaitWaiting(alpha);
            assertThat(alpha.terminate().exitCode(Patience.LIMIT)).isZero();
            assertThat(alpha.err()).isEmpty();
        }
    }

    @Test
    void a_store_that_refuses_is_not_waited_for() {
        StoreOpening patient = new StoreOpening("alpha.repository.test", Duration.ofHours(1));
        List<RuntimeException> refusals = List.of(
                new IllegalStateException("Its settings lose sagas."),
                new RepositoryUnavailableException("It does not know alpha.", null, true),
                new RepositoryUnavailableException("TLS failed.", new CertificateException("Nobody trusts it.")));
        for (RuntimeException refusal : refusals) {
            List<String> called = new ArrayList<>();
            assertThatThrownBy(() -> patient.open(refusing(refusal, called)))
                    .isInstanceOf(RefusedPropertyException.class)
                    .hasMessage("alpha.repository.test: " + refusal.getMessage());
            assertThat(called).containsExactly("durability", "close");
        }
    }

    private static SagaRepository refusing(RuntimeException refusal, List<String> called) {
        return (SagaRepository) Proxy.newProxyInstance(
                SagaRepository.class.getClassLoader(),
                new Class<?>[] {SagaRepository.class},
                (repository, method, arguments) -> {
                    called.add(method.getName());
                    if (method.getName().equals("durability")) throw refusal;
                    return null;
                });
    }
}
