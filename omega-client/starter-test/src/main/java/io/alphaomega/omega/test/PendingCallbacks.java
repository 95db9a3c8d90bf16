package io.alphaomega.omega.test;

import io.alphaomega.protocol.v1.CallbackResult;
import io.alphaomega.saga.SagaEffect;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Callbacks that an instance was asked for and whose answers have not been heard, in the order in which they were asked.
 * Guarded by its alpha.
 */
final class PendingCallbacks {
    private final List<Asked> asked = new ArrayList<>();

    /** A callback, the instance that was asked, and the answer once it has come. */
    static final class Asked {
        final MemorySaga saga;
        final SagaEffect.Call call;
        final MemoryStream stream;

        @Nullable
        CallbackResult answer;

        private Asked(MemorySaga saga, SagaEffect.Call call, MemoryStream stream) {
            this.saga = saga;
            this.call = call;
            this.stream = stream;
        }

        private boolean isAnsweredBy(CallbackResult result) {
            return saga.id().value().equals(result.getSaga())
                    && call.branch().value().equals(result.getBranch())
                    && call.attempt() == result.getAttempt();
        }
    }

    void add(MemorySaga saga, SagaEffect.Call call, MemoryStream stream) {
        asked.add(new Asked(saga, call, stream));
    }

    /** Whether it was still there. */
    boolean remove(Asked one) {
        return asked.remove(one);
    }

    /** Whether there was any. */
    boolean removeIf(Predicate<Asked> which) {
        return asked.removeIf(which);
    }

    void clear() {
        asked.clear();
    }

    boolean isEmpty() {
        return asked.isEmpty();
    }

    /** Those there are now; others may come and go meanwhile. */
    List<Asked> all() {
        return List.copyOf(asked);
    }

    @Nullable
    Asked answeredBy(CallbackResult result) {
        return asked.stream()
                .filter(each -> each.isAnsweredBy(result))
                .findFirst()
                .orElse(null);
    }

    /** The names of those that have no answer yet. */
    String unanswered() {
        return asked.stream()
                .filter(each -> each.answer == null)
                .map(each -> each.call.name())
                .distinct()
                .collect(Collectors.joining(", "));
    }
}
