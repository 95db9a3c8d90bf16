package io.alphaomega.omega.transport;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;

/** Another thread, which is in no saga. */
final class Elsewhere {
    private Elsewhere() {}

    static <T> T run(Supplier<T> work) {
        CompletableFuture<T> result = new CompletableFuture<>();
        Thread.ofPlatform().start(() -> {
            try {
                result.complete(work.get());
            } catch (RuntimeException | Error thrown) {
                result.completeExceptionally(thrown);
            }
        });
        try {
            return result.join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof RuntimeException thrown) throw thrown;
            throw e;
        }
    }
}
