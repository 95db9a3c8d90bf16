package io.alphaomega.repository.jdbc;

/**
 * An open database.
 *
 * @param name for people
 * @param writing appends and purges
 * @param journals loads and the due-time index: what the server needs to go on
 * @param searches what people ask for; apart from the journals, so that no slow search keeps a saga from loading
 * @param place what is held while the database is open, released last
 */
public record Database(
        String name, SqlDialect dialect, Sessions writing, Sessions journals, Sessions searches, Runnable place)
        implements AutoCloseable {

    /** How to open a database: with I/O, and with an {@link IllegalStateException} if it must not be used. */
    public interface Opening {
        Database open();
    }

    @Override
    public void close() {
        searches.close();
        journals.close();
        writing.close();
        place.run();
    }
}
