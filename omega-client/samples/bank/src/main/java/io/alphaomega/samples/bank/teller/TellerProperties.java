package io.alphaomega.samples.bank.teller;

import io.alphaomega.samples.bank.RefusedException;
import java.net.URI;
import java.util.Map;
import org.springframework.boot.context.properties.ConfigurationProperties;

/** @param accounts which service keeps the accounts whose ids begin with a town: {@code north} for {@code north-17} */
@ConfigurationProperties("teller")
record TellerProperties(Map<String, URI> accounts) {
    URI keeperOf(String account) {
        URI keeper = accounts.get(account.replaceFirst("-.*", ""));
        if (keeper == null) throw new RefusedException("Nobody keeps account " + account + ".");
        return keeper;
    }
}
