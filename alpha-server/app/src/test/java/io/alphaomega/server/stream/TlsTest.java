package io.alphaomega.server.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.alphaomega.repository.servers.Authority;
import io.alphaomega.repository.servers.Authority.Issued;
import io.alphaomega.server.properties.GrpcProperties.Ssl;
import io.alphaomega.server.properties.RefusedPropertyException;
import io.alphaomega.server.saga.FaultyRepository;
import io.alphaomega.server.saga.ManualClock;
import io.alphaomega.server.saga.TestNode;
import io.grpc.Attributes;
import io.grpc.Status;
import io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.NettyChannelBuilder;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;
import org.springframework.boot.ssl.DefaultSslBundleRegistry;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslOptions;
import org.springframework.boot.ssl.pem.PemSslStoreBundle;
import org.springframework.boot.ssl.pem.PemSslStoreDetails;
import org.springframework.boot.web.server.Ssl.ClientAuth;

/** Omegas that connect with TLS, and those that do not know how. */
class TlsTest {
    private static final String NO_CERTIFICATE =
            " shows no certificate of an authority that alpha trusts, but alpha.grpc.ssl.client-auth=need wants one.";

    /** The last byte of the address from which omegas connected last. */
    private static final AtomicInteger ADDRESSES = new AtomicInteger(1);

    @TempDir
    private static Path directory;

    private static Authority ours;
    private static Authority theirs;
    private static Issued alphas;
    private static Issued omegas;
    private static Issued strangers;
    private static Issued expired;
    private static FaultyRepository store;
    private static DefaultSslBundleRegistry bundles;
    private static ManualClock clock;
    private static TestAlpha alpha;

    private final Logger logger = (Logger) LoggerFactory.getLogger(GrpcServer.class);
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();
    private final String saga = UUID.randomUUID().toString();

    /** Each test's own: alpha names a client after it has refused it, and that may be when the next test has begun. */
    private final String omegasAddress = "127.0.0." + ADDRESSES.incrementAndGet();

    @BeforeAll
    static void start() throws Exception {
        ours = new Authority(directory, "ours");
        theirs = new Authority(directory, "theirs");
        alphas = ours.issue("alpha");
        omegas = ours.issue("omega");
        strangers = theirs.issue("stranger");
        expired = ours.issueExpired("expired");
        bundles = new DefaultSslBundleRegistry("alpha", bundle(alphas, ours.certificate));
        clock = new ManualClock();
        clock.advance(Duration.between(ManualClock.START, Clock.systemUTC().instant()));
        store = new FaultyRepository();
        alpha = new TestAlpha(store, BundleTls.of(new Ssl("alpha", ClientAuth.NEED), bundles, clock), clock);
    }

    @AfterAll
    static void stop() {
        store.releaseAll();
        alpha.close();
    }

    @BeforeEach
    void listen() {
        log.start();
        logger.addAppender(log);
    }

    @AfterEach
    void listenNoMore() {
        logger.detachAppender(log);
    }

    private static SslBundle bundle(Issued shown, @Nullable Path trusted) {
        PemSslStoreDetails key =
                PemSslStoreDetails.forCertificate("file:" + shown.certificate()).withPrivateKey("file:" + shown.key());
        PemSslStoreDetails trust = trusted == null ? null : PemSslStoreDetails.forCertificate("file:" + trusted);
        return SslBundle.of(new PemSslStoreBundle(key, trust));
    }

    private NettyChannelBuilder channel(TestAlpha to) {
        return NettyChannelBuilder.forAddress("127.0.0.1", to.server.port())
                .localSocketPicker(new NettyChannelBuilder.LocalSocketPicker() {
                    @Override
                    public SocketAddress createSocketAddress(SocketAddress remote, Attributes attributes) {
                        return new InetSocketAddress(omegasAddress, 0);
                    }
                });
    }

    private TestOmega omega(TestAlpha to, Path trusted, @Nullable Issued shown) throws SSLException {
        var tls = GrpcSslContexts.forClient().trustManager(trusted.toFile());
        if (shown != null)
            tls.keyManager(shown.certificate().toFile(), shown.key().toFile());
        TestOmega omega = new TestOmega(channel(to).sslContext(tls.build()).build(), true);
        omega.hello("hotel", UUID.randomUUID().toString());
        return omega;
    }

    private void runsASaga(TestOmega omega, String itsSaga) {
        omega.send(TestOmega.begin(1, itsSaga), TestOmega.end(2, itsSaga, true));
        assertThat(omega.acks(2).getLast().hasCommitted()).isTrue();
    }

    /** Of this test's omegas, and of none in particular. */
    private List<String> said() {
        return List.copyOf(log.list).stream()
                .map(ILoggingEvent::getFormattedMessage)
                .filter(each -> each.startsWith(omegasAddress + " ") || !each.startsWith("127.0.0."))
                .toList();
    }

    private void awaitSaid(String... parts) {
        await().untilAsserted(() ->
                assertThat(said()).anySatisfy(each -> assertThat(each).contains(parts)));
    }

    @Test
    void an_omega_whose_certificate_is_trusted_runs_its_sagas_and_nothing_is_said_of_it() throws Exception {
        try (TestOmega omega = omega(alpha, ours.certificate, omegas)) {
            assertThat(omega.welcome().getNode()).isNotEmpty();
            runsASaga(omega, saga);
        }
        assertThat(said()).isEmpty();
    }

    @Test
    void who_shows_no_certificate_is_refused_and_named_once_in_a_while() throws Exception {
        for (int i = 0; i < 3; i++) showNoCertificate();
        awaitSaid(omegasAddress + NO_CERTIFICATE);
        assertThat(said()).hasSize(1);

        clock.advance(WrongConnections.SILENCE);
        showNoCertificate();
        await().untilAsserted(() -> assertThat(said()).hasSize(2));
    }

    private void showNoCertificate() throws SSLException {
        try (TestOmega omega = omega(alpha, ours.certificate, null)) {
            assertThat(omega.status().getCode()).isEqualTo(Status.Code.UNAVAILABLE);
        }
    }

    /** Java does not even show it: alpha says in the handshake whom it trusts. */
    @Test
    void whose_certificate_another_authority_has_issued_is_refused_and_named() throws Exception {
        try (TestOmega omega = omega(alpha, ours.certificate, strangers)) {
            assertThat(omega.status().getCode()).isEqualTo(Status.Code.UNAVAILABLE);
        }
        awaitSaid(omegasAddress + NO_CERTIFICATE);
    }

    @Test
    void whose_certificate_has_expired_is_refused_and_named() throws Exception {
        try (TestOmega omega = omega(alpha, ours.certificate, expired)) {
            assertThat(omega.status().getCode()).isEqualTo(Status.Code.UNAVAILABLE);
        }
        awaitSaid(omegasAddress + " does not come to terms", "CN=expired, issued by CN=ours,", "is not trusted");
    }

    @Test
    void who_does_not_trust_alpha_is_named() throws Exception {
        try (TestOmega omega = omega(alpha, theirs.certificate, omegas)) {
            assertThat(omega.status().getCode()).isEqualTo(Status.Code.UNAVAILABLE);
        }
        awaitSaid(omegasAddress + " does not accept alpha's certificate", "(certificate_unknown)");
    }

    @Test
    void who_connects_without_tls_is_refused_and_named() {
        try (TestOmega omega = new TestOmega(channel(alpha).usePlaintext().build(), true)) {
            // It depends on whether it has read alpha's alert when the connection is closed.
            assertThat(omega.status().getCode()).isIn(Status.Code.UNAVAILABLE, Status.Code.INTERNAL);
        }
        awaitSaid(omegasAddress + " connects without TLS, but alpha.grpc.ssl.bundle asks for it.");
    }

    @Test
    void who_connects_and_says_nothing_is_not_named() throws Exception {
        new Socket(InetAddress.getLoopbackAddress(), alpha.server.port(), InetAddress.getByName(omegasAddress), 0)
                .close();
        try (TestOmega omega = omega(alpha, ours.certificate, omegas)) {
            assertThat(omega.welcome().getNode()).isNotEmpty();
        }
        assertThat(said()).isEmpty();
    }

    @Test
    void who_wants_tls_of_an_alpha_without_is_refused_and_named() throws Exception {
        try (TestAlpha plain = new TestAlpha(store, TestNode.alone());
                TestOmega omega = omega(plain, ours.certificate, omegas)) {
            assertThat(omega.status().getCode()).isEqualTo(Status.Code.UNAVAILABLE);
            awaitSaid(omegasAddress + " wants TLS, but alpha.grpc.ssl.bundle is not set.");
        }
    }

    @Test
    void a_renewed_bundle_counts_for_the_next_connection_and_those_there_go_on() throws Exception {
        try (TestOmega before = omega(alpha, ours.certificate, omegas)) {
            assertThat(before.welcome().getNode()).isNotEmpty();
            bundles.updateBundle("alpha", bundle(strangers, theirs.certificate));
            try (TestOmega after = omega(alpha, theirs.certificate, strangers)) {
                assertThat(after.welcome().getNode()).isNotEmpty();
                runsASaga(after, saga);
            }
            runsASaga(before, saga + "-before");
        } finally {
            bundles.updateBundle("alpha", bundle(alphas, ours.certificate));
        }
        awaitSaid("TLS by the SSL bundle alpha: certificate of CN=stranger, valid until ");
    }

    @Test
    void a_bundle_that_cannot_be_used_when_it_is_renewed_is_named_and_the_one_before_stays() throws Exception {
        bundles.updateBundle("alpha", bundle(new Issued(alphas.certificate(), omegas.key()), ours.certificate));
        awaitSaid("alpha.grpc.ssl.bundle: The SSL bundle alpha cannot be used: its private key is not that of its"
                + " certificate CN=alpha. It was renewed, and new connections get the certificate that it had before.");
        try (TestOmega omega = omega(alpha, ours.certificate, omegas)) {
            assertThat(omega.welcome().getNode()).isNotEmpty();
        }
    }

    @Test
    void an_expired_certificate_of_alpha_is_told_by_alpha_itself() {
        DefaultSslBundleRegistry old = new DefaultSslBundleRegistry("old", bundle(expired, null));
        BundleTls.of(new Ssl("old", ClientAuth.NONE), old, clock);
        awaitSaid("The certificate of the SSL bundle old, CN=expired, expired at ");
    }

    private static void refused(SslBundle bundle, ClientAuth clientAuth, String sentence) {
        DefaultSslBundleRegistry registry = new DefaultSslBundleRegistry("a", bundle);
        assertThatThrownBy(() -> BundleTls.of(new Ssl("a", clientAuth), registry, Clock.systemUTC()))
                .isInstanceOf(RefusedPropertyException.class)
                .hasMessageStartingWith("alpha.grpc.ssl.bundle: The SSL bundle a cannot be used: ")
                .hasMessageContaining(sentence)
                .message()
                .doesNotContain("\n");
    }

    @Test
    void a_bundle_that_cannot_be_used_is_refused_with_a_sentence() throws IOException {
        Path absent = directory.resolve("absent.crt");
        Path garbled = Files.writeString(directory.resolve("garbled.crt"), "This is no certificate.");
        refused(bundle(new Issued(absent, alphas.key()), null), ClientAuth.NONE, absent.toString());
        refused(bundle(new Issued(garbled, alphas.key()), null), ClientAuth.NONE, "ertificate");
        refused(bundle(new Issued(alphas.certificate(), omegas.key()), null), ClientAuth.NONE, "is not that of");
        refused(bundle(alphas, null), ClientAuth.NEED, "it has no truststore");
        SslBundle keyless = SslBundle.of(
                new PemSslStoreBundle(null, PemSslStoreDetails.forCertificate("file:" + ours.certificate)));
        refused(keyless, ClientAuth.NONE, "it has no certificate with a private key");
        SslBundle fine = bundle(alphas, null);
        SslOptions unknown = SslOptions.of(Set.of("TLS_OF_NOBODY"), null);
        refused(SslBundle.of(fine.getStores(), fine.getKey(), unknown), ClientAuth.NONE, "TLS_OF_NOBODY");
        SslOptions never = SslOptions.of(null, Set.of("TLSv9"));
        refused(SslBundle.of(fine.getStores(), fine.getKey(), never), ClientAuth.NONE, "TLSv9");
    }

    @Test
    void a_bundle_that_does_not_exist_is_refused_with_those_that_do() {
        assertThatThrownBy(() -> BundleTls.of(new Ssl("alhpa", ClientAuth.NONE), bundles, Clock.systemUTC()))
                .isInstanceOf(RefusedPropertyException.class)
                .hasMessage("alpha.grpc.ssl.bundle must be a bundle under spring.ssl.bundle, such as alpha, but was"
                        + " 'alhpa'.");
    }
}
