package io.alphaomega.samples.shop.payment;

import io.alphaomega.samples.shop.Problems;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.annotation.Import;

/** The cash desk, on Spring MVC and JDBC; its settings are in {@code payment.yml}. */
@SpringBootApplication
@Import(Problems.class)
public class PaymentApplication {
    public static void main(String[] args) {
        new SpringApplicationBuilder(PaymentApplication.class)
                .properties("spring.config.name=payment")
                .run(args);
    }
}
