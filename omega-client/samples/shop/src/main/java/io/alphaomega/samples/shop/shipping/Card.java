package io.alphaomega.samples.shop.shipping;

import io.alphaomega.samples.shop.OrderId;

/** A greeting that goes with an order. */
public record Card(String order, String text) {
    public Card {
        order = OrderId.of(order);
    }
}
