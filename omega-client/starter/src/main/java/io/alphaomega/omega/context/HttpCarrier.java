package io.alphaomega.omega.context;

import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;

/** The headers of an HTTP request of Spring's clients. */
record HttpCarrier(HttpHeaders headers) implements SagaCarrier.Headers {
    @Override
    public @Nullable String get(String name) {
        return headers.getFirst(name);
    }

    @Override
    public void set(String name, String value) {
        headers.set(name, value);
    }

    @Override
    public void remove(String name) {
        headers.remove(name);
    }
}
