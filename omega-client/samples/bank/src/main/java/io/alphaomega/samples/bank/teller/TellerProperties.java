package io.alphaomega.samples.bank.teller;

import io.alphaomega.samples.bank.RefusedException;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import org.springframework.boot.context.properties.ConfigurationProperties;

/** @param accounts the instances of the service that keeps the accounts of a town: {@code north} for {@code north-17} */
@ConfigurationProperties("teller")
record TellerProperties(Map<String, List<URI>> accounts) {
    URI keeperOf(String account) {
        List<URI> keepers = accounts.getOrDefault(account.replaceFirst("-.*", ""), List.of());
        if (keepers.isEmpty()) throw new RefusedException("Nobody keeps account " + account + ".");
        return keepers.get(ThreadLocalRandom.current().nextInt(keepers.size()));
    }
}
