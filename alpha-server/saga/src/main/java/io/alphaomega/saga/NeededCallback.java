package io.alphaomega.saga;

import io.alphaomega.saga.SagaState.Absent;
import io.alphaomega.saga.SagaState.Active;
import io.alphaomega.saga.SagaState.Compensating;
import io.alphaomega.saga.SagaState.Confirming;
import io.alphaomega.saga.SagaState.Ended;
import io.alphaomega.saga.SagaState.Held;
import io.alphaomega.saga.SagaState.Known;
import io.alphaomega.saga.SagaState.Prepared;
import io.alphaomega.saga.SagaState.Purged;
import io.alphaomega.saga.SagaState.Suspended;
import java.util.HashSet;
import java.util.Set;

/**
 * A callback without which a saga may not come to its end.
 *
 * @param service that must run it
 * @param name its logical name
 */
public record NeededCallback(String service, String name) {
    /** Those that have not run yet: of a saga that is not decided, the ones for either decision. */
    public static Set<NeededCallback> of(SagaState state) {
        return switch (state) {
            case Absent absent -> Set.of();
            case Purged purged -> Set.of();
            case Ended ended -> Set.of();
            case Active active -> of(active, CallbackKind.values());
            case Prepared prepared -> of(prepared, CallbackKind.values());
            case Confirming confirming -> of(confirming, Obligations.kind(confirming));
            case Compensating compensating -> of(compensating, Obligations.kind(compensating));
            case Suspended suspended -> of(suspended, Obligations.kind(suspended));
            case Held held -> held.decided() ? of(held.before()) : of(held, CallbackKind.values());
        };
    }

    private static Set<NeededCallback> of(Known state, CallbackKind... kinds) {
        Set<NeededCallback> needed = new HashSet<>();
        for (Branch branch : state.saga().branches()) {
            if (branch.nested().isPresent()) continue; // Alpha itself tells it.
            for (CallbackKind kind : kinds) {
                if (Obligations.isSettled(branch, kind)) continue;
                branch.offer(kind).ifPresent(offer -> needed.add(new NeededCallback(branch.service(), offer.name())));
            }
        }
        return needed;
    }
}
