package io.alphaomega.samples.bank.teller;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Money that somebody wants moved. Whoever asks again names the transfer by an id of their own. */
public record TransferOrder(String id, String from, String to, long amount) {
    public TransferOrder(@Nullable String id, @Nullable String from, @Nullable String to, long amount) {
        if (from == null || to == null) throw new IllegalArgumentException("A transfer is from an account to another.");
        if (amount < 1) throw new IllegalArgumentException("A transfer is of at least 1, not of " + amount + ".");
        this.id = id == null ? UUID.randomUUID().toString() : id;
        this.from = from;
        this.to = to;
        this.amount = amount;
    }
}
