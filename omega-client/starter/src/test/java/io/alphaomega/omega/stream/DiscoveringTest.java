package io.alphaomega.omega.stream;

import static io.alphaomega.omega.stream.Omega.PATIENCE;
import static io.alphaomega.omega.stream.Omega.SUCCESS;
import static io.alphaomega.omega.stream.Omega.begin;
import static io.alphaomega.omega.stream.Omega.settings;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.alphaomega.omega.AlphaUnavailableException;
import io.alphaomega.omega.stream.AlphaStatus.State;
import io.alphaomega.protocol.v1.Hello;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Alphas that a registry knows. */
@Timeout(60)
final class DiscoveringTest {
    private final AtomicReference<Supplier<List<InetSocketAddress>>> registry = new AtomicReference<>(List::of);

    private AlphaClient client() {
        return client(settings(16, "nowhere:1"));
    }

    private AlphaClient client(AlphaClientSettings settings) {
        Hello hello = Hello.newBuilder()
                .setService("booking")
                .setInstance("booking-1")
                .build();
        AlphaService service = new AlphaService("alpha", () -> registry.get().get());
        AlphaClient client = new AlphaClient(settings, () -> hello, call -> SUCCESS, null, service);
        client.start();
        return client;
    }

    private void register(ScriptedAlpha... alphas) {
        List<InetSocketAddress> known = Stream.of(alphas)
                .map(each -> InetSocketAddress.createUnresolved("127.0.0.1", each.port()))
                .toList();
        registry.set(() -> known);
    }

    private static List<String> connected(AlphaClient client) {
        return client.status().stream()
                .filter(each -> each.state() == State.CONNECTED)
                .map(AlphaStatus::node)
                .sorted()
                .toList();
    }

    private static boolean isAlone(AlphaClient client, String node) {
        return connected(client).equals(List.of(node)) && client.status().size() == 1;
    }

    @Test
    void new_instances_are_found_and_gone_ones_dropped_once_they_are_away() {
        ScriptedAlpha first = new ScriptedAlpha("a");
        try (ScriptedAlpha second = new ScriptedAlpha("b")) {
            register(first);
            try (AlphaClient client = client()) {
                await().until(() -> connected(client).equals(List.of("a")));
                assertThat(client.status().get(0).address())
                        .isEqualTo("service alpha (127.0.0.1:" + first.port() + ")");

                register(first, second);
                client.lookAgain();
                await().until(() -> connected(client).equals(List.of("a", "b")));

                register(second);
                client.lookAgain();
                assertThat(client.call(begin("saga"), PATIENCE).hasAccepted()).isTrue();
                first.stop();
                await().until(() -> isAlone(client, "b"));
            }
        } finally {
            first.stop();
        }
    }

    @Test
    void an_instance_that_takes_connections_and_never_answers_is_forgotten_too() throws IOException {
        Duration soon = Duration.ofMillis(200);
        AlphaClientSettings settings =
                new AlphaClientSettings(List.of("nowhere:1"), AlphaClientSettings.ACK_TIMEOUT, soon, soon, 16, 1, soon);
        try (ServerSocket mute = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
                ScriptedAlpha alpha = new ScriptedAlpha("a")) {
            registry.set(() -> List.of(InetSocketAddress.createUnresolved("127.0.0.1", mute.getLocalPort())));
            try (AlphaClient client = client(settings)) {
                await().until(() -> client.status().stream().anyMatch(each -> each.state() == State.CONNECTING));
                register(alpha);
                client.lookAgain();
                await().until(() -> isAlone(client, "a"));
            }
        }
    }

    @Test
    void a_registry_that_is_away_or_has_forgotten_everything_takes_no_alpha_away() {
        ScriptedAlpha alpha = new ScriptedAlpha("a");
        try (AlphaClient client = client()) {
            await().until(() -> !client.status().isEmpty());
            assertThat(client.status()).singleElement().satisfies(missing -> {
                assertThat(missing.address()).isEqualTo("service alpha");
                assertThat(missing.lastError()).isEqualTo("the registry knows no instance of it");
            });
            register(alpha);
            client.lookAgain();
            await().until(() -> connected(client).equals(List.of("a")));

            registry.set(() -> {
                throw new IllegalStateException("registry on fire");
            });
            client.lookAgain();
            alpha.stop();
            await().until(() -> connected(client).isEmpty());
            try (ScriptedAlpha successor = alpha.successor()) {
                await().until(() -> connected(client).equals(List.of("a'")));
                registry.set(List::of);
                client.lookAgain();
                assertThat(client.call(begin("saga"), PATIENCE).hasAccepted()).isTrue();
                assertThat(successor.inputs()).hasSize(1);
            }
        } finally {
            alpha.stop();
        }
    }

    @Test
    void who_waits_in_vain_is_told_that_the_registry_cannot_be_asked_and_instances_with_unknown_names_are_left_out() {
        registry.set(() -> {
            throw new IllegalStateException("registry on fire");
        });
        try (AlphaClient client = client();
                ScriptedAlpha alpha = new ScriptedAlpha("a")) {
            await().until(() -> !client.status().isEmpty());
            assertThatThrownBy(() -> client.call(begin("saga"), Duration.ofMillis(1)))
                    .isInstanceOf(AlphaUnavailableException.class)
                    .hasMessageContaining("service alpha")
                    .hasMessageContaining("the registry cannot be asked")
                    .hasMessageContaining("registry on fire");
            registry.set(() -> List.of(
                    InetSocketAddress.createUnresolved("alpha.invalid", 8071),
                    InetSocketAddress.createUnresolved("127.0.0.1", alpha.port())));
            client.lookAgain();
            await().until(() -> connected(client).equals(List.of("a")));
            assertThat(client.status()).hasSize(1);
        }
    }
}
