package io.alphaomega.repository.servers;

import java.nio.file.Path;

/** RabbitMQ as Debian packages it, on free ports of this machine, without plugins; its user is {@code guest}. */
public final class RabbitMqServer implements AutoCloseable {
    /** The daemon in which Erlang's nodes of a machine know each other: one of its own, which ends with the server. */
    private final ServerProcess names;

    private final ServerProcess process;
    private final int port;

    private RabbitMqServer(ServerProcess names, ServerProcess process, int port) {
        this.names = names;
        this.process = process;
        this.port = port;
    }

    /** A new server, running. */
    public static RabbitMqServer start() {
        Path directory = ServerProcess.newDirectory("rabbitmq");
        int namesPort = ServerProcess.freePort();
        int port = ServerProcess.freePort();
        ServerProcess names = new ServerProcess(
                ServerProcess.newDirectory("epmd"),
                Command.of(Installed.epmd(), "-port", namesPort, "-address", "127.0.0.1"),
                ServerProcess.listening(namesPort));
        Command server = Command.of(Installed.rabbitMqServer(), "-noinput")
                .environment("HOME", directory.toString())
                .environment("ERL_EPMD_PORT", Integer.toString(namesPort))
                .environment("RABBITMQ_NODENAME", "test-" + port + "@localhost")
                .environment("RABBITMQ_NODE_IP_ADDRESS", "127.0.0.1")
                .environment("RABBITMQ_NODE_PORT", Integer.toString(port))
                .environment("RABBITMQ_DIST_PORT", Integer.toString(ServerProcess.freePort()))
                .environment("RABBITMQ_MNESIA_BASE", directory.toString())
                .environment("RABBITMQ_LOG_BASE", directory.toString())
                .environment("RABBITMQ_LOGS", "-")
                .environment("RABBITMQ_PID_FILE", directory.resolve("pid").toString())
                .environment(
                        "RABBITMQ_ENABLED_PLUGINS_FILE",
                        directory.resolve("plugins").toString())
                .environment("RABBITMQ_CONFIG_FILE", directory.resolve("none").toString())
                .environment("RABBITMQ_CONF_ENV_FILE", directory.resolve("none").toString())
                // Otherwise a shell stays in front of it, which a kill would hit.
                .environment("RABBITMQ_ALLOW_INPUT", "true");
        RabbitMqServer started =
                new RabbitMqServer(names, new ServerProcess(directory, server, ServerProcess.listening(port)), port);
        started.names.start();
        started.process.start();
        return started;
    }

    public ServerProcess process() {
        return process;
    }

    public int port() {
        return port;
    }

    @Override
    public void close() {
        process.close();
        names.close();
    }
}
