package io.alphaomega.omega.transport.grpc;

import io.alphaomega.omega.context.SagaCarrier;
import io.grpc.Metadata;
import org.jspecify.annotations.Nullable;

/** The metadata of a call of gRPC, whose names are in small letters. */
record GrpcCarrier(Metadata metadata) implements SagaCarrier.Headers {
    @Override
    public @Nullable String get(String name) {
        return metadata.get(key(name));
    }

    @Override
    public void set(String name, String value) {
        remove(name);
        metadata.put(key(name), value);
    }

    @Override
    public void remove(String name) {
        metadata.discardAll(key(name));
    }

    private static Metadata.Key<String> key(String name) {
        return Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER);
    }
}
