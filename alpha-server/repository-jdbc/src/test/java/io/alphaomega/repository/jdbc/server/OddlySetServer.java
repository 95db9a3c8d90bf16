package io.alphaomega.repository.jdbc.server;

import io.alphaomega.repository.kit.SagaRepositoryContract;
import io.alphaomega.repository.kit.Store;
import io.alphaomega.repository.servers.DatabaseServer;
import java.util.Objects;
import java.util.TimeZone;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;

/** The whole contract on a server on which everything is set otherwise, from a JVM in another time zone. */
abstract class OddlySetServer extends SagaRepositoryContract {
    private static final TimeZone HERE = TimeZone.getDefault();
    private static @Nullable DatabaseServer server;

    abstract DatabaseServer start();

    @BeforeEach
    final void far_away() {
        TimeZone.setDefault(TimeZone.getTimeZone("America/St_Johns"));
    }

    @Override
    protected final Store store() {
        if (server == null) server = start();
        return new ServerStore(server);
    }

    @AfterAll
    static void back() {
        TimeZone.setDefault(HERE);
        Objects.requireNonNull(server).close();
        server = null;
    }
}
