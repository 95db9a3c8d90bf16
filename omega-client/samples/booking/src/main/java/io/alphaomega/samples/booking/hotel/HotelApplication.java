package io.alphaomega.samples.booking.hotel;

import io.alphaomega.samples.booking.Problems;
import io.alphaomega.samples.booking.Sqlite;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.annotation.Import;

/** The hotel, on port 8083; its settings are in {@code hotel.yml}. */
@SpringBootApplication
@Import({Sqlite.class, Problems.class})
public class HotelApplication {
    public static void main(String[] args) {
        new SpringApplicationBuilder(HotelApplication.class)
                .properties("spring.config.name=hotel")
                .run(args);
    }
}
