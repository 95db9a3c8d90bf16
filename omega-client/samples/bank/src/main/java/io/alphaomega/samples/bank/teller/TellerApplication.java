package io.alphaomega.samples.bank.teller;

import io.alphaomega.samples.bank.EffectLog;
import io.alphaomega.samples.bank.Problems;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Import;

/** The teller; its settings are in {@code teller.yml}. */
@SpringBootApplication
@EnableConfigurationProperties(TellerProperties.class)
@Import({EffectLog.class, Problems.class})
public class TellerApplication {
    public static void main(String[] args) {
        new SpringApplicationBuilder(TellerApplication.class)
                .properties("spring.config.name=teller")
                .run(args);
    }
}
