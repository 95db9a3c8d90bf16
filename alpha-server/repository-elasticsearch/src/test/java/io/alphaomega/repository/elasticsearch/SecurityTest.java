package io.alphaomega.repository.elasticsearch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.sun.net.httpserver.HttpServer;
import io.alphaomega.repository.Health;
import io.alphaomega.repository.RepositoryUnavailableException;
import io.alphaomega.repository.SagaRepository;
import io.alphaomega.repository.Version;
import io.alphaomega.repository.elasticsearch.ElasticsearchSettings.Identity;
import io.alphaomega.repository.servers.Command;
import io.alphaomega.repository.servers.ElasticsearchServer;
import io.alphaomega.repository.servers.Patience;
import io.alphaomega.repository.servers.ServerProcess;
import io.alphaomega.saga.SagaId;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A node with TLS and users. */
@Tag("long")
@Timeout(600)
final class SecurityTest {
    private static final String PASSWORD = "password1";

    /** Of {@link #PASSWORD}. */
    private static final String HASH = "$2a$10$xZyO8M1FbeBX2RItDFr0cufZA035vI4FFCHTDF.Q/b2eRrptZ8u4S";

    /** The least that alpha needs, as docs/operating/elasticsearch.md tells. */
    private static final String ROLES = """
            alpha_store:
              cluster: [ 'monitor', 'manage_index_templates' ]
              indices:
                - names: [ 'alpha-*' ]
                  privileges: [ 'create_index', 'delete_index', 'read', 'write', 'maintenance', 'monitor', 'view_index_metadata' ]
            """;

    @TempDir
    @SuppressWarnings("NullAway.Init") // By JUnit.
    private static Path directory;

    private static @Nullable ElasticsearchServer server;

    @BeforeAll
    static void start() throws IOException {
        Path home = ServerProcess.newDirectory("elasticsearch-secured");
        Path config = Files.createDirectories(home.resolve("config"));
        Path keys = directory.resolve("http.p12");
        keytool(
                "-genkeypair -alias node -keyalg EC -groupname secp256r1 -dname CN=localhost -ext san=ip:127.0.0.1 -validity 3650",
                keys);
        keytool("-exportcert -rfc -alias node -file " + certificate(), keys);
        Files.copy(keys, config.resolve("http.p12"));
        Files.writeString(config.resolve("roles.yml"), ROLES);
        Files.writeString(config.resolve("users"), "alpha:%s%nbeggar:%s%n".formatted(HASH, HASH));
        Files.writeString(config.resolve("users_roles"), "alpha_store:alpha\n");
        server = ElasticsearchServer.start(
                home,
                ElasticsearchServer.V8,
                ElasticsearchServer.SECURED,
                "xpack.security.http.ssl.enabled: true",
                "xpack.security.http.ssl.keystore.path: http.p12",
                "xpack.security.http.ssl.keystore.password: " + PASSWORD,
                "xpack.security.transport.ssl.enabled: false");
    }

    private static void keytool(String arguments, Path keys) throws IOException {
        Command.of(Path.of(System.getProperty("java.home"), "bin", "keytool"))
                .with((Object[]) arguments.split(" ", -1))
                .with("-storetype", "PKCS12", "-storepass", PASSWORD, "-keystore", keys)
                .run(directory);
    }

    private static Path certificate() {
        return directory.resolve("ca.pem");
    }

    @AfterAll
    static void stop() {
        Objects.requireNonNull(server).close();
    }

    private static SagaRepository repository(Identity identity, Optional<Path> authorities) {
        return new ElasticsearchSagaRepository(settings(identity, authorities));
    }

    private static ElasticsearchSettings settings(Identity identity, Optional<Path> authorities) {
        URI uri =
                URI.create("https://127.0.0.1:" + Objects.requireNonNull(server).port());
        return new ElasticsearchSettings(List.of(uri), Optional.of(identity), authorities, "alpha", 1, 0);
    }

    @Test
    void a_user_with_the_documented_role_is_all_that_alpha_needs() {
        Identity alpha = new Identity.User("alpha", PASSWORD);
        try (SagaRepository repository = Patience.opened(repository(alpha, Optional.of(certificate())))) {
            SagaId id = Samples.newId();
            Version version = Samples.appended(repository, Samples.begin(id));
            assertThat(repository.load(id).version()).isEqualTo(version);
            assertThat(repository.durability().settings()).isNotBlank();
            repository.counts();
            assertThat(repository.purge(Instant.EPOCH, 1)).isZero();
            assertThat(repository.forget(Instant.EPOCH, 1)).isZero();
            assertThat(repository.check()).isInstanceOf(Health.Up.class);
        }
        try (ElasticsearchSagaIndex index = new ElasticsearchSagaIndex(settings(alpha, Optional.of(certificate())))) {
            index.clear();
            index.put(List.of(new ElasticsearchSagaIndex.Entry(Samples.active(Samples.newId()), 1)));
            assertThat(index.checkpoints()).isEmpty();
        }
    }

    @Test
    void a_wrong_password_is_a_sentence_without_it() {
        assertRefused(
                repository(new Identity.User("alpha", "guessed"), Optional.of(certificate())),
                "refuses alpha's credentials");
    }

    @Test
    void a_user_without_privileges_is_told_so() {
        assertRefused(
                repository(new Identity.User("beggar", PASSWORD), Optional.of(certificate())), "lacks a privilege");
    }

    @Test
    void a_node_whose_certificate_nobody_trusts_is_not_talked_to() {
        assertRefused(repository(new Identity.User("alpha", PASSWORD), Optional.empty()), "does not answer");
    }

    private static void assertRefused(SagaRepository refused, String sentence) {
        try (SagaRepository repository = refused) {
            assertThatExceptionOfType(RepositoryUnavailableException.class)
                    .isThrownBy(repository::durability)
                    .withMessageContaining(sentence)
                    .matches(RepositoryUnavailableException::isRefusal)
                    .satisfies(refusal -> assertThat(refusal.toString())
                            .doesNotContain(PASSWORD)
                            .doesNotContain("guessed"));
        }
    }

    /** The bare distribution has users but makes no keys. */
    @Test
    void an_api_key_is_sent_as_elasticsearch_wants_it() throws Exception {
        BlockingQueue<String> authorizations = new LinkedBlockingQueue<>();
        HttpServer node = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        node.createContext("/", exchange -> {
            authorizations.add(String.valueOf(exchange.getRequestHeaders().getFirst("Authorization")));
            exchange.sendResponseHeaders(401, -1);
            exchange.close();
        });
        node.start();
        URI uri = URI.create("http://127.0.0.1:" + node.getAddress().getPort());
        Identity key = new Identity.ApiKey("aWQ6a2V5");
        try (SagaRepository repository = new ElasticsearchSagaRepository(
                new ElasticsearchSettings(List.of(uri), Optional.of(key), Optional.empty(), "alpha", 1, 0))) {
            assertThatExceptionOfType(RepositoryUnavailableException.class)
                    .isThrownBy(repository::durability)
                    .withMessageContaining("401")
                    .matches(RepositoryUnavailableException::isRefusal)
                    .satisfies(refusal -> assertThat(refusal.toString()).doesNotContain("aWQ6a2V5"));
            assertThat(authorizations.take()).isEqualTo("ApiKey aWQ6a2V5");
        } finally {
            node.stop(0);
        }
    }

    @Test
    void settings_tell_no_secret() {
        assertThat(settings(new Identity.User("alpha", PASSWORD), Optional.empty())
                        .toString())
                .contains("user alpha")
                .doesNotContain(PASSWORD);
        assertThat(new Identity.ApiKey("aWQ6a2V5").toString()).doesNotContain("aWQ6a2V5");
    }
}
