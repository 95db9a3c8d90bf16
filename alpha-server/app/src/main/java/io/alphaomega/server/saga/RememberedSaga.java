package io.alphaomega.server.saga;

import io.alphaomega.repository.Version;
import io.alphaomega.saga.SagaId;
import io.alphaomega.saga.SagaState;

/** One saga as its actor remembers it: its state, the version of the store that this is of, and its share of the memory. */
final class RememberedSaga {
    private final SagaMemory memory;
    private SagaState state;
    private Version version = Version.NONE;
    private int size;

    RememberedSaga(SagaId id, SagaMemory memory) {
        this.memory = memory;
        this.state = new SagaState.Absent(id);
        this.size = SagaMemory.size(state);
        memory.take(size);
    }

    SagaState state() {
        return state;
    }

    Version version() {
        return version;
    }

    boolean neverLoaded() {
        return version.equals(Version.NONE);
    }

    /** Whether no input moves it any further. */
    boolean isOver() {
        return switch (state) {
            case SagaState.Absent absent -> true;
            case SagaState.Ended ended -> true;
            case SagaState.Purged purged -> true;
            case SagaState.Known running -> false;
        };
    }

    void become(SagaState next, Version stored) {
        state = next;
        version = stored;
        int before = size;
        size = SagaMemory.size(state);
        memory.take(size - before);
    }

    /** Its memory is free for others. */
    void forget() {
        memory.take(-size);
    }
}
