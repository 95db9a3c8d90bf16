package io.alphaomega.samples.shop.payment;

import io.alphaomega.samples.shop.OrderId;

/** Money for an order, in cents, to be taken from a card. */
public record Charge(String order, String customer, String card, long cents) {
    public Charge {
        order = OrderId.of(order);
        if (cents < 1) throw new IllegalArgumentException("A charge is of at least 1 cent, not " + cents + ".");
    }

    /** What may be kept of the card, and shown. */
    String lastDigits() {
        return "…" + card.substring(Math.max(0, card.length() - 4));
    }
}
