package io.alphaomega.repository.jdbc;

import io.alphaomega.repository.kit.SagaRepositoryContract;
import io.alphaomega.repository.kit.Store;
import io.alphaomega.repository.servers.DatabaseServer;
import java.util.Objects;
import java.util.TimeZone;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;

/** The whole contract on a server on which everything is set otherwise, from a JVM in another time zone. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class OddlySetServer extends SagaRepositoryContract {
    private final TimeZone zone = TimeZone.getDefault();
    private @Nullable DatabaseServer server;

    abstract DatabaseServer start();

    @BeforeAll
    void far_away() {
        TimeZone.setDefault(TimeZone.getTimeZone("America/St_Johns"));
        server = start();
    }

    @AfterAll
    void back() {
        TimeZone.setDefault(zone);
        if (server != null) server.close();
    }

    @Override
    protected Store store() {
        return new ServerStore(Objects.requireNonNull(server));
    }
}
