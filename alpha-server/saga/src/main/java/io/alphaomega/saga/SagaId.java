package io.alphaomega.saga;

/** The name of one saga, chosen by the omega that began it: a UUIDv7, or a hash of the service and its business key. */
public record SagaId(String value) {
    public SagaId {
        Limits.requireId("saga id", value);
    }

    @Override
    public String toString() {
        return value;
    }
}
