package io.alphaomega.omega.test;

import static io.alphaomega.omega.test.OmegaAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.ArgumentMatchers.anyString;
import static org.mockito.Mockito.doThrow;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.withSettings;

import io.alphaomega.omega.AfterAbort;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Primary;
import org.springframework.test.context.bean.override.convention.TestBean;
import org.springframework.test.context.bean.override.mockito.MockitoBean;
import org.springframework.test.context.bean.override.mockito.MockitoSpyBean;

/** Tests that put something else in the place of a participant. A mock takes part in nothing; a spy is the bean. */
class MockedBeansTest {
    /** Follows a branch that a test may mock. */
    static class Letters {
        private final Ledger ledger;

        Letters(Ledger ledger) {
            this.ledger = ledger;
        }

        @AfterAbort("CarDesk.book")
        public void regret(String guest) {
            ledger.add("regrets to " + guest);
        }
    }

    @Nested
    @SpringBootTest(classes = {Travel.class, Letters.class})
    @OmegaTest
    @ExtendWith(OutputCaptureExtension.class)
    class Mocked {
        @MockitoBean
        CarDesk car;

        @Autowired
        Trips trips;

        @Autowired
        Ledger ledger;

        @Autowired
        TestAlpha alpha;

        @Test
        void a_mock_is_called_and_is_no_branch(CapturedOutput output) {
            trips.book("Ada");

            verify(car).book("Ada");
            assertThat(alpha.saga()).committed();
            assertThat(alpha.saga().toString()).doesNotContain("CarDesk");
            assertThat(output).doesNotContain("CarDesk");
        }

        @Test
        void a_trouble_that_is_planned_of_a_mock_never_happens_and_the_test_says_why() {
            alpha.fail("CarDesk.book");
            trips.book("Ada");

            assertThatThrownBy(alpha::requireTroublesHappened).hasMessageContaining("A mock takes part in nothing.");
            alpha.reset();
        }

        @Test
        void what_a_mock_throws_aborts_the_saga_and_is_not_undone() {
            doThrow(new IllegalStateException("no cars")).when(car).book(anyString());

            assertThatThrownBy(() -> trips.book("Eve")).hasMessage("no cars");

            assertThat(alpha.saga()).compensated("HotelDesk.book");
            assertThat(ledger.all()).containsSequence("room for Eve", "no room for Eve");
        }
    }

    @Nested
    @SpringBootTest(classes = {Travel.class, Letters.class})
    @OmegaTest
    class Spied {
        @MockitoSpyBean
        CarDesk car;

        @MockitoSpyBean
        HotelDesk hotel;

        @Autowired
        Trips trips;

        @Autowired
        TestAlpha alpha;

        @Autowired
        Ledger ledger;

        @Test
        void a_spy_takes_part_and_is_called_back_as_the_bean_is() {
            alpha.fail("CarDesk.book").afterEffect();

            assertThatThrownBy(() -> trips.book("Ada"));

            assertThat(alpha.saga()).compensated("CarDesk.book", "HotelDesk.book");
            verify(car).cancel("Ada");
            verify(hotel).cancel("Ada");
            assertThat(ledger.all()).contains("no car for Ada", "no room for Ada", "regrets to Ada");
        }
    }

    @TestConfiguration
    static class ByHand {
        @Bean
        @Primary
        CarDesk anyCar() {
            return mock(CarDesk.class);
        }

        @Bean
        @Primary
        HotelDesk anyHotel() {
            return mock(HotelDesk.class, withSettings().mockMaker("mock-maker-subclass"));
        }
    }

    @Nested
    @SpringBootTest(classes = Travel.class)
    @OmegaTest
    @Import(ByHand.class)
    class MadeByHand {
        @Autowired
        Trips trips;

        @Autowired
        TestAlpha alpha;

        @Test
        void a_mock_of_a_test_configuration_takes_part_in_nothing() {
            trips.book("Ada");

            assertThat(alpha.sagas()).isEmpty();
            assertThatThrownBy(() -> alpha.saga()).hasMessageContaining("A mock takes part in nothing.");
        }
    }

    /** Has no cars, and says so. */
    static class NoCars extends CarDesk {
        NoCars(Ledger ledger) {
            super(ledger);
        }

        @Override
        public void book(String guest) {
            throw new IllegalStateException("no cars");
        }
    }

    @TestConfiguration
    static class Faked {
        @Bean
        @Primary
        CarDesk noCars(Ledger ledger) {
            return new NoCars(ledger);
        }
    }

    @Nested
    @SpringBootTest(classes = Travel.class)
    @OmegaTest
    @Import(Faked.class)
    class MadeOfAnotherClass {
        @Autowired
        Trips trips;

        @Autowired
        TestAlpha alpha;

        @Test
        void a_fake_takes_part_under_its_own_name() {
            assertThatThrownBy(() -> trips.book("Ada")).hasMessage("no cars");

            assertThat(alpha.saga()).compensated("HotelDesk.book");
            assertThat(alpha.saga().history().toString()).contains("NoCars.book");
        }
    }

    @Nested
    @SpringBootTest(classes = Travel.class)
    @OmegaTest
    class Replaced {
        @TestBean
        @SuppressWarnings("NullAway.Init") // Spring sets it.
        CarDesk car;

        @Autowired
        Trips trips;

        @Autowired
        TestAlpha alpha;

        static CarDesk car() {
            return mock(CarDesk.class);
        }

        @Test
        void a_mock_in_the_place_of_a_bean_takes_part_in_nothing() {
            trips.book("Ada");

            verify(car).book("Ada");
            assertThat(alpha.saga()).committed();
        }
    }
}
