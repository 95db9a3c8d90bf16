package io.alphaomega.omega.test;

import static io.alphaomega.omega.test.OmegaAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.test.context.ContextConfiguration;

/**
 * The first test on docs/client/testing.md, word for word. Only a package with one application can do without its name.
 */
@ContextConfiguration(classes = Travel.class)
@SpringBootTest
@OmegaTest
class TripTest {
    @Autowired
    Trips trips;

    @Autowired
    TestAlpha alpha;

    @Test
    void a_trip_without_a_car_gives_the_room_back() {
        alpha.fail("CarDesk.book");

        assertThatThrownBy(() -> trips.book("Ada"));

        assertThat(alpha.saga()).compensated("HotelDesk.book");
    }
}
