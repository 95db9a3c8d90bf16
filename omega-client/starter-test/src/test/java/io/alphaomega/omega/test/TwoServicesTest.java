package io.alphaomega.omega.test;

import static io.alphaomega.omega.test.OmegaAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
    @Import({CarDesk.class, Ledger.class})
    @RestController
    static class Cars {
        private final CarDesk desk;

        Cars(CarDesk desk) {
            this.desk = desk;
        }

        @PostMapping("/cars")
        void book(@RequestParam String guest) {
            desk.book(guest);
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
