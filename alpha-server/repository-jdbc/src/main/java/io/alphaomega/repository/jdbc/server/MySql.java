package io.alphaomega.repository.jdbc.server;

import io.alphaomega.repository.jdbc.Session;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.mariadb.jdbc.MariaDbDataSource;

/** MySQL or MariaDB, both by MariaDB's driver. */
final class MySql implements ServerAccess {
    private static final String SCHEME = "jdbc:mariadb:";

    /** Of MySQL's own driver, whose URLs are understood as well. */
    private static final String MYSQL_SCHEME = "jdbc:mysql:";

    /**
     * The largest row is an event with its payload, of which every byte may have to be escaped, or a saga of as many
     * services as there may be branches; either is less than half of it.
     */
    private static final int PACKET_BYTES_MIN = 1 << 20;

    /** What MySQL's own driver takes for "encrypted", and what would repeat an append that nobody knows the outcome of. */
    private static final List<String> MISUNDERSTOOD =
            List.of("requireSSL", "useSSL", "sslMode=PREFERRED", "transactionReplay");

    /** What appends rely on: statements that go together, which no server prepares, and counts of rows that changed. */
    private static final List<String> NEEDED =
            List.of("allowMultiQueries=true", "useAffectedRows=true", "useServerPrepStmts=false");

    private static final ServerVersion OLDEST_MYSQL = new ServerVersion(8, 0, 17);
    private static final ServerVersion OLDEST_MARIADB = new ServerVersion(10, 6, 0);

    /** A comment says what each is needed for where it is used. */
    private static final String EXAMINED = """
            SHOW GLOBAL VARIABLES WHERE Variable_name IN ('version', 'max_allowed_packet', 'read_only', 'super_read_only',
                'innodb_read_only', 'binlog_format', 'log_bin', 'wsrep_on')""";

    private final ServerUrl url;
    private final String username;
    private final String password;

    MySql(String url, String username, String password) {
        this.url = ServerUrl.of(url, SCHEME, MYSQL_SCHEME)
                .without(MISUNDERSTOOD, "MariaDB's driver")
                .agreeingWith(NEEDED);
        if (!this.url.place().startsWith("//")) {
            throw new IllegalArgumentException(
                    "the URL must name one server, without a mode such as sequential: the driver would change servers beneath alpha");
        }
        this.username = username;
        this.password = password;
    }

    @Override
    public String name() {
        return "The database " + url.name();
    }

    @Override
    public DataSource dataSource(Duration patience) throws SQLException {
        String options = url.withDefaults(Map.of(
                "connectTimeout", Long.toString(ServerUrl.CONNECTED_WITHIN.toMillis()),
                "socketTimeout", Long.toString(patience.toMillis()),
                "tcpKeepAlive", "true"));
        MariaDbDataSource source = new MariaDbDataSource(SCHEME + options + "&" + String.join("&", NEEDED));
        source.setUser(username);
        source.setPassword(password);
        return source;
    }

    @Override
    public ServerDialect examine(Session session) throws SQLException {
        Map<String, String> settings = session.settings(EXAMINED);
        String version = settings.getOrDefault("version", "");
        boolean mariaDb = version.contains("MariaDB");
        ServerVersion oldest = mariaDb ? OLDEST_MARIADB : OLDEST_MYSQL;
        require(
                ServerVersion.of(version).compareTo(oldest) >= 0,
                "is version %s; alpha needs %s or later".formatted(version, oldest));
        for (String setting : new String[] {"read_only", "super_read_only", "innodb_read_only"}) {
            require(
                    isOff(settings.getOrDefault(setting, "OFF")),
                    "takes no writes (%s=%s), as a replica does; name the primary"
                            .formatted(setting, settings.get(setting)));
        }
        require(
                isOff(settings.getOrDefault("log_bin", "OFF"))
                        || !settings.getOrDefault("binlog_format", "").equals("STATEMENT"),
                "logs statements (binlog_format=STATEMENT), and then takes no writes at READ COMMITTED; set it to ROW");
        int packet = Integer.parseInt(settings.getOrDefault("max_allowed_packet", "0"));
        require(
                packet >= PACKET_BYTES_MIN,
                "takes statements of %d bytes at most (max_allowed_packet), and one row may need %d; raise it"
                        .formatted(packet, PACKET_BYTES_MIN));
        return new MySqlDialect(name(), mariaDb, packet, !isOff(settings.getOrDefault("wsrep_on", "OFF")));
    }

    private void require(boolean met, String otherwise) {
        if (!met) throw new IllegalStateException("%s %s.".formatted(name(), otherwise));
    }

    static boolean isOff(String setting) {
        return setting.equalsIgnoreCase("OFF") || setting.equals("0");
    }
}
