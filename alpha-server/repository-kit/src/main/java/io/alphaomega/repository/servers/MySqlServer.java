package io.alphaomega.repository.servers;

import java.nio.file.Path;
import java.util.List;

/** The real MySQL, with its own defaults but for a smaller buffer pool and log. */
public final class MySqlServer implements DatabaseServer {
    private final MySqlFamily server;

    private MySqlServer(MySqlFamily server) {
        this.server = server;
    }

    /**
     * A new server, running.
     *
     * @param settings such as {@code --innodb-flush-log-at-trx-commit=2}
     */
    public static MySqlServer start(String... settings) {
        return start(ServerProcess.newDirectory("mysql"), settings);
    }

    /** A server on a directory that may have the data of an earlier one. */
    public static MySqlServer start(Path directory, String... settings) {
        Command mysqld = Installed.mySqlServer().with(MySqlFamily.AS_THIS_USER);
        // A redo log of this size is allocated at once, and copied whenever the disk's power is cut.
        Command run = mysqld.with("--innodb-redo-log-capacity=32M");
        return new MySqlServer(
                MySqlFamily.start(directory, mysqld.with("--initialize-insecure"), run, List.of(settings)));
    }

    @Override
    public ServerProcess process() {
        return server.process();
    }

    @Override
    public int port() {
        return server.port();
    }

    /** MySQL sends no password over an open connection unless the client may ask for the server's public key. */
    @Override
    public String url(int port) {
        return "jdbc:mysql://127.0.0.1:" + port + "/" + DATABASE + "?allowPublicKeyRetrieval=true";
    }

    @Override
    public void close() {
        process().close();
    }
}
