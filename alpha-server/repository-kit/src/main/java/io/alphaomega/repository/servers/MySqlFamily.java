package io.alphaomega.repository.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** What MySQL and MariaDB have in common: a data directory that is made once, and a server that listens on it. */
record MySqlFamily(ServerProcess process, int port) {
    /**
     * They run as root if they are told so. As somebody else MariaDB takes its tables for damaged where it may not search
     * all directories above them, capability or not.
     */
    static final String AS_THIS_USER = "--user=" + System.getProperty("user.name");

    private static final int GREETED_WITHIN_MILLIS = 2_000;

    private static final String SET_UP =
            """
            CREATE DATABASE IF NOT EXISTS %1$s;
            CREATE USER IF NOT EXISTS '%2$s'@'%%' IDENTIFIED BY '%3$s';
            GRANT SELECT, INSERT, UPDATE, DELETE, CREATE, ALTER, INDEX ON %1$s.* TO '%2$s'@'%%';
            """.formatted(DatabaseServer.DATABASE, DatabaseServer.USER, DatabaseServer.PASSWORD);

    /** @param install makes the data directory, given its {@code --datadir} */
    static MySqlFamily start(Path directory, Command install, Command run, List<String> settings) {
        Path data = directory.resolve("data");
        Path setUp = directory.resolve("set-up.sql");
        try {
            Files.createDirectories(directory);
            if (!Files.exists(data))
                own(install, directory).with("--datadir=" + data).run(directory);
            // On a copy of a running server's directory it names that server.
            Files.deleteIfExists(data.resolve("server.sock.lock"));
            Files.writeString(setUp, SET_UP);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        int port = ServerProcess.freePort();
        Command server = own(run, directory)
                .with(
                        "--datadir=" + data,
                        "--port=" + port,
                        "--bind-address=127.0.0.1",
                        // Relative to the data directory: the whole path may be longer than a socket's may be.
                        "--socket=server.sock",
                        "--pid-file=server.pid",
                        "--init-file=" + setUp,
                        "--innodb-buffer-pool-size=64M")
                .with(settings.toArray());
        return new MySqlFamily(new ServerProcess(directory, server, () -> greets(port)).start(), port);
    }

    /** A server that starts deletes the temporary tables that it finds, also those that another in the same place works on. */
    private static Command own(Command command, Path directory) {
        return command.environment("TMPDIR", directory.toString());
    }

    /** It listens before it has executed what it is to execute first, and only then sends a greeting of protocol 10. */
    private static boolean greets(int port) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(GREETED_WITHIN_MILLIS);
            byte[] start = socket.getInputStream().readNBytes(5);
            return start.length == 5 && start[4] == 10;
        }
    }
}
