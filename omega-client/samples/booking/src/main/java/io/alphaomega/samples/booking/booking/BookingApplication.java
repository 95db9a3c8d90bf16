package io.alphaomega.samples.booking.booking;

import io.alphaomega.samples.booking.Problems;
import io.alphaomega.samples.booking.Sqlite;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Import;

/** The booking of trips, on port 8081; its settings are in {@code booking.yml}. */
@SpringBootApplication
@EnableConfigurationProperties(BookingProperties.class)
@Import({Sqlite.class, Problems.class})
public class BookingApplication {
    public static void main(String[] args) {
        new SpringApplicationBuilder(BookingApplication.class)
                .properties("spring.config.name=booking")
                .run(args);
    }
}
