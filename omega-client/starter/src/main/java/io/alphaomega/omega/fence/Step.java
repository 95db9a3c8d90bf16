package io.alphaomega.omega.fence;

import java.util.Optional;
import java.util.function.Function;

/**
 * A decision of the fence as it stands: what to do with which row next, and what the answer leads to; or the verdict.
 * {@link JdbcRows} and {@link ReactiveRows} perform one step after the other.
 */
sealed interface Step<V> {
    /** What can be done with a row, to be answered with yes or no. */
    enum Verb {
        /** Inserts it and says whether it did; no if its key is taken, for which it waits if that is undecided. */
        INSERT,
        /** Whether it is there, inserted for its reason; also if it was committed since the transaction began. */
        FIND,
        /** Takes back what this transaction has just inserted. */
        DELETE
    }

    record Ask<V>(Verb verb, FenceRow row, Function<Boolean, Step<V>> then) implements Step<V> {}

    /** Reads what is stored in the row. */
    record Read<V>(FenceRow row, Function<Optional<byte[]>, Step<V>> then) implements Step<V> {}

    /** Stores a result in the row, and says whether that was there. */
    @SuppressWarnings("ArrayRecordComponent") // Nobody compares steps.
    record Store<V>(FenceRow row, byte[] result, Function<Boolean, Step<V>> then) implements Step<V> {}

    record Done<V>(V verdict) implements Step<V> {}
}
