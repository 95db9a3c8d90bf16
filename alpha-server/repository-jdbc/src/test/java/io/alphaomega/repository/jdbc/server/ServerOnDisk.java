package io.alphaomega.repository.jdbc.server;

import io.alphaomega.repository.SagaRepository;
import io.alphaomega.repository.campaign.StoreOnDisk;
import io.alphaomega.repository.servers.DatabaseServer;
import io.alphaomega.repository.servers.MariaDbServer;
import io.alphaomega.repository.servers.MySqlServer;
import io.alphaomega.repository.servers.PostgreSqlServer;
import java.nio.file.Path;
import java.util.List;

/** The database servers for campaigns, which run programs of their own by these names. */
abstract class ServerOnDisk implements StoreOnDisk {

    abstract DatabaseServer serverOn(Path directory);

    @Override
    public Running start(Path directory) {
        DatabaseServer server = serverOn(directory);
        return new Running(server.url(), List.of(server.process()));
    }

    @Override
    public SagaRepository open(String address) {
        return ServerStore.repository(address);
    }

    static final class MariaDb extends ServerOnDisk {
        @Override
        DatabaseServer serverOn(Path directory) {
            return MariaDbServer.start(directory);
        }
    }

    static final class MariaDbNotSynced extends ServerOnDisk {
        @Override
        DatabaseServer serverOn(Path directory) {
            return MariaDbServer.start(
                    directory, "--innodb-flush-log-at-trx-commit=2", "--innodb-flush-log-at-timeout=1000");
        }
    }

    static final class MySql extends ServerOnDisk {
        @Override
        DatabaseServer serverOn(Path directory) {
            return MySqlServer.start(directory);
        }
    }

    static final class MySqlNotSynced extends ServerOnDisk {
        @Override
        DatabaseServer serverOn(Path directory) {
            return MySqlServer.start(
                    directory,
                    "--innodb-flush-log-at-trx-commit=2",
                    "--innodb-flush-log-at-timeout=1000",
                    "--sync-binlog=0");
        }
    }

    static final class PostgreSql extends ServerOnDisk {
        @Override
        DatabaseServer serverOn(Path directory) {
            return PostgreSqlServer.start(directory);
        }
    }

    static final class PostgreSqlNotSynced extends ServerOnDisk {
        @Override
        DatabaseServer serverOn(Path directory) {
            return PostgreSqlServer.start(directory, "fsync=off");
        }
    }
}
