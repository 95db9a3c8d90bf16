package io.alphaomega.repository.jdbc.server;

import io.alphaomega.repository.RepositoryUnavailableException;
import io.alphaomega.repository.jdbc.AccessRefusal;
import io.alphaomega.repository.jdbc.Session;
import io.alphaomega.repository.jdbc.server.ServerDialect.Use;
import java.sql.SQLException;
import java.time.Duration;
import java.util.stream.Stream;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;

/**
 * The schema on a server, by Flyway. Several alphas may start at once: one migrates, the others wait for it. Those that
 * run go on meanwhile, but for appends on PostgreSQL while an index is made, and older ones can read and append afterwards: a migration adds no column that an append must
 * name. What the second one adds is not kept by alphas of the first, though: a saga that such a one begins or moves
 * afterwards is not in the due-time index as it should be, and a newer one wakes it up late or not at all. The marks of the
 * fourth are those of newer ones as well: an order that an older one carries out counts from the saga's next change by a
 * newer one, and a saga that an older one purges leaves its marks, which lead nowhere.
 */
final class Migrations {
    static final String HISTORY = "flyway_alpha_history";

    /** To rebuild a large table takes its time; nobody waits for it but an alpha that starts. */
    private static final Duration PATIENCE = Duration.ofMinutes(30);

    /** What a wait for the one who migrates is less patient, so that it ends with a word of the server. */
    private static final Duration MARGIN = Duration.ofMinutes(1);

    private static final int CONNECT_RETRIES = 0;

    private Migrations() {}

    /** @param more further locations, of migrations that this version does not know yet */
    static void run(ServerAccess server, ServerDialect dialect, String... more) throws SQLException {
        String[] locations = Stream.concat(Stream.of("classpath:" + dialect.migrations()), Stream.of(more))
                .toArray(String[]::new);
        // Flyway has a lock of its own, in a table that two may find missing, and then one of them fails.
        try (Session turn = new Session(server.dataSource(PATIENCE).getConnection())) {
            turn.execute(dialect.settings(Use.MIGRATING));
            dialect.awaitTurn(turn, PATIENCE.minus(MARGIN));
            Flyway flyway = Flyway.configure(Migrations.class.getClassLoader())
                    .dataSource(server.dataSource(PATIENCE))
                    .locations(locations)
                    .placeholders(dialect.placeholders())
                    .initSql(dialect.settings(Use.MIGRATING))
                    .table(HISTORY)
                    .baselineOnMigrate(true)
                    .baselineVersion("0")
                    .connectRetries(CONNECT_RETRIES)
                    .load();
            // Where a migration is no transaction, an interrupted one is on record as failed, and can be run again.
            if (Stream.of(flyway.info().all()).anyMatch(each -> each.getState().isFailed())) flyway.repair();
            flyway.migrate();
        } catch (FlywayException e) {
            throw new RepositoryUnavailableException(
                    "%s has not the tables that alpha needs, and they could not be made: %s"
                            .formatted(server.name(), e.getMessage()),
                    e,
                    AccessRefusal.inMigrating(e));
        }
    }
}
