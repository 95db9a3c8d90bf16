package io.alphaomega.omega.fence;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Through R2DBC on each database, at the isolation that it has where nobody asks for another. */
@ParameterizedClass
@EnumSource
@Tag("long")
class R2dbcInterleavingsTest {
    private final Interleavings interleavings;

    R2dbcInterleavingsTest(Databases database) throws Exception {
        R2dbcParticipant participant = new R2dbcParticipant(database.connections(), database.isolation());
        interleavings = new Interleavings("R2DBC on " + database, () -> participant);
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
