package io.alphaomega.samples.shop;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What every service knows an order by; the customer's program makes it, so that a repeated order is the same order. */
public final class OrderId {
    /** It is a key in databases, and part of a mail's file name. */
    private static final Pattern SHAPE = Pattern.compile("[A-Za-z0-9-]{1,40}");

    private OrderId() {}

    /** The id, or an {@link IllegalArgumentException} if it is none. */
    public static String of(@Nullable String id) {
        if (id == null || !SHAPE.matcher(id).matches()) {
            throw new IllegalArgumentException("An order's id is 1 to 40 letters, digits and hyphens.");
        }
        return id;
    }
}
