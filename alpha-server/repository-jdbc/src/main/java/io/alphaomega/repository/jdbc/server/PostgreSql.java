package io.alphaomega.repository.jdbc.server;

import io.alphaomega.repository.jdbc.Session;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

/** PostgreSQL. */
final class PostgreSql implements ServerAccess {
    static final String SCHEME = "jdbc:postgresql:";

    private static final ServerVersion OLDEST = new ServerVersion(13, 0, 0);

    private static final String EXAMINED = """
            SELECT name, setting FROM pg_settings WHERE name IN ('server_version', 'server_encoding', 'default_transaction_read_only')
            UNION ALL SELECT 'is_in_recovery', CAST(pg_is_in_recovery() AS TEXT)""";

    /** Collations of which one is in almost every installation, the best first; each folds the case of all letters. */
    private static final String FOLDING = """
            SELECT quote_ident(collname) FROM pg_collation
            WHERE collname IN ('und-x-icu', 'pg_unicode_fast', 'pg_c_utf8')
            UNION ALL SELECT '"default"'
            ORDER BY 1 DESC LIMIT 1""";

    private final ServerUrl url;
    private final String username;
    private final String password;

    PostgreSql(String url, String username, String password) {
        this.url = ServerUrl.of(url, SCHEME);
        this.username = username;
        this.password = password;
    }

    @Override
    public String name() {
        return "The database " + url.name();
    }

    @Override
    public DataSource dataSource(Duration patience) {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setUrl(SCHEME
                + url.withDefaults(Map.of(
                        "connectTimeout",
                        Long.toString(ServerUrl.CONNECTED_WITHIN.toSeconds()),
                        "socketTimeout",
                        Long.toString(patience.toSeconds()),
                        "tcpKeepAlive",
                        "true",
                        "ApplicationName",
                        "alpha",
                        "reWriteBatchedInserts",
                        "true",
                        // Of several hosts, the one that is no standby by now; a single one is told what it is.
                        "targetServerType",
                        url.place().contains(",") ? "primary" : "any")));
        source.setUser(username);
        source.setPassword(password);
        return source;
    }

    @Override
    public ServerDialect examine(Session session) throws SQLException {
        Map<String, String> settings = session.settings(EXAMINED);
        String version = settings.getOrDefault("server_version", "");
        require(
                ServerVersion.of(version).compareTo(OLDEST) >= 0,
                "is version %s; alpha needs %s or later".formatted(version, OLDEST));
        String encoding = settings.getOrDefault("server_encoding", "");
        require(
                encoding.equals("UTF8"),
                "has the encoding %s, which cannot hold every text; make one with UTF8".formatted(encoding));
        require(
                "false".equals(settings.get("is_in_recovery")),
                "takes no writes (pg_is_in_recovery), as a standby does; name the primary");
        require(
                !"on".equals(settings.get("default_transaction_read_only")),
                "takes no writes (default_transaction_read_only=on); turn that off for alpha's user");
        return new PostgreSqlDialect(name(), session.text(FOLDING));
    }

    private void require(boolean met, String otherwise) {
        if (!met) throw new IllegalStateException("%s %s.".formatted(name(), otherwise));
    }
}
