package io.alphaomega.omega.transport;

import io.alphaomega.repository.servers.Command;
import io.alphaomega.repository.servers.ServerProcess;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/** Measures what the starter costs a service, beside an alpha on this machine: {@code scripts/starter-cost --help}. */
final class StarterCost {
    private StarterCost() {}

    /**
     * Prints a table.
     *
     * @param args {@code start}, {@code calls}, {@code outage} or {@code test}, and options
     */
    public static void main(String[] args) {
        int code = 0;
        try {
            measure(args[0], Arrays.copyOfRange(args, 1, args.length));
        } catch (Throwable e) {
            e.printStackTrace();
            code = 1;
        }
        System.exit(code); // Threads of a broker and of its clients may be left, more so if something was thrown.
    }

    private static void measure(String what, String... options) throws Exception {
        if (what.equals("test")) {
            new TestCost(options).measure();
            return;
        }
        int grpc = ServerProcess.freePort();
        try (ServerProcess alpha = alpha(ServerProcess.freePort(), grpc)) {
            alpha.start();
            String address = "127.0.0.1:" + grpc;
            switch (what) {
                case "start" -> new StartCost(address, options).measure();
                case "calls" -> new CallCost(address, options).measure();
                case "outage" -> new Outage(alpha, address, options).measure();
                default ->
                    throw new IllegalArgumentException(
                            "'%s' is none of start, calls, outage and test.".formatted(what));
            }
        }
    }

    /** On the embedded store, which syncs what it acknowledges to disk. */
    static ServerProcess alpha(int http, int grpc) {
        Path directory = ServerProcess.newDirectory("alpha");
        HttpRequest ready = HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + http + "/actuator/health/readiness"))
                .build();
        HttpClient client = HttpClient.newHttpClient();
        Command command = java().with(
                        "-jar",
                        Path.of(System.getProperty("alpha.jar")).toAbsolutePath(),
                        "--server.port=" + http,
                        "--alpha.grpc.port=" + grpc,
                        "--alpha.cluster.port=" + ServerProcess.freePort(),
                        "--alpha.repository.embedded.directory=" + directory.resolve("sagas"));
        return new ServerProcess(
                directory,
                command,
                () -> client.send(ready, BodyHandlers.discarding()).statusCode() == 200);
    }

    /** With the JVM's defaults, and without warnings. */
    static Command java() {
        return Command.of(
                Path.of(System.getProperty("java.home"), "bin", "java"),
                "--sun-misc-unsafe-memory-access=allow",
                "--enable-native-access=ALL-UNNAMED");
    }

    /** A service of this module, with all that it has; {@code options} are the JVM's. */
    static Command service(Class<?> main, Object... options) {
        return java().with(options)
                .with(
                        // As in the tests' pom.
                        "-Ddubbo.network.interface.ignored=.*",
                        "-Ddubbo.protocol.triple.rest.enabled=false",
                        "-cp",
                        System.getProperty("java.class.path"),
                        main.getName());
    }

    /** A class path that Maven has written into a file. */
    static String dependencies(Path file) throws IOException {
        return Files.readString(file).strip();
    }

    /** The number behind {@code --name=}, or the default. */
    static int option(String[] options, String name, int byDefault) {
        String start = "--" + name + "=";
        return Arrays.stream(options)
                .filter(option -> option.startsWith(start))
                .map(option -> Integer.parseInt(option.substring(start.length())))
                .findFirst()
                .orElse(byDefault);
    }
}
