package io.alphaomega.repository.servers;

import java.nio.file.Path;
import java.util.List;

/** MariaDB as Debian packages it, with its own defaults but for a smaller buffer pool. */
public final class MariaDbServer implements DatabaseServer {
    private final MySqlFamily server;

    private MariaDbServer(MySqlFamily server) {
        this.server = server;
    }

    /**
     * A new server, running.
     *
     * @param settings such as {@code --innodb-flush-log-at-trx-commit=2}
     */
    public static MariaDbServer start(String... settings) {
        return start(ServerProcess.newDirectory("mariadb"), settings);
    }

    /** A server on a directory that may have the data of an earlier one. */
    public static MariaDbServer start(Path directory, String... settings) {
        Command install = Command.of(
                Installed.mariaDbInstaller(),
                "--no-defaults",
                MySqlFamily.AS_THIS_USER,
                "--auth-root-authentication-method=normal",
                "--skip-test-db");
        Command run = Command.of(Installed.mariaDbServer(), "--no-defaults", MySqlFamily.AS_THIS_USER);
        return new MariaDbServer(MySqlFamily.start(directory, install, run, List.of(settings)));
    }

    @Override
    public ServerProcess process() {
        return server.process();
    }

    @Override
    public int port() {
        return server.port();
    }

    @Override
    public String url(int port) {
        return "jdbc:mariadb://127.0.0.1:" + port + "/" + DATABASE;
    }

    @Override
    public void close() {
        process().close();
    }
}
