package io.alphaomega.repository.jdbc.server;

import io.alphaomega.repository.servers.DatabaseServer;
import org.junit.jupiter.api.Tag;

/** As odd as MySQL, of which it is a relative. */
@Tag("long")
final class OddlySetMariaDbTest extends OddlySetServer {

    @Override
    DatabaseServer start() {
        return Servers.MARIADB.start(
                "--default-time-zone=+12:45",
                "--sql-mode=ANSI_QUOTES,NO_BACKSLASH_ESCAPES,PIPES_AS_CONCAT",
                "--transaction-isolation=SERIALIZABLE",
                "--autocommit=0",
                "--default-storage-engine=MyISAM",
                "--character-set-server=latin1",
                "--collation-server=latin1_general_ci",
                "--max-allowed-packet=1M");
    }
}
