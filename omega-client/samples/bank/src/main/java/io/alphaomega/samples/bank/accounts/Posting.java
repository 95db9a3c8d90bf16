package io.alphaomega.samples.bank.accounts;

import org.jspecify.annotations.Nullable;

/** Money that a transfer takes from an account or puts into it. */
public record Posting(String transfer, String account, long amount) {
    public Posting(@Nullable String transfer, @Nullable String account, long amount) {
        if (transfer == null || transfer.isBlank()) throw new IllegalArgumentException("A posting needs a transfer.");
        if (account == null || account.isBlank()) throw new IllegalArgumentException("A posting needs an account.");
        if (amount < 1) throw new IllegalArgumentException("A posting is of at least 1, not of " + amount + ".");
        this.transfer = transfer;
        this.account = account;
        this.amount = amount;
    }
}
