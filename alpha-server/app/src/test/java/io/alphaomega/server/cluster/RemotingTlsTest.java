package io.alphaomega.server.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import akka.actor.typed.javadsl.Behaviors;
import akka.cluster.Cluster;
import com.typesafe.config.ConfigFactory;
import io.alphaomega.repository.servers.Authority;
import io.alphaomega.repository.servers.ServerProcess;
import io.alphaomega.server.saga.FaultyRepository;
import io.alphaomega.server.saga.TestNode;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.Map;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLSocketFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What Akka's own options of the JVM do to the port between nodes. */
class RemotingTlsTest {
    private static final String ARTERY = "akka.remote.artery.";
    private static final String ENGINE = ARTERY + "ssl.config-ssl-engine.";

    @TempDir
    private Path directory;

    @AfterEach
    void forget() {
        System.getProperties().stringPropertyNames().stream()
                .filter(name -> name.startsWith(ARTERY))
                .forEach(System::clearProperty);
        ConfigFactory.invalidateCaches();
    }

    private static TestNode node(FaultyRepository store, int port, int seed) {
        return new TestNode(store, TestNode.at(port, seed), new SimpleMeterRegistry(), self -> Behaviors.empty());
    }

    @Test
    void nodes_that_are_given_keys_speak_tls() throws Exception {
        new Authority(directory, "cluster").issue("node");
        String keys = directory.resolve("cluster.p12").toString();
        Map.of(
                        ARTERY + "transport", "tls-tcp",
                        ENGINE + "key-store", keys,
                        ENGINE + "key-store-password", "changeit",
                        ENGINE + "key-password", "changeit",
                        ENGINE + "trust-store", keys,
                        ENGINE + "trust-store-password", "changeit",
                        ENGINE + "protocol", "TLSv1.3",
                        ENGINE + "enabled-algorithms.0", "TLS_AES_256_GCM_SHA384")
                .forEach(System::setProperty);
        ConfigFactory.invalidateCaches();
        FaultyRepository store = new FaultyRepository();
        int port = ServerProcess.freePort();
        try (TestNode one = node(store, port, port);
                TestNode two = node(store, ServerProcess.freePort(), port)) {
            one.cluster.start();
            two.cluster.start();
            await().until(() ->
                    Cluster.get(one.cluster.system()).state().members().size() == 2);
            // It speaks TLS, and this one does not trust it.
            try (var stranger = SSLSocketFactory.getDefault().createSocket(InetAddress.getLoopbackAddress(), port)) {
                assertThat(catchThrowable(() -> stranger.getOutputStream().write(1)))
                        .isInstanceOf(SSLHandshakeException.class)
                        .hasMessageContaining("unable to find valid certification path");
            }
        }
    }
}
