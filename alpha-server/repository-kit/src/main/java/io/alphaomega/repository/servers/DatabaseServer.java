package io.alphaomega.repository.servers;

/** An SQL server of a test's own, with an empty database {@value #DATABASE} and a user who owns that and nothing else. */
public interface DatabaseServer extends AutoCloseable {
    String DATABASE = "alpha";
    String USER = "alpha";
    String PASSWORD = "secret";

    /** To stop, kill and start it again. It runs. */
    ServerProcess process();

    int port();

    /** For clients that connect through a port of this machine: the server's, or that of a proxy in front of it. */
    String url(int port);

    default String url() {
        return url(port());
    }

    /** Kills it and deletes its directory. */
    @Override
    void close();
}
