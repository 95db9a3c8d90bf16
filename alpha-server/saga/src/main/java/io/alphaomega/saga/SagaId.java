package io.alphaomega.saga;

import org.jspecify.annotations.Nullable;

/** The name of one saga, chosen by the omega that began it: a UUIDv7, or a hash of the service and its business key. */
public record SagaId(String value) {
    public SagaId {
        Limits.requireId("saga id", value);
    }

    // As the record's own, but those go through method handles, which shows where a saga is looked up for every input.

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof SagaId that && value.equals(that.value);
    }

    @Override
    public int hashCode() {
        return value.hashCode();
    }

    @Override
    public String toString() {
        return value;
    }
}
