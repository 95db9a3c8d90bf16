package io.alphaomega.omega.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.alphaomega.omega.AlphaConnectionDetails;
import io.alphaomega.omega.spring.Applications;
import io.alphaomega.omega.spring.SmallAlpha;
import io.alphaomega.omega.stream.AlphaClient;
import io.alphaomega.omega.stream.AlphaStatus;
import io.alphaomega.omega.stream.AlphaStatus.State;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.cloud.client.discovery.DiscoveryClient;
import org.springframework.cloud.client.discovery.composite.CompositeDiscoveryClientAutoConfiguration;
import org.springframework.cloud.client.discovery.event.HeartbeatEvent;
import org.springframework.cloud.client.discovery.simple.SimpleDiscoveryClientAutoConfiguration;
import org.springframework.cloud.client.discovery.simple.SimpleDiscoveryProperties;
import org.springframework.cloud.commons.util.UtilAutoConfiguration;

/** Services that find alpha in a registry: the one that is written down in properties. */
class RegisteredAlphasTest {
    private static final String FIRST = "spring.cloud.discovery.client.simple.instances.alpha[0].";

    private static final String SECOND = FIRST.replace('0', '1');
    private static final String THIRD = FIRST.replace('0', '2');

    private final SmallAlpha alpha = new SmallAlpha();
    private final SmallAlpha other = new SmallAlpha();

    @AfterEach
    void stop() {
        alpha.close();
        other.close();
    }

    private static ApplicationContextRunner service() {
        return Applications.plain()
                .withConfiguration(AutoConfigurations.of(
                        UtilAutoConfiguration.class,
                        SimpleDiscoveryClientAutoConfiguration.class,
                        CompositeDiscoveryClientAutoConfiguration.class,
                        OmegaDiscoveryAutoConfiguration.class))
                .withPropertyValues(
                        "omega.alpha.service-id=alpha", "omega.drain-timeout=100ms", FIRST + "host=127.0.0.1");
    }

    private static int port(SmallAlpha alpha) {
        return Integer.parseInt(alpha.address().substring(alpha.address().lastIndexOf(':') + 1));
    }

    private static List<String> connected(AlphaClient client) {
        return client.status().stream()
                .filter(each -> each.state() == State.CONNECTED)
                .map(AlphaStatus::address)
                .toList();
    }

    @ParameterizedTest
    @ValueSource(strings = {"metadata[grpc.port]", "metadata[gRPC_port]", "port"})
    void the_grpc_port_is_in_the_metadata_or_else_the_instances_own(String key) {
        service()
                .withPropertyValues("omega.alpha.addresses=", FIRST + "port=1", FIRST + key + "=" + port(alpha))
                .run(context -> {
                    AlphaClient client = context.getBean(AlphaClient.class);
                    await().until(() ->
                            connected(client).equals(List.of("service alpha (127.0.0.1:" + port(alpha) + ")")));
                });
    }

    @Test
    void instances_that_are_registered_wrongly_are_left_out_and_found_when_the_registry_says_that_they_are_mended() {
        service()
                .withPropertyValues(
                        FIRST + "metadata[grpc.port]=none",
                        SECOND + "host=127.0.0.1",
                        SECOND + "port=" + port(other),
                        THIRD + "host=",
                        THIRD + "port=" + port(other))
                .run(context -> {
                    AlphaClient client = context.getBean(AlphaClient.class);
                    await().until(() -> connected(client).size() == 1);
                    assertThat(client.status()).hasSize(1);

                    var registered =
                            context.getBean(SimpleDiscoveryProperties.class).getInstances();
                    Objects.requireNonNull(registered.get("alpha"))
                            .get(0)
                            .getMetadata()
                            .put("grpc.port", String.valueOf(port(alpha)));
                    context.publishEvent(new HeartbeatEvent(this, 1));
                    await().until(() -> connected(client).size() == 2);
                });
    }

    @Test
    void a_registry_is_not_asked_for_alphas_where_their_addresses_are_said() {
        service()
                .withPropertyValues(
                        "omega.alpha.service-id=", "omega.alpha.addresses=" + alpha.address(), FIRST + "port=1")
                .run(context -> {
                    AlphaClient client = context.getBean(AlphaClient.class);
                    context.publishEvent(new HeartbeatEvent(this, 1));
                    await().until(() -> connected(client).equals(List.of(alpha.address())));
                });
    }

    @Test
    void what_cannot_work_is_refused() {
        service()
                .withPropertyValues("omega.alpha.addresses=127.0.0.1:8071")
                .run(context -> Applications.assertRefused(
                        context,
                        "omega.alpha.service-id is 'alpha' and omega.alpha.addresses is '127.0.0.1:8071', but alphas are"
                                + " looked for in one way."));
        service()
                .withPropertyValues("spring.cloud.discovery.enabled=false")
                .run(context -> Applications.assertRefused(context, "this service has no DiscoveryClient"));
        Applications.plain()
                .withPropertyValues("omega.alpha.service-id=alpha")
                .withConfiguration(AutoConfigurations.of(OmegaDiscoveryAutoConfiguration.class))
                .withClassLoader(new FilteredClassLoader(DiscoveryClient.class))
                .run(context -> Applications.assertRefused(context, "this service has no DiscoveryClient"));
    }

    @Test
    void connection_details_take_its_place_as_that_of_addresses() {
        service()
                .withBean(AlphaConnectionDetails.class, () -> () -> List.of(alpha.address()))
                .run(context -> await().until(() ->
                        connected(context.getBean(AlphaClient.class)).equals(List.of(alpha.address()))));
    }
}
