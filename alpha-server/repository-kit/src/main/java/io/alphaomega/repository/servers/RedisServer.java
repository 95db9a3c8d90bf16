package io.alphaomega.repository.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Redis as Debian packages it, on a free port of this machine. It writes to its disk, every second, unless told otherwise. */
public final class RedisServer implements AutoCloseable {
    private final ServerProcess process;
    private final int port;
    private final List<String> clientArguments;

    private RedisServer(ServerProcess process, int port, List<String> clientArguments) {
        this.process = process;
        this.port = port;
        this.clientArguments = clientArguments;
    }

    /**
     * A new server, running.
     *
     * @param settings as in its configuration file: {@code appendfsync always}. They win over those of this class
     */
    public static RedisServer start(String... settings) {
        return start(ServerProcess.newDirectory("redis"), settings);
    }

    /** A server on a directory that may have the data of an earlier one. */
    public static RedisServer start(Path directory, String... settings) {
        return at(ServerProcess.freePort(), directory, settings);
    }

    static RedisServer at(int port, Path directory, String... settings) {
        Command server = Command.of(
                Installed.redisServer(),
                "--port",
                port,
                "--bind",
                "127.0.0.1",
                "--dir",
                directory,
                "--save",
                "",
                "--appendonly",
                "yes",
                "--appendfsync",
                "everysec");
        for (String setting : settings) server = server.with((Object[]) ("--" + setting).split(" ", -1));
        RedisServer started = new RedisServer(
                new ServerProcess(directory, server, () -> isReady(port)), port, List.of("-p", Integer.toString(port)));
        started.process.start();
        return started;
    }

    /**
     * A server that speaks TLS only.
     *
     * @param certificate of itself, in PEM
     */
    public static RedisServer startWithTls(Path certificate, Path key, String... settings) {
        Path directory = ServerProcess.newDirectory("redis-tls");
        int port = ServerProcess.freePort();
        Command server = Command.of(
                Installed.redisServer(),
                "--port",
                0,
                "--tls-port",
                port,
                "--tls-auth-clients",
                "no",
                "--tls-cert-file",
                certificate,
                "--tls-key-file",
                key,
                "--tls-ca-cert-file",
                certificate,
                "--bind",
                "127.0.0.1",
                "--dir",
                directory,
                "--save",
                "",
                "--appendonly",
                "yes");
        for (String setting : settings) server = server.with((Object[]) ("--" + setting).split(" ", -1));
        ServerProcess process = new ServerProcess(directory, server, ServerProcess.listening(port));
        RedisServer started = new RedisServer(
                process, port, List.of("-p", Integer.toString(port), "--tls", "--cacert", certificate.toString()));
        process.start();
        return started;
    }

    /** A Sentinel that watches a primary on this machine, by the name {@code alpha}, and replaces it soon after its end. */
    public static RedisServer startSentinel(RedisServer primary) {
        Path directory = ServerProcess.newDirectory("redis-sentinel");
        int port = ServerProcess.freePort();
        try {
            Path configuration =
                    Files.writeString(directory.resolve("sentinel.conf"), """
                    port %d
                    bind 127.0.0.1
                    sentinel monitor alpha 127.0.0.1 %d 1
                    sentinel down-after-milliseconds alpha 500
                    sentinel failover-timeout alpha 5000
                    """.formatted(port, primary.port()));
            Command server = Command.of(Installed.redisServer(), configuration, "--sentinel");
            RedisServer sentinel = new RedisServer(
                    new ServerProcess(directory, server, () -> isReady(port)),
                    port,
                    List.of("-p", Integer.toString(port)));
            sentinel.process.start();
            return sentinel;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Also when it demands a password; not while it reads its data. */
    private static boolean isReady(int port) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.getOutputStream().write("PING\r\n".getBytes(StandardCharsets.US_ASCII));
            byte[] answer = socket.getInputStream().readNBytes(5);
            String word = new String(answer, StandardCharsets.US_ASCII);
            return word.equals("+PONG") || word.equals("-NOAU");
        }
    }

    public ServerProcess process() {
        return process;
    }

    public int port() {
        return port;
    }

    /** What {@code redis-cli} prints. An error of Redis is printed too. */
    public String ask(String... words) {
        try {
            List<String> command = new ArrayList<>(List.of("redis-cli"));
            command.addAll(clientArguments);
            command.addAll(List.of(words));
            return Command.of(command.toArray()).run(process.directory()).strip();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A value of {@code INFO}; 0 if there is none. Of several values, as of a command's statistics, the one that is named. */
    public long figure(String section, String name) {
        return Stream.of(ask("INFO", section).split("\\s+", -1))
                .filter(line -> line.startsWith(name + ":"))
                .map(line -> line.substring(name.length() + 1))
                .map(value -> value.startsWith("calls=") ? value.substring(6, value.indexOf(',')) : value)
                .mapToLong(value -> (long) Double.parseDouble(value))
                .findFirst()
                .orElse(0);
    }

    @Override
    public void close() {
        process.close();
    }
}
