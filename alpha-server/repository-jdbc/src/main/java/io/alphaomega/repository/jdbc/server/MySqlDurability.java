package io.alphaomega.repository.jdbc.server;

import io.alphaomega.repository.Durability;
import io.alphaomega.repository.Durability.Level;
import io.alphaomega.repository.jdbc.Session;
import java.sql.SQLException;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** What MySQL and MariaDB keep, by their settings. */
final class MySqlDurability {
    private static final String SETTINGS = """
            SHOW GLOBAL VARIABLES WHERE Variable_name IN ('version', 'innodb_flush_log_at_trx_commit', 'innodb_doublewrite',
                'innodb_flush_method', 'log_bin', 'sync_binlog', 'wsrep_on', 'rpl_semi_sync_source_enabled',
                'rpl_semi_sync_master_enabled')""";

    private static final String STATUS = """
            SHOW GLOBAL STATUS WHERE Variable_name IN ('Innodb_redo_log_enabled', 'wsrep_cluster_size')""";

    private MySqlDurability() {}

    static Durability read(String name, Session session) throws SQLException {
        Map<String, String> all = new TreeMap<>(session.settings(SETTINGS));
        all.putAll(session.settings(STATUS));
        return of(name, all);
    }

    static Durability of(String name, Map<String, String> all) {
        int flush = Integer.parseInt(all.getOrDefault("innodb_flush_log_at_trx_commit", "1"));
        if (flush != 1 && flush != 2 && flush != 3) {
            throw new IllegalStateException(
                    "%s would lose what it has acknowledged when its process is killed (innodb_flush_log_at_trx_commit=%d): set it to 1."
                            .formatted(name, flush));
        }
        if (MySql.isOff(all.getOrDefault("Innodb_redo_log_enabled", "ON"))) {
            throw new IllegalStateException(
                    "%s would lose everything when its process is killed (its redo log is disabled): enable it."
                            .formatted(name));
        }
        // A transaction that is prepared in InnoDB and missing in the binary log is rolled back after a crash.
        boolean logSynced = MySql.isOff(all.getOrDefault("log_bin", "OFF"))
                || all.getOrDefault("sync_binlog", "1").equals("1");
        boolean wholePages = all.getOrDefault("innodb_doublewrite", "ON").matches("(?i)ON|1|DETECT_AND_RECOVER");
        boolean synced = (flush == 1 || flush == 3)
                && logSynced
                && wholePages
                && !all.getOrDefault("innodb_flush_method", "").equalsIgnoreCase("nosync");
        boolean elsewhere = !MySql.isOff(all.getOrDefault("wsrep_on", "OFF"))
                && Integer.parseInt(all.getOrDefault("wsrep_cluster_size", "0")) > 1;
        Level level = synced ? (elsewhere ? Level.FAILOVER : Level.POWER_LOSS) : Level.PROCESS_CRASH;
        String version = all.getOrDefault("version", "");
        return new Durability(
                level,
                all.entrySet().stream()
                        .filter(setting -> !setting.getKey().equals("version"))
                        .map(setting -> setting.getKey() + "=" + setting.getValue())
                        .collect(Collectors.joining(
                                ", ",
                                (version.contains("MariaDB") ? "MariaDB " : "MySQL ") + ServerVersion.of(version)
                                        + ", ",
                                "")));
    }
}
