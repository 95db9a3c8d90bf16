package io.alphaomega.samples.booking.car;

import io.alphaomega.samples.booking.Problems;
import io.alphaomega.samples.booking.Sqlite;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.annotation.Import;

/** The car rental, on port 8082; its settings are in {@code car.yml}. */
@SpringBootApplication
@Import({Sqlite.class, Problems.class})
public class CarApplication {
    public static void main(String[] args) {
        new SpringApplicationBuilder(CarApplication.class)
                .properties("spring.config.name=car")
                .run(args);
    }
}
