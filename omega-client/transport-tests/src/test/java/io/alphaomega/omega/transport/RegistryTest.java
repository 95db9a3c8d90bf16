package io.alphaomega.omega.transport;

import static io.alphaomega.omega.test.OmegaAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.alphaomega.omega.stream.AlphaClient;
import io.alphaomega.omega.stream.AlphaStatus;
import io.alphaomega.omega.stream.AlphaStatus.State;
import io.alphaomega.omega.test.SocketAlpha;
import io.alphaomega.omega.test.TestAlpha;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryForever;
import org.apache.curator.x.discovery.ServiceDiscovery;
import org.apache.curator.x.discovery.ServiceDiscoveryBuilder;
import org.apache.curator.x.discovery.ServiceInstance;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.cloud.client.discovery.DiscoveryClient;
import org.springframework.cloud.zookeeper.discovery.ZookeeperInstance;
import org.springframework.context.ConfigurableApplicationContext;

/** A service that finds its alphas in a real ZooKeeper, by Spring Cloud's client, and follows them there. */
class RegistryTest {
    private static final ZooKeeperServer REGISTRY = ZooKeeperServer.start();

    /** The alphas are its nodes: what one is told, the others know. */
    private static final TestAlpha ALPHA = new TestAlpha();

    private static final SocketAlpha FIRST = new SocketAlpha(ALPHA);

    private static final CuratorFramework CURATOR =
            CuratorFrameworkFactory.newClient(REGISTRY.address(), new RetryForever(100));
    private static final ServiceDiscovery<ZookeeperInstance> PLATFORM = ServiceDiscoveryBuilder.builder(
                    ZookeeperInstance.class)
            .client(CURATOR)
            .basePath("/services")
            .build();

    private static final ConfigurableApplicationContext SERVICE = service();

    private final AlphaClient client = SERVICE.getBean(AlphaClient.class);
    private final Orders orders = SERVICE.getBean(Orders.class);
    private final Stock stock = SERVICE.getBean(Stock.class);
    private final String item = UUID.randomUUID().toString();

    /** One alpha is registered before it starts. */
    private static ConfigurableApplicationContext service() {
        CURATOR.start();
        enterByHand("alpha-1", FIRST);
        return new SpringApplicationBuilder(Shop.class)
                .run(
                        "--server.port=0",
                        "--spring.cloud.zookeeper.enabled=true",
                        "--spring.cloud.zookeeper.connect-string=" + REGISTRY.address(),
                        // A question to a registry that is away fails soon.
                        "--spring.cloud.zookeeper.connection-timeout=500ms",
                        "--spring.cloud.zookeeper.max-retries=1",
                        "--omega.alpha.addresses=",
                        "--omega.alpha.service-id=alpha",
                        "--omega.alpha.reconnect-delay-max=500ms");
    }

    /** As docs/client/connections.md has it for ZooKeeper's own command line. */
    private static void enterByHand(String id, SocketAlpha alpha) {
        String entry = """
                {"name":"alpha","id":"%s","address":"127.0.0.1","port":%d}""".formatted(id, alpha.port());
        try {
            var unused = CURATOR.create()
                    .creatingParentsIfNeeded()
                    .forPath("/services/alpha/" + id, entry.getBytes(StandardCharsets.UTF_8));
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    /** As a platform has it, while the alpha runs: by its port of HTTP, with that of gRPC in the metadata. */
    private static ServiceInstance<ZookeeperInstance> entry(SocketAlpha alpha) throws Exception {
        String grpc = String.valueOf(alpha.port());
        return ServiceInstance.<ZookeeperInstance>builder()
                .name("alpha")
                .address("127.0.0.1")
                .port(8090)
                .payload(new ZookeeperInstance("alpha-" + grpc, "alpha", Map.of("grpc.port", grpc)))
                .build();
    }

    @BeforeEach
    void forget() {
        ALPHA.reset();
    }

    @AfterAll
    static void stop() {
        SERVICE.close();
        CURATOR.close();
        FIRST.close();
        ALPHA.close();
        REGISTRY.close();
    }

    @Test
    void an_alpha_that_is_registered_is_found_at_start() {
        await().until(() -> connected().equals(List.of(address(FIRST))));
        orders.run(() -> stock.take(item));
        assertThat(ALPHA.saga()).committed();
        assertThat(stock.taken(item)).isOne();
    }

    @Test
    void one_that_registers_later_is_connected_to_and_one_that_goes_away_is_left() throws Exception {
        try (SocketAlpha second = new SocketAlpha(ALPHA)) {
            ServiceInstance<ZookeeperInstance> entry = entry(second);
            PLATFORM.registerService(entry);
            await().until(() -> connected().contains(address(second)));
            orders.run(() -> stock.take(item));

            second.stop();
            PLATFORM.unregisterService(entry);
            await().until(() -> known().equals(List.of(address(FIRST))));
        }
        await().until(() -> connected().equals(List.of(address(FIRST))));
        orders.run(() -> stock.take(item));
        assertThat(ALPHA.sagas()).hasSize(2).allSatisfy(saga -> assertThat(saga).committed());
        assertThat(stock.taken(item)).isEqualTo(2);
    }

    @Test
    void sagas_go_on_while_the_registry_is_away_and_it_is_followed_again() throws Exception {
        await().until(() -> connected().equals(List.of(address(FIRST))));
        DiscoveryClient discovery = SERVICE.getBean(DiscoveryClient.class);
        try {
            orders.run(() -> {
                stock.take(item);
                REGISTRY.process().stop();
                assertThatThrownBy(() -> discovery.getInstances("alpha")).isNotNull();
                stock.take(item);
            });
            FIRST.stop();
            try {
                await().until(() -> connected().isEmpty());
            } finally {
                FIRST.comeBack();
            }
            await().until(() -> connected().equals(List.of(address(FIRST))));
            orders.run(() -> stock.take(item));
        } finally {
            if (!REGISTRY.process().isRunning()) REGISTRY.process().start();
        }

        try (SocketAlpha third = new SocketAlpha(ALPHA)) {
            ServiceInstance<ZookeeperInstance> entry = entry(third);
            PLATFORM.registerService(entry);
            await().until(() -> connected().contains(address(third)));
            orders.run(() -> stock.take(item));
            PLATFORM.unregisterService(entry);
        }
        await().until(() -> known().equals(List.of(address(FIRST))));
        assertThat(ALPHA.sagas()).hasSize(3).allSatisfy(saga -> assertThat(saga).committed());
        assertThat(stock.taken(item)).isEqualTo(4);
    }

    private static String address(SocketAlpha alpha) {
        return "service alpha (127.0.0.1:" + alpha.port() + ")";
    }

    private List<String> known() {
        return client.status().stream().map(AlphaStatus::address).toList();
    }

    private List<String> connected() {
        return client.status().stream()
                .filter(each -> each.state() == State.CONNECTED)
                .map(AlphaStatus::address)
                .toList();
    }
}
