package io.alphaomega.samples.bank.planted;

import io.alphaomega.repository.servers.Command;
import io.alphaomega.repository.servers.ServerProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Alphas and services as processes of their own, with a bug before their class path. */
final class Processes {
    private static final Duration PROBE_TIMEOUT = Duration.ofSeconds(1);

    private final HttpClient http;
    private final Path planted;

    /** @param planted what {@link Planting} has made; an empty directory for nothing */
    Processes(HttpClient http, Path planted) {
        this.http = http;
        this.planted = planted;
    }

    /** One on the store, not started yet. It knows of no other node. */
    ServerProcess alpha(int httpPort, int grpcPort, int redisPort) {
        return process(
                "alpha",
                targetOf("alpha.target"),
                "alpha-server.jar",
                "io.alphaomega.server.AlphaServer",
                httpPort,
                List.of(
                        "--server.port=" + httpPort,
                        "--alpha.grpc.port=" + grpcPort,
                        "--alpha.cluster.port=" + ServerProcess.freePort(),
                        "--alpha.repository.type=redis",
                        "--alpha.repository.redis.uri=redis://127.0.0.1:" + redisPort,
                        "--alpha.saga.branch-timeout=4s",
                        "--alpha.saga.callback-timeout=3s",
                        "--alpha.saga.callback-first-delay=100ms",
                        "--alpha.saga.callback-max-delay=1s",
                        "--alpha.saga.start-grace=500ms"));
    }

    ServerProcess process(String name, Path target, String jar, String main, int httpPort, List<String> arguments) {
        List<Object> words = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java"),
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "--sun-misc-unsafe-memory-access=allow",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                planted + ":" + target.resolve(jar) + ":" + target.resolve("lib") + "/*",
                main));
        words.addAll(arguments);
        URI ready = URI.create("http://127.0.0.1:%d/actuator/health/readiness".formatted(httpPort));
        return new ServerProcess(
                ServerProcess.newDirectory(name),
                Command.of(words.toArray()),
                () -> http.send(
                                        HttpRequest.newBuilder(ready)
                                                .timeout(PROBE_TIMEOUT)
                                                .build(),
                                        HttpResponse.BodyHandlers.discarding())
                                .statusCode()
                        == 200);
    }

    /** The jar and those beside it. */
    static List<Path> jars(Path target, String jar) {
        try (Stream<Path> lib = Files.list(target.resolve("lib"))) {
            return Stream.concat(Stream.of(target.resolve(jar)), lib).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Path targetOf(String property) {
        String path = System.getProperty(property);
        if (path == null) {
            throw new IllegalStateException("The tests of processes run by Maven, which says by " + property
                    + " where the jars are: scripts/test, or mvn verify.");
        }
        return Path.of(path).toAbsolutePath().normalize();
    }
}
