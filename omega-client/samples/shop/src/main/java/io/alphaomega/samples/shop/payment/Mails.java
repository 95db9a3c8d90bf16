package io.alphaomega.samples.shop.payment;

import io.alphaomega.omega.AfterCommit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Component;

/**
 * Writes to customers whose orders are committed, and to no others: a file for each mail. Alpha asks until it is done. A
 * process that dies between the mail and its commit is asked again, and then the file has the same name: so there is one.
 */
@Component
class Mails {
    private final Cashier cashier;
    private final Path directory;

    Mails(Cashier cashier, @Value("${sample.data}") Path data) throws IOException {
        this.cashier = cashier;
        this.directory = Files.createDirectories(data.resolve("mails"));
    }

    @AfterCommit("Cashier.charge")
    public void confirm(String order) throws IOException {
        Cashier.Payment payment = cashier.payment(order);
        String text = "Dear %s,%nyour order %s is on its way. Your card %s was charged with %d.%02d.%n"
                .formatted(payment.customer(), order, payment.card(), payment.cents() / 100, payment.cents() % 100);
        Path draft = Files.writeString(directory.resolve(order + ".draft"), text);
        Files.move(draft, directory.resolve(order + ".txt"), StandardCopyOption.ATOMIC_MOVE);
    }
}
