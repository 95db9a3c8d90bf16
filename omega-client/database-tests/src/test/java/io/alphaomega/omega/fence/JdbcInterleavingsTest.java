package io.alphaomega.omega.fence;

import com.zaxxer.hikari.HikariDataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Through JDBC on each database, at the isolation that it has where nobody asks for another. */
@ParameterizedClass
@EnumSource
@Tag("long")
class JdbcInterleavingsTest {
    private final HikariDataSource pool;
    private final Interleavings interleavings;

    JdbcInterleavingsTest(Databases database) throws Exception {
        pool = database.pool();
        JdbcParticipant participant = new JdbcParticipant(pool);
        interleavings = new Interleavings("JDBC on " + database, () -> participant);
    }

    @AfterEach
    void close() {
        pool.close();
    }

    @AfterAll
    static void stop() {
        Databases.stop();
    }

    @Test
    void each_of_10_000_ends_with_nothing_booked_and_all_told_the_truth() throws Exception {
        interleavings.withCompensations(10_000);
    }

    @Test
    void each_of_2_000_is_booked_and_confirmed_once() throws Exception {
        interleavings.withConfirmations(2_000);
    }
}
