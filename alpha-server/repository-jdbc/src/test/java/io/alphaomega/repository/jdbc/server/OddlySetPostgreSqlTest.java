package io.alphaomega.repository.jdbc.server;

import io.alphaomega.repository.servers.DatabaseServer;
import org.junit.jupiter.api.Tag;

@Tag("long")
final class OddlySetPostgreSqlTest extends OddlySetServer {

    @Override
    DatabaseServer start() {
        return Servers.POSTGRESQL.start(
                "timezone=Asia/Kathmandu",
                "datestyle=SQL, DMY",
                "default_transaction_isolation=serializable",
                "standard_conforming_strings=off",
                "bytea_output=escape",
                "statement_timeout=500ms",
                "enable_indexscan=off");
    }
}
