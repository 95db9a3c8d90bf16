package io.alphaomega.samples.bank.accounts;

import io.alphaomega.samples.bank.EffectLog;
import io.alphaomega.samples.bank.Problems;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.annotation.Import;

/** A service that keeps accounts; its settings are in {@code accounts.yml}. */
@SpringBootApplication
@Import({EffectLog.class, Problems.class})
public class AccountsApplication {
    public static void main(String[] args) {
        new SpringApplicationBuilder(AccountsApplication.class)
                .properties("spring.config.name=accounts")
                .run(args);
    }
}
