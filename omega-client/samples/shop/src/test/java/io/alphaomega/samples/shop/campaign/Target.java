package io.alphaomega.samples.shop.campaign;

import java.util.Locale;

/** A process that can be struck; each needs only those before it to start. */
enum Target {
    STOCK_DATA,
    PAYMENT_DATA,
    SHIPPING_DATA,
    KAFKA,
    ALPHA,
    STOCK,
    PAYMENT,
    SHIPPING,
    SHOP;

    /** The database of a service that has one. */
    Target data() {
        return switch (this) {
            case STOCK, STOCK_DATA -> STOCK_DATA;
            case PAYMENT, PAYMENT_DATA -> PAYMENT_DATA;
            case SHIPPING, SHIPPING_DATA -> SHIPPING_DATA;
            case KAFKA, ALPHA, SHOP -> throw new IllegalArgumentException(this + " has no database.");
        };
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
