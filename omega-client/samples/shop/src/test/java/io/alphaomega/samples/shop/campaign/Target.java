package io.alphaomega.samples.shop.campaign;

import java.util.List;
import java.util.Locale;

/** A process that can be struck; each needs only those before it to start. */
enum Target {
    SHOP_DATA,
    STOCK_DATA,
    PAYMENT_DATA,
    SHIPPING_DATA,
    ALPHA_DATA,
    KAFKA,
    ALPHA_1,
    ALPHA_2,
    ALPHA_3,
    STOCK,
    PAYMENT,
    SHIPPING,
    SHOP;

    /** In the order of their numbers. */
    static final List<Target> ALPHAS = List.of(ALPHA_1, ALPHA_2, ALPHA_3);

    /** An alpha's, from 1. */
    int number() {
        int index = ALPHAS.indexOf(this);
        if (index < 0) throw new IllegalArgumentException(this + " is no alpha.");
        return index + 1;
    }

    /** The database of a service. */
    Target data() {
        return switch (this) {
            case SHOP, SHOP_DATA -> SHOP_DATA;
            case STOCK, STOCK_DATA -> STOCK_DATA;
            case PAYMENT, PAYMENT_DATA -> PAYMENT_DATA;
            case SHIPPING, SHIPPING_DATA -> SHIPPING_DATA;
            case ALPHA_DATA, KAFKA, ALPHA_1, ALPHA_2, ALPHA_3 ->
                throw new IllegalArgumentException(this + " is no service.");
        };
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
