package io.alphaomega.server.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.alphaomega.repository.servers.Command;
import io.alphaomega.repository.servers.Installed;
import io.alphaomega.repository.servers.RedisServer;
import io.alphaomega.repository.servers.ServerProcess;
import io.alphaomega.server.AlphaProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two alphas, each at an address of its own, that know nothing but whom to ask for each other. */
class DiscoveryTest {
    private static final List<String> ADDRESSES = List.of("127.0.0.2", "127.0.0.3");

    @TempDir
    private Path directory;

    private final RedisServer redis = RedisServer.start();
    private final int port = ServerProcess.freePort();

    @AfterEach
    void stop() {
        redis.close();
    }

    @Test
    @Tag("long")
    void those_that_dns_knows_by_one_name_become_one_cluster() {
        int dns = ServerProcess.freePort();
        Command server = Command.of(
                Installed.dnsmasq(),
                "--keep-in-foreground",
                "--log-facility=-",
                "--no-resolv",
                "--no-hosts",
                "--user=" + System.getProperty("user.name"),
                "--pid-file=",
                "--listen-address=127.0.0.1",
                "--bind-interfaces",
                "--port=" + dns);
        for (String address : ADDRESSES) server = server.with("--host-record=alphas.example," + address);
        try (ServerProcess names =
                new ServerProcess(ServerProcess.newDirectory("dns"), server, ServerProcess.listening(dns))) {
            names.start();
            becomeOneCluster(
                    Map.of("JAVA_TOOL_OPTIONS", "-Dakka.io.dns.async-dns.nameservers=127.0.0.1:" + dns),
                    "dns",
                    "alphas.example");
        }
    }

    @Test
    @Tag("long")
    void pods_of_one_label_become_one_cluster() throws IOException, GeneralSecurityException {
        try (PodApi kubernetes = PodApi.start(directory, ADDRESSES)) {
            becomeOneCluster(kubernetes.environment(), "kubernetes-api", "coordinator");
            assertThat(kubernetes.asked())
                    .isNotEmpty()
                    .allMatch("/api/v1/namespaces/shop/pods?labelSelector=app=coordinator"::equals);
        }
    }

    private void becomeOneCluster(Map<String, String> environment, String method, String service) {
        try (AlphaProcess one = start(ADDRESSES.getFirst(), environment, method, service);
                AlphaProcess two = start(ADDRESSES.getLast(), environment, method, service)) {
            one.awaitReady();
            two.awaitReady();
            await().untilAsserted(() -> assertThat(one.get("/api/v1/nodes").body())
                    .contains(ADDRESSES)
                    .containsPattern("\"UP\".*\"UP\""));
        }
    }

    private AlphaProcess start(String address, Map<String, String> environment, String method, String service) {
        return AlphaProcess.start(
                directory,
                environment,
                "--alpha.repository.type=redis",
                "--alpha.repository.redis.uri=redis://127.0.0.1:" + redis.port(),
                "--alpha.cluster.host=" + address,
                "--alpha.cluster.discovery.method=" + method,
                "--alpha.cluster.discovery.service=" + service,
                "--alpha.cluster.discovery.port=" + port);
    }
}
