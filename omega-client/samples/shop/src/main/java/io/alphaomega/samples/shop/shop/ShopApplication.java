package io.alphaomega.samples.shop.shop;

import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.context.properties.EnableConfigurationProperties;

/** The shop, on WebFlux and R2DBC; its settings are in {@code shop.yml}. */
@SpringBootApplication
@EnableConfigurationProperties(ShopProperties.class)
public class ShopApplication {
    public static void main(String[] args) {
        new SpringApplicationBuilder(ShopApplication.class)
                .properties("spring.config.name=shop")
                .run(args);
    }
}
