package io.alphaomega.omega.test;

import static io.alphaomega.omega.test.OmegaAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.Mockito.verify;

import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.mock.mockito.MockBean;
import org.springframework.boot.test.mock.mockito.SpyBean;
import org.springframework.test.context.ContextConfiguration;

/** What Spring Boot 3 has in the place of {@code @MockitoBean} and {@code @MockitoSpyBean}, and most tests still use. */
@SuppressWarnings("removal")
@ContextConfiguration(classes = Travel.class)
@SpringBootTest
@OmegaTest
class MockBeanTest {
    @MockBean
    CarDesk car;

    @SpyBean
    HotelDesk hotel;

    @Autowired
    Trips trips;

    @Autowired
    Ledger ledger;

    @Autowired
    TestAlpha alpha;

    @Test
    void a_mock_takes_part_in_nothing_and_a_spy_is_the_bean() {
        alpha.fail("HotelDesk.book").afterEffect();

        assertThatThrownBy(() -> trips.book("Eve"));

        assertThat(alpha.saga()).compensated("HotelDesk.book");
        verify(hotel).cancel("Eve");
        assertThat(ledger.all()).containsSequence("room for Eve", "no room for Eve");
    }

    @Test
    void a_mock_is_called_in_the_saga() {
        trips.book("Ada");

        verify(car).book("Ada");
        assertThat(alpha.saga()).committed();
        assertThat(alpha.saga().history().toString()).doesNotContain("CarDesk");
    }
}
