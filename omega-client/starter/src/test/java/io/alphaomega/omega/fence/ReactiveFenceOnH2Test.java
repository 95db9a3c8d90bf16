package io.alphaomega.omega.fence;

import io.r2dbc.h2.H2ConnectionConfiguration;
import io.r2dbc.h2.H2ConnectionFactory;
import io.r2dbc.spi.IsolationLevel;
import java.util.UUID;

final class ReactiveFenceOnH2Test extends FenceContract {
    @Override
    Participant emptyDatabase() throws Exception {
        H2ConnectionConfiguration database = H2ConnectionConfiguration.builder()
                .inMemory(UUID.randomUUID().toString())
                .property("DB_CLOSE_DELAY", "-1")
                .property("LOCK_TIMEOUT", "30000")
                .build();
        return new R2dbcParticipant(new H2ConnectionFactory(database), IsolationLevel.READ_COMMITTED);
    }
}
