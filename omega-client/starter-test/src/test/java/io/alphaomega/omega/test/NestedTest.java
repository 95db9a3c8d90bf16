package io.alphaomega.omega.test;

import static io.alphaomega.omega.test.OmegaAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.alphaomega.omega.AfterCommit;
import io.alphaomega.omega.Compensable;
import io.alphaomega.omega.SagaAbortedException;
import io.alphaomega.omega.SagaException;
import io.alphaomega.omega.SagaPropagation;
import io.alphaomega.omega.SagaSettings;
import io.alphaomega.omega.SagaStart;
import io.alphaomega.omega.SagaTemplate;
import io.alphaomega.omega.context.SagaCarrier;
import java.time.Duration;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.Environment;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.client.RestClient;

/** Sagas in sagas, of two services over HTTP. */
class NestedTest {
    private static final SagaSettings INNER = SagaSettings.named("Tours.inCode").propagation(SagaPropagation.NESTED);

    private static final TestAlpha alpha = new TestAlpha();
    private static final ConfigurableApplicationContext cars = start(Cars.class, "cars", "");
    private static final ConfigurableApplicationContext tours =
            start(Tours.class, "tours", "http://localhost:" + port(cars));

    @SpringBootConfiguration
    @EnableAutoConfiguration
    @OmegaTest
    @Import({CarDesk.class, Ledger.class, Insurance.class, Rental.class})
    @RestController
    static class Cars {
        private final CarDesk desk;
        private final Rental rental;

        Cars(CarDesk desk, Rental rental) {
            this.desk = desk;
            this.rental = rental;
        }

        @PostMapping("/cars")
        void book(@RequestParam String guest) {
            desk.book(guest);
        }

        @PostMapping("/rentals")
        void rent(@RequestParam String guest) {
            rental.rent(guest);
        }
    }

    static class Insurance {
        private final Ledger ledger;

        Insurance(Ledger ledger) {
            this.ledger = ledger;
        }

        @Compensable(compensationMethod = "cancel")
        public void insure(String guest) {
            ledger.add("policy for " + guest);
        }

        public void cancel(String guest) {
            ledger.add("no policy for " + guest);
        }

        @AfterCommit("NestedTest.Insurance.insure")
        public void send(String guest) {
            ledger.add("policy sent to " + guest);
        }
    }

    static class Rental {
        private final CarDesk desk;
        private final Insurance insurance;

        Rental(CarDesk desk, Insurance insurance) {
            this.desk = desk;
            this.insurance = insurance;
        }

        @SagaStart(propagation = SagaPropagation.NESTED, timeout = "30s", businessKey = "#guest")
        public void rent(String guest) {
            desk.book(guest);
            insurance.insure(guest);
        }
    }

    @SpringBootConfiguration
    @EnableAutoConfiguration
    @OmegaTest
    @Import({HotelDesk.class, Ledger.class, Tour.class, Ride.class})
    static class Tours {}

    static class Ride {
        private final RestClient cars;

        Ride(RestClient.Builder cars, Environment environment) {
            this.cars = cars.baseUrl(environment.getRequiredProperty("cars")).build();
        }

        @SagaStart(propagation = SagaPropagation.NESTED)
        public void ride(String guest) {
            cars.post().uri("/cars?guest={guest}", guest).retrieve().toBodilessEntity();
            if (guest.startsWith("rude")) throw new IllegalStateException(guest + " is not taken");
        }

        /** Its own saga, in which there is another. */
        @SagaStart(propagation = SagaPropagation.NESTED)
        public void rent(String guest) {
            cars.post().uri("/rentals?guest={guest}", guest).retrieve().toBodilessEntity();
        }
    }

    static class Tour {
        private final HotelDesk hotel;
        private final Ride ride;

        Tour(HotelDesk hotel, Ride ride) {
            this.hotel = hotel;
            this.ride = ride;
        }

        @SagaStart
        public void run(Runnable business) {
            business.run();
        }

        @SagaStart
        public boolean bookAndTryRide(String guest) {
            hotel.book(guest);
            boolean rides = true;
            try {
                ride.ride("rude " + guest);
            } catch (IllegalStateException refused) {
                rides = false;
            }
            hotel.book(guest.toUpperCase(Locale.ROOT));
            return rides;
        }
    }

    private static ConfigurableApplicationContext start(Class<?> application, String name, String carsAt) {
        return new SpringApplicationBuilder(application)
                .initializers(context -> context.getBeanFactory().registerSingleton("alpha", alpha))
                .run("--spring.application.name=" + name, "--server.port=0", "--cars=" + carsAt);
    }

    private static int port(ConfigurableApplicationContext service) {
        return service.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
    }

    @BeforeEach
    void nothing_done() {
        alpha.reset();
        cars.getBean(Ledger.class).clear();
        tours.getBean(Ledger.class).clear();
    }

    @AfterEach
    void all_troubles_happened() {
        alpha.requireTroublesHappened();
    }

    @AfterAll
    static void stop() {
        tours.close();
        cars.close();
        alpha.close();
    }

    private Tour tour() {
        return tours.getBean(Tour.class);
    }

    private HotelDesk hotel() {
        return tours.getBean(HotelDesk.class);
    }

    private Ride ride() {
        return tours.getBean(Ride.class);
    }

    private TestSaga outer() {
        return alpha.sagas().getFirst();
    }

    private TestSaga inner() {
        return alpha.sagas().get(1);
    }

    @Test
    void a_nested_saga_is_committed_with_the_one_that_it_is_in_and_confirms_nothing_before() {
        tour().run(() -> {
            hotel().book("Ada");
            ride().rent("Ada");
            assertThat(outer()).active().hasChildren("NestedTest.Ride.rent");
            assertThat(inner()).prepared().hasChildren("NestedTest.Rental.rent");
            assertThat(alpha.sagas().get(2)).prepared();
            assertThat(cars.getBean(Ledger.class).all()).containsExactly("car for Ada", "policy for Ada");
        });

        assertThat(outer())
                .committed()
                .history()
                .contains("NestedTest.Ride.rent began a saga", "NestedTest.Ride.rent ended");
        assertThat(inner()).committed();
        TestSaga innermost = alpha.sagas().get(2);
        assertThat(innermost).confirmed("NestedTest.Insurance.insure");
        assertThat(innermost.businessKey()).isEqualTo("Ada");
        assertThat(innermost.parent().flatMap(TestSaga::parent).map(TestSaga::id))
                .contains(outer().id());
        assertThat(cars.getBean(Ledger.class).all()).endsWith("policy sent to Ada");
    }

    @Test
    void a_nested_saga_is_undone_in_its_turn_when_the_one_that_it_is_in_is_aborted() {
        Ledger ledger = tours.getBean(Ledger.class);
        assertThatExceptionOfType(IllegalStateException.class)
                .isThrownBy(() -> tour().run(() -> {
                    hotel().book("Ada");
                    ride().ride("Ada");
                    hotel().book("Bob");
                    throw new IllegalStateException("it rains");
                }));

        assertThat(outer()).compensated("HotelDesk.book", "NestedTest.Ride.ride", "HotelDesk.book");
        assertThat(inner())
                .compensated("CarDesk.book")
                .history()
                .contains("prepared")
                .anyMatch(line -> line.startsWith("aborted: PARENT"));
        assertThat(ledger.all()).endsWith("no room for Bob", "no room for Ada");
        assertThat(cars.getBean(Ledger.class).all()).containsExactly("car for Ada", "no car for Ada");
    }

    @Test
    void a_nested_saga_that_fails_is_undone_alone_and_who_catches_that_goes_on() {
        assertThat(tour().bookAndTryRide("Ada")).isFalse();

        assertThat(outer()).committed();
        assertThat(inner()).compensated("CarDesk.book");
        assertThat(tours.getBean(Ledger.class).all()).containsExactly("room for Ada", "room for ADA");
        assertThat(cars.getBean(Ledger.class).all()).containsExactly("car for rude Ada", "no car for rude Ada");
    }

    @Test
    void a_nested_saga_has_a_timeout_of_its_own_until_it_is_prepared() {
        SagaTemplate sagas = tours.getBean(SagaTemplate.class);
        SagaSettings brief = INNER.timeout(Duration.ofSeconds(30));
        Throwable[] late = new Throwable[1];
        tour().run(() -> {
            sagas.executeWithoutResult(brief, saga -> hotel().book("Ada"));
            late[0] = catchThrowable(() -> sagas.executeWithoutResult(brief, saga -> {
                hotel().book("Bob");
                alpha.advance(Duration.ofSeconds(40));
            }));
        });

        assertThat(late[0])
                .isInstanceOfSatisfying(
                        SagaAbortedException.class,
                        aborted -> assertThat(aborted.reason()).isEqualTo(SagaAbortedException.Cause.SAGA_TIMED_OUT));
        assertThat(outer()).committed();
        assertThat(inner()).committed();
        assertThat(alpha.sagas().get(2)).compensated("HotelDesk.book");
    }

    @Test
    void code_begins_a_nested_saga_as_well_and_each_repetition_in_it_is_another_one() {
        SagaTemplate sagas = tours.getBean(SagaTemplate.class);
        tour().run(() -> {
            for (String guest : new String[] {"Ada", "Bob"}) {
                sagas.executeWithoutResult(INNER, saga -> hotel().book(guest));
            }
        });

        assertThat(outer()).committed().hasChildren("Tours.inCode", "Tours.inCode");
        assertThat(alpha.sagas()).hasSize(3).allSatisfy(saga -> assertThat(saga).committed());
    }

    /** What a message brings that is sent in the outer saga. */
    private static Map<String, String> sent() {
        Map<String, String> headers = new HashMap<>();
        tours.getBean(SagaCarrier.class).send("rides", SagaCarrier.Headers.of(headers));
        return headers;
    }

    private static void receive(Map<String, String> message, Runnable work) {
        Object unused = tours.getBean(SagaCarrier.class).receive(message::get, "1", () -> {
            work.run();
            return "handled";
        });
    }

    @Test
    void a_message_that_comes_again_begins_the_same_nested_sagas_also_after_the_commit() {
        Map<String, String> message = new HashMap<>();
        tour().run(() -> {
            message.putAll(sent());
            receive(message, () -> ride().rent("Ada"));
            receive(message, () -> ride().rent("Ada"));
        });
        assertThat(outer()).committed();
        assertThat(alpha.sagas().get(2)).confirmed("NestedTest.Insurance.insure");

        receive(message, () -> ride().rent("Ada"));
        assertThat(alpha.sagas()).hasSize(3).allSatisfy(saga -> assertThat(saga).committed());
        assertThat(cars.getBean(Ledger.class).all())
                .containsExactly("car for Ada", "policy for Ada", "policy sent to Ada");
    }

    @Test
    void after_the_commit_nothing_begins_for_the_first_time_nor_what_was_undone_alone() {
        Map<String, String> message = new HashMap<>();
        tour().run(() -> {
            message.putAll(sent());
            receive(
                    message,
                    () -> assertThatExceptionOfType(IllegalStateException.class)
                            .isThrownBy(() -> ride().ride("rude Ada")));
        });
        assertThat(inner()).compensated("CarDesk.book");

        assertThatExceptionOfType(SagaException.class)
                .isThrownBy(() -> receive(message, () -> ride().ride("rude Ada")))
                .withMessageEndingWith("comes too late.")
                .satisfies(late -> assertThat(late.getSuppressed())
                        .hasOnlyElementsOfType(SagaAbortedException.class)
                        .isNotEmpty());
        assertThatExceptionOfType(SagaException.class)
                .isThrownBy(() -> receive(message, () -> ride().rent("Ada")))
                .withMessageEndingWith("comes too late.");
        assertThat(alpha.sagas()).hasSize(2);
    }

    @Test
    void outside_a_saga_it_is_a_saga_like_any_other() {
        ride().ride("Ada");

        assertThat(alpha.saga()).committed();
        assertThat(alpha.saga().parent()).isEmpty();
    }

    @Test
    void nothing_begins_in_a_saga_whose_outer_one_was_aborted_meanwhile() {
        assertThatExceptionOfType(SagaAbortedException.class)
                .isThrownBy(() -> tour().run(() -> {
                    alpha.fail("HotelDesk.book");
                    try {
                        hotel().book("Ada");
                    } catch (PlannedFailureException swallowed) {
                        ride().ride("Ada");
                    }
                }))
                .satisfies(aborted -> assertThat(aborted.saga()).isEqualTo(outer().id()));

        assertThat(alpha.sagas()).hasSize(1);
        assertThat(cars.getBean(Ledger.class).all()).isEmpty();
    }

    @Test
    void what_cannot_be_said_of_a_part_of_a_saga_is_refused() {
        SagaTemplate sagas = tours.getBean(SagaTemplate.class);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> sagas.executeWithoutResult(INNER.leftOpen(), saga -> {}))
                .withMessageContaining("leftOpen, which a saga that is a part of another (NESTED) cannot be");
    }
}
