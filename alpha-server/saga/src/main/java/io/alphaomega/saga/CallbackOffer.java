package io.alphaomega.saga;

import java.util.Optional;

/**
 * A callback that a branch names when it begins.
 *
 * @param name the logical name under which the participant offers it
 * @param policy how it is retried; empty for the saga's own
 */
public record CallbackOffer(String name, Optional<CallbackPolicy> policy) {
    public CallbackOffer {
        if (name.isBlank()) throw new IllegalArgumentException("callback name is blank");
        Limits.requireName("callback name", name);
    }
}
