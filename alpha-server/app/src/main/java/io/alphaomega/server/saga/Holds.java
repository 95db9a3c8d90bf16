package io.alphaomega.server.saga;

import io.alphaomega.saga.Restoration;
import io.alphaomega.saga.SagaState;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What this node knows of a store that was set back to an earlier time, for every saga to look at before it does anything. */
public final class Holds {
    private volatile @Nullable Restoration restoration;

    public Optional<Restoration> restoration() {
        return Optional.ofNullable(restoration);
    }

    public void restored(Restoration found) {
        restoration = found;
    }

    /** Whether the saga must be held, and is not yet. */
    boolean concern(SagaState state) {
        Restoration found = restoration;
        return found != null && found.concerns(state);
    }
}
