package io.alphaomega.omega.test;

import static io.alphaomega.omega.test.OmegaAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.alphaomega.omega.SagaAbortedException;
import io.alphaomega.omega.SagaPropagation;
import io.alphaomega.omega.SagaStart;
import org.junit.jupiter.api.AfterEach;
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

/** Two services in one test, over HTTP between them, with one alpha. */
class TwoServicesTest {
    private final TestAlpha alpha = new TestAlpha();
    private final ConfigurableApplicationContext cars = start(Cars.class, "cars", "");
    private final ConfigurableApplicationContext trips = start(Tours.class, "tours", "http://localhost:" + port(cars));

    @SpringBootConfiguration
    @EnableAutoConfiguration
    @OmegaTest
    @Import({CarDesk.class, Ledger.class, Insurance.class})
    @RestController
    static class Cars {
        private final CarDesk desk;
        private final Insurance insurance;

        Cars(CarDesk desk, Insurance insurance) {
            this.desk = desk;
            this.insurance = insurance;
        }

        @PostMapping("/insurances")
        void insure(@RequestParam String guest) {
            insurance.insure(guest);
        }

        @PostMapping("/cars")
        void book(@RequestParam String guest) {
            desk.book(guest);
        }
    }

    static class Insurance {
        @SagaStart(propagation = SagaPropagation.MANDATORY)
        public void insure(String guest) {
            throw new IllegalStateException(guest + " is a bad risk");
        }
    }

    @SpringBootConfiguration
    @EnableAutoConfiguration
    @OmegaTest
    @Import({HotelDesk.class, Ledger.class, Tour.class})
    static class Tours {}

    static class Tour {
        private final HotelDesk hotel;
        private final RestClient cars;

        Tour(HotelDesk hotel, RestClient.Builder cars, Environment environment) {
            this.hotel = hotel;
            this.cars = cars.baseUrl(environment.getRequiredProperty("cars")).build();
        }

        @SagaStart
        public void book(String guest) {
            hotel.book(guest);
            cars.post().uri("/cars?guest={guest}", guest).retrieve().toBodilessEntity();
        }

        /** Swallows what the other service says. */
        @SagaStart
        public boolean bookAndInsure(String guest) {
            hotel.book(guest);
            return cars.post()
                    .uri("/insurances?guest={guest}", guest)
                    .exchange((request, response) -> response.getStatusCode().isError());
        }
    }

    private ConfigurableApplicationContext start(Class<?> application, String name, String carsAt) {
        return new SpringApplicationBuilder(application)
                .initializers(context -> context.getBeanFactory().registerSingleton("alpha", alpha))
                .run("--spring.application.name=" + name, "--server.port=0", "--cars=" + carsAt);
    }

    private static int port(ConfigurableApplicationContext service) {
        return service.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
    }

    @AfterEach
    void stop() {
        trips.close();
        cars.close();
        alpha.close();
    }

    @Test
    void what_has_joined_in_another_service_and_thrown_aborts_the_saga() {
        assertThatExceptionOfType(SagaAbortedException.class)
                .isThrownBy(() -> trips.getBean(Tour.class).bookAndInsure("Ada"))
                .withMessageContaining("Ada is a bad risk");

        assertThat(alpha.saga()).compensated("HotelDesk.book");
    }

    @Test
    void a_saga_across_services_ends_in_each_of_them() {
        Tour tour = trips.getBean(Tour.class);

        tour.book("Ada");
        assertThat(alpha.saga()).committed();

        alpha.fail("CarDesk.book").afterEffect();
        assertThatThrownBy(() -> tour.book("Bob"));

        assertThat(alpha.sagas().getLast()).compensated("CarDesk.book", "HotelDesk.book");
        assertThat(cars.getBean(Ledger.class).all()).containsExactly("car for Ada", "car for Bob", "no car for Bob");
        assertThat(trips.getBean(Ledger.class).all())
                .containsExactly("room for Ada", "room for Bob", "no room for Bob");
        alpha.requireTroublesHappened();
    }
}
