package io.alphaomega.saga;

import io.alphaomega.saga.SagaState.Ended;
import io.alphaomega.saga.SagaState.Known;
import java.time.Instant;

/**
 * The store was set back to an earlier time: what it says of the sagas that it had then may not be true any more. One that
 * it has open may have committed since, and must not be undone.
 *
 * @param foundAt when that was found out; sets one restoration apart from the next
 * @param begunBefore whatever began before is of the time before the store was set back
 * @param why how it is known; a sentence for people
 */
public record Restoration(Instant foundAt, Instant begunBefore, String why) {
    public Restoration {
        why = Limits.shortened(why, Limits.REASON_CHARS);
    }

    /** Whether the saga must be held, and has not been yet. */
    public boolean concerns(SagaState state) {
        return state instanceof Known known
                && !(known instanceof Ended)
                && known.saga().begunAt().isBefore(begunBefore)
                && known.saga()
                        .heldFor()
                        .filter(held -> !held.isBefore(foundAt))
                        .isEmpty();
    }
}
