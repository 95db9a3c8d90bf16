package io.alphaomega.samples.booking.processes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.alphaomega.omega.SagaSettings;
import io.alphaomega.omega.SagaTemplate;
import io.alphaomega.omega.stream.AlphaClient;
import io.alphaomega.omega.stream.AlphaStatus;
import io.alphaomega.repository.servers.Authority;
import io.alphaomega.repository.servers.Authority.Issued;
import io.alphaomega.samples.booking.car.CarApplication;
import io.alphaomega.samples.booking.car.CarDesk;
import io.alphaomega.samples.booking.car.CarOrder;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;

/** Services and a real alpha that speak TLS, both with certificates in files that are renewed, and some that cannot. */
@Tag("processes")
@Tag("long")
@ExtendWith({StageExtension.class, OutputCaptureExtension.class})
class TlsTest {
    private static final SagaSettings TRIP = SagaSettings.named("trip");

    @TempDir
    private static Path directory;

    private static Authority authority;
    private static Authority stranger;
    private static Issued alphas;
    private static Issued omegas;
    private static SecureAlpha alpha;

    private final Stage plain;

    TlsTest(Stage plain) {
        this.plain = plain;
    }

    @BeforeAll
    static void start() throws Exception {
        authority = new Authority(directory, "authority");
        stranger = new Authority(directory, "stranger");
        alphas = authority.issue("alpha");
        omegas = authority.issue("omega");
        alpha = new SecureAlpha(directory, alphas, authority.certificate);
    }

    @AfterAll
    static void stop() {
        alpha.close();
    }

    /** A service of that name with these properties, connected or not. */
    private static ConfigurableApplicationContext service(String name, String address, String... properties) {
        List<String> all = new ArrayList<>(List.of(
                "--spring.config.name=car",
                "--spring.application.name=" + name,
                "--sample.data=" + directory.resolve(name),
                "--car.fleet=1000000000",
                "--omega.alpha.addresses=" + address,
                "--omega.begin-timeout=30s",
                "--omega.alpha.reconnect-delay-max=500ms",
                "--spring.ssl.bundle.watch.file.quiet-period=200ms"));
        all.addAll(List.of(properties));
        assertThat(directory.resolve(name).toFile().mkdir()).isTrue();
        return new SpringApplicationBuilder(CarApplication.class)
                .web(WebApplicationType.NONE)
                .run(all.toArray(String[]::new));
    }

    private static String[] bundle(Path trusted, Issued... shown) {
        String bundle = "--spring.ssl.bundle.pem.omega.";
        return Stream.concat(
                        Stream.of(
                                "--omega.alpha.ssl.bundle=omega",
                                bundle + "reload-on-update=true",
                                bundle + "truststore.certificate=file:" + trusted),
                        Stream.of(shown)
                                .flatMap(each -> Stream.of(
                                        bundle + "keystore.certificate=file:" + each.certificate(),
                                        bundle + "keystore.private-key=file:" + each.key())))
                .toArray(String[]::new);
    }

    private static String saga(ConfigurableApplicationContext service, String trip) {
        return service.getBean(SagaTemplate.class).execute(TRIP, saga -> {
            service.getBean(CarDesk.class).book(new CarOrder(trip, "ann", 1));
            return saga.id().orElseThrow();
        });
    }

    private static AlphaStatus status(ConfigurableApplicationContext service) {
        AlphaClient client = service.getBean(AlphaClient.class);
        return await().until(client::status, all -> !all.isEmpty()).getFirst();
    }

    private static void awaitConnected(ConfigurableApplicationContext service) {
        await().until(() -> status(service).state() == AlphaStatus.State.CONNECTED);
    }

    @Test
    void no_saga_fails_while_the_certificates_of_both_sides_are_renewed() throws Exception {
        try (ConfigurableApplicationContext service =
                        service("renewed-car", alpha.grpc, bundle(authority.certificate, omegas));
                ExecutorService customers = Executors.newVirtualThreadPerTaskExecutor()) {
            awaitConnected(service);
            Instant connected = status(service).since();
            AtomicBoolean over = new AtomicBoolean();
            Future<Integer> booked = customers.submit(() -> {
                int count = 0;
                while (!over.get()) assertThat(saga(service, "trip-" + count++)).isNotEmpty();
                return count;
            });
            authority.issue("alpha-2").replace(alphas);
            authority.issue("omega-2").replace(omegas);
            await().until(() -> alpha.log().contains("certificate of CN=alpha-2"));
            // The next connection is one with both new certificates.
            try (ConfigurableApplicationContext next =
                    service("next-car", alpha.grpc, bundle(authority.certificate, omegas))) {
                awaitConnected(next);
                String saga = saga(next, "next");
                assertThat(alpha.api.awaitEnd(saga)).isEqualTo("COMMITTED");
            }
            over.set(true);
            assertThat(booked.get()).isPositive();
            assertThat(status(service).since()).isEqualTo(connected);
            assertThat(status(service).lastError()).isEmpty();
        }
    }

    /** Its log says so once, and its health as well. */
    private static void awaitTrouble(
            ConfigurableApplicationContext service, CapturedOutput output, String... sentence) {
        // Read once: on a busy machine the next attempt may end otherwise, for lack of time.
        String[] error = new String[1];
        await().untilAsserted(() -> {
            error[0] = status(service).lastError();
            assertThat(error[0]).contains(sentence);
        });
        assertThat(output.getAll().lines())
                .filteredOn(line -> line.contains("No connection to alpha") && line.contains(error[0]))
                .hasSize(1);
        assertThat(output.getAll()).doesNotContain("\tat io.grpc", "\tat io.netty");
        HealthIndicator indicator = service.getBean("omegaHealthIndicator", HealthIndicator.class);
        await().untilAsserted(() -> {
            var health = Objects.requireNonNull(indicator.health(true));
            assertThat(health.getStatus()).isEqualTo(Status.DOWN);
            assertThat(health.getDetails().toString()).contains(sentence);
        });
    }

    @Test
    void a_service_without_tls_is_told_so(CapturedOutput output) {
        try (ConfigurableApplicationContext service = service("plain-car", alpha.grpc)) {
            awaitTrouble(service, output, "it answers with TLS, and this service connects without");
        }
    }

    @Test
    void a_service_with_tls_at_an_alpha_without_is_told_so(CapturedOutput output) {
        try (ConfigurableApplicationContext service =
                service("careful-car", plain.grpc, bundle(authority.certificate))) {
            awaitTrouble(service, output, "it answers without TLS, which omega.alpha.ssl asks for");
        }
    }

    @Test
    void a_service_without_a_certificate_is_told_so(CapturedOutput output) {
        try (ConfigurableApplicationContext service =
                service("nameless-car", alpha.grpc, bundle(authority.certificate))) {
            awaitTrouble(service, output, "it wants a certificate of this service", "the SSL bundle 'omega' has none");
        }
    }

    @Test
    void a_service_whose_certificate_alpha_does_not_trust_is_told_so(CapturedOutput output) throws Exception {
        try (ConfigurableApplicationContext service =
                service("strange-car", alpha.grpc, bundle(authority.certificate, stranger.issue("strange")))) {
            awaitTrouble(service, output, "it refuses the certificate that the SSL bundle 'omega' has");
        }
    }

    @Test
    void a_service_that_does_not_know_alphas_authority_is_told_so(CapturedOutput output) {
        try (ConfigurableApplicationContext service =
                service("wary-car", alpha.grpc, bundle(stranger.certificate, omegas))) {
            awaitTrouble(service, output, "is issued by CN=authority, whom the SSL bundle 'omega' does not trust");
        }
    }

    @Test
    void java_itself_trusts_no_authority_of_a_test(CapturedOutput output) {
        try (ConfigurableApplicationContext service =
                service("public-car", alpha.grpc, "--omega.alpha.ssl.enabled=true")) {
            awaitTrouble(service, output, "is issued by CN=authority, whom Java does not trust");
        }
    }

    @Test
    void an_alpha_with_another_name_is_not_trusted_unless_that_name_is_expected(CapturedOutput output) {
        String port = alpha.grpc.substring(alpha.grpc.indexOf(':'));
        String[] bundle = bundle(authority.certificate, omegas);
        try (ConfigurableApplicationContext service = service("lost-car", "localhost" + port, bundle)) {
            awaitTrouble(service, output, "is for 127.0.0.1, not for localhost: write a host that it is for");
        }
        try (ConfigurableApplicationContext service = service(
                "found-car",
                "localhost" + port,
                Stream.concat(Stream.of(bundle), Stream.of("--omega.alpha.ssl.server-name=127.0.0.1"))
                        .toArray(String[]::new))) {
            awaitConnected(service);
        }
    }

    @Test
    void an_alpha_whose_certificate_has_expired_is_not_trusted_until_it_is_renewed(CapturedOutput output)
            throws Exception {
        authority.issueExpired("old").replace(alphas);
        await().until(() -> alpha.log().contains("CN=old, expired at "));
        try (ConfigurableApplicationContext service =
                service("timely-car", alpha.grpc, bundle(authority.certificate, omegas))) {
            awaitTrouble(service, output, "its certificate CN=old, which has expired at ", "renew it");
            authority.issue("alpha-3").replace(alphas);
            awaitConnected(service);
        }
    }
}
