package io.alphaomega.omega.test;

import static io.alphaomega.omega.test.OmegaAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.easymock.EasyMock.createNiceMock;
import static org.easymock.EasyMock.partialMockBuilder;

import io.alphaomega.omega.Compensable;
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

/** Mocks of EasyMock, which a test registers as beans. */
class EasyMocksTest {
    interface BikeDesk {
        @Compensable(compensationMethod = "cancel", fenced = false)
        void book(String guest);

        void cancel(String guest);
    }

    @TestConfiguration
    static class Mocks {
        @Bean
        @Primary
        CarDesk anyCar() {
            return createNiceMock(CarDesk.class);
        }

        @Bean
        BikeDesk anyBike() {
            return createNiceMock(BikeDesk.class);
        }
    }

    @Nested
    @SpringBootTest(classes = Travel.class)
    @OmegaTest
    @Import(Mocks.class)
    @ExtendWith(OutputCaptureExtension.class)
    class Whole {
        @Autowired
        Trips trips;

        @Autowired
        BikeDesk bike;

        @Autowired
        TestAlpha alpha;

        @Test
        void a_mock_takes_part_in_nothing_and_nothing_is_said(CapturedOutput output) {
            trips.book("Ada");
            bike.book("Ada");

            assertThat(alpha.saga()).committed();
            assertThat(alpha.saga().toString()).doesNotContain("CarDesk");
            assertThat(output).doesNotContain("CarDesk").doesNotContain("anyBike");
        }
    }

    @TestConfiguration
    static class Partly {
        @Bean
        @Primary
        CarDesk anyCar(Ledger ledger) {
            return partialMockBuilder(CarDesk.class)
                    .withConstructor(Ledger.class)
                    .withArgs(ledger)
                    .addMockedMethod("toString")
                    .createNiceMock();
        }
    }

    @Nested
    @SpringBootTest(classes = Travel.class)
    @OmegaTest
    @Import(Partly.class)
    class Part {
        @Autowired
        Trips trips;

        @Autowired
        Ledger ledger;

        @Autowired
        TestAlpha alpha;

        /** As a spy does. */
        @Test
        void one_that_mocks_other_methods_takes_part_as_the_class_does() {
            alpha.fail("CarDesk.book").afterEffect();
            assertThatThrownBy(() -> trips.book("Eve"));

            assertThat(alpha.saga()).compensated("CarDesk.book", "HotelDesk.book");
            assertThat(ledger.all()).contains("car for Eve", "no car for Eve");
        }
    }
}
