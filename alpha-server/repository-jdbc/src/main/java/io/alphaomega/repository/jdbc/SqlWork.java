package io.alphaomega.repository.jdbc;

import java.sql.SQLException;

/** What to do on a session. */
public interface SqlWork<T> {
    T on(Session session) throws SQLException;
}
