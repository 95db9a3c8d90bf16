package io.alphaomega.repository.jdbc;

import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;

/** The dialect of a server that many write to at the same time. */
interface ServerDialect extends SqlDialect {

    /** What a session is for. */
    enum Use {
        WRITING,
        READING,
        /** Reads that may turn out to be slow and are then given up by the server. */
        SEARCHING,
        MIGRATING
    }

    /** What a session executes to be independent of how the server, the user or the driver is set up. */
    String settings(Use use);

    /** The resources that hold the migrations, a folder beside this class. */
    String migrations();

    /** What the migrations leave open. */
    Map<String, String> placeholders();

    /**
     * Waits until nobody else migrates this database; the turn ends with the session.
     *
     * @throws SQLException also when that takes longer
     */
    void awaitTurn(Session session, Duration patience) throws SQLException;

    @Override
    default String beginWriting() {
        return "";
    }

    @Override
    default String toLock() {
        return " FOR UPDATE";
    }

    @Override
    default String toLockWhatIsFree() {
        return " FOR UPDATE SKIP LOCKED";
    }

    @Override
    default boolean rewritesNamedIndexes() {
        return false;
    }
}
