package io.alphaomega.repository.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** PostgreSQL as Debian packages it, with its own defaults. */
public final class PostgreSqlServer implements DatabaseServer {
    private final ServerProcess process;
    private final int port;

    private PostgreSqlServer(ServerProcess process, int port) {
        this.process = process;
        this.port = port;
    }

    /**
     * A new server, running.
     *
     * @param settings such as {@code synchronous_commit=local}
     */
    public static PostgreSqlServer start(String... settings) {
        return start(ServerProcess.newDirectory("postgresql"), settings);
    }

    /** A server on a directory that may have the data of an earlier one. */
    public static PostgreSqlServer start(Path directory, String... settings) {
        Path programs = Installed.postgreSqlPrograms();
        Path data = directory.resolve("data");
        try {
            Files.createDirectories(directory);
            if (!Files.exists(data)) initialise(programs, directory, data);
            // On a copy of a running server's directory it names that server.
            Files.deleteIfExists(data.resolve("postmaster.pid"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        int port = ServerProcess.freePort();
        Command server = Command.of(programs.resolve("postgres"), "-D", data, "-p", port, "-h", "127.0.0.1", "-k", "")
                .asOrdinaryUser();
        for (String setting : settings) server = server.with("-c", setting);
        Path ready = programs.resolve("pg_isready");
        ServerProcess process = new ServerProcess(
                directory,
                server,
                () -> Command.of(ready, "-h", "127.0.0.1", "-p", port)
                        .run(directory)
                        .contains("accepting"));
        return new PostgreSqlServer(process.start(), port);
    }

    /**
     * The locale C, in which the database itself knows the case of ASCII only. MD5 for passwords: SCRAM has a client hash
     * thousands of times for each connection, and tests make thousands. The stores of scripts/lib/store.sh have SCRAM.
     */
    private static void initialise(Path programs, Path directory, Path data) throws IOException {
        Path passwords = Files.writeString(directory.resolve("password"), PASSWORD);
        Command.of(
                        programs.resolve("initdb"),
                        "--pgdata=" + data,
                        "--username=postgres",
                        "--pwfile=" + passwords,
                        "--auth=md5",
                        "--encoding=UTF8",
                        "--locale=C")
                .asOrdinaryUser()
                .run(directory);
        Path setUp = Files.writeString(directory.resolve("set-up.sql"), """
                CREATE ROLE %2$s LOGIN PASSWORD '%3$s';
                CREATE DATABASE %1$s OWNER %2$s;
                """.formatted(DATABASE, USER, PASSWORD));
        Command.of(
                        "sh",
                        "-c",
                        "exec '%s' --single -D '%s' postgres < '%s'"
                                .formatted(programs.resolve("postgres"), data, setUp))
                .asOrdinaryUser()
                .run(directory);
    }

    @Override
    public ServerProcess process() {
        return process;
    }

    @Override
    public int port() {
        return port;
    }

    @Override
    public String url(int port) {
        return "jdbc:postgresql://127.0.0.1:" + port + "/" + DATABASE;
    }

    @Override
    public void close() {
        process.close();
    }
}
