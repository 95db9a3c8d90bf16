package io.alphaomega.samples.shop.shop;

import io.alphaomega.samples.shop.OrderId;
import org.jspecify.annotations.Nullable;

/**
 * What somebody wants, to be paid by card and sent to an address.
 *
 * @param greeting makes it a gift: goes with it on a card, in a box; null if it is none
 */
record Order(
        String id,
        String customer,
        String article,
        int pieces,
        String card,
        String address,
        @Nullable String greeting) {
    Order(
            @Nullable String id,
            @Nullable String customer,
            @Nullable String article,
            int pieces,
            @Nullable String card,
            @Nullable String address,
            @Nullable String greeting) {
        if (pieces < 1) throw new IllegalArgumentException("An order is for at least 1 piece, not " + pieces + ".");
        this.id = OrderId.of(id);
        this.customer = required("customer", customer);
        this.article = required("article", article);
        this.pieces = pieces;
        this.card = required("card", card);
        this.address = required("address", address);
        this.greeting = greeting == null || greeting.isBlank() ? null : greeting;
    }

    private static String required(String what, @Nullable String value) {
        if (value == null || value.isBlank()) throw new IllegalArgumentException("An order needs a " + what + ".");
        return value;
    }
}
