package io.alphaomega.samples.boot3;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.util.FileSystemUtils;

/** A real alpha that speaks TLS, with a store of its own, in a process that ends with this JVM. */
final class Alpha {
    private static final Duration PATIENCE = Duration.ofMinutes(8);

    static final String PASSWORD = "changeit";

    /** Below the ports that systems give to connections, and those of the other tests: repository-kit's ServerProcess. */
    private static final int PORT_MIN = 10_000;

    private static final int PORTS = 2_000;
    private static final AtomicInteger NEXT_PORT =
            new AtomicInteger(ThreadLocalRandom.current().nextInt(PORTS));

    private final int port = freePort();
    private final int http = freePort();
    private final Process process;

    Alpha(Path directory) {
        try {
            FileSystemUtils.deleteRecursively(directory);
            Files.createDirectories(directory);
            makeCertificate(directory.resolve("keys.p12"));
            process = new ProcessBuilder(List.of(
                            System.getProperty("alpha.java"),
                            "-Xmx256m",
                            "-XX:+UseSerialGC",
                            "-XX:TieredStopAtLevel=1",
                            "--sun-misc-unsafe-memory-access=allow",
                            "--enable-native-access=ALL-UNNAMED",
                            "-jar",
                            Path.of(System.getProperty("alpha.jar"))
                                    .toAbsolutePath()
                                    .toString(),
                            "--server.port=" + http,
                            "--alpha.grpc.port=" + port,
                            "--alpha.grpc.ssl.bundle=alpha",
                            "--alpha.grpc.ssl.client-auth=need",
                            "--spring.ssl.bundle.jks.alpha.keystore.location=file:" + directory.resolve("keys.p12"),
                            "--spring.ssl.bundle.jks.alpha.keystore.password=" + PASSWORD,
                            "--spring.ssl.bundle.jks.alpha.truststore.location=file:" + directory.resolve("keys.p12"),
                            "--spring.ssl.bundle.jks.alpha.truststore.password=" + PASSWORD,
                            "--alpha.cluster.port=" + freePort(),
                            "--alpha.repository.embedded.directory=" + directory.resolve("sagas"),
                            "--alpha.saga.callback-first-delay=100ms",
                            "--alpha.saga.start-grace=1s"))
                    .directory(directory.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(directory.resolve("alpha.log").toFile())
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
        await("alpha is ready").atMost(PATIENCE).until(this::isReady);
    }

    /** One that vouches for itself, for alpha and the service alike. */
    private static void makeCertificate(Path store) throws IOException {
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        "shop",
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=shop",
                        "-ext",
                        "SAN=IP:127.0.0.1",
                        "-storetype",
                        "PKCS12",
                        "-storepass",
                        PASSWORD,
                        "-keystore",
                        store.toString())
                .inheritIO()
                .start();
        await("a certificate").atMost(PATIENCE).until(() -> !keytool.isAlive());
        if (keytool.exitValue() != 0) throw new IllegalStateException("keytool ended with " + keytool.exitValue());
    }

    String address() {
        return "127.0.0.1:" + port;
    }

    private boolean isReady() throws InterruptedException {
        if (!process.isAlive()) throw new IllegalStateException("Alpha has ended; see alpha.log.");
        HttpRequest ready = HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + http + "/actuator/health/readiness"))
                .build();
        try {
            return HttpClient.newHttpClient()
                            .send(ready, BodyHandlers.discarding())
                            .statusCode()
                    == 200;
        } catch (IOException notYet) {
            return false;
        }
    }

    /** One that is still free when a JVM that starts listens there. */
    static int freePort() {
        for (int tries = 0; tries < PORTS; tries++) {
            int port = PORT_MIN + NEXT_PORT.getAndIncrement() % PORTS;
            try (ServerSocket socket = new ServerSocket(port)) {
                return socket.getLocalPort();
            } catch (IOException taken) {
                // The next one.
            }
        }
        throw new IllegalStateException("No port is free between " + PORT_MIN + " and " + (PORT_MIN + PORTS) + ".");
    }
}
