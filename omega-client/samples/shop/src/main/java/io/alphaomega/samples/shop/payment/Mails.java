package io.alphaomega.samples.shop.payment;

import io.alphaomega.omega.AfterCommit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Component;

/**
 * Writes to customers whose orders are committed, and to no others: a file for each order, to which each mail is appended.
 * Alpha asks until it is done, and the fence lets it be done once. Only a process that dies between the mail and its commit
 * is asked again after it has written: then there are two.
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
        String text =
                "Subject: Your order%n%nDear %s,%nyour order %s is on its way. Your card %s was charged with %d.%02d.%n"
                        .formatted(
                                payment.customer(),
                                order,
                                payment.card(),
                                payment.cents() / 100,
                                payment.cents() % 100);
        Path mails = directory.resolve(order + ".txt");
        Path unused = Files.writeString(mails, text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }
}
