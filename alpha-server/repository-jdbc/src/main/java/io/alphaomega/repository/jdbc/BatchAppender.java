package io.alphaomega.repository.jdbc;

import io.alphaomega.repository.Append;
import io.alphaomega.repository.AppendResult;
import java.sql.SQLException;
import java.util.List;

/** One batch of appends in the transaction of a session. */
public interface BatchAppender {
    List<AppendResult> run(Session session, List<Append> batch) throws SQLException;
}
