package io.alphaomega.samples.shop.stock;

import io.alphaomega.samples.shop.Problems;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.annotation.Import;

/** The stock, on Spring MVC and JPA; its settings are in {@code stock.yml}. */
@SpringBootApplication
@Import(Problems.class)
public class StockApplication {
    public static void main(String[] args) {
        new SpringApplicationBuilder(StockApplication.class)
                .properties("spring.config.name=stock")
                .run(args);
    }
}
