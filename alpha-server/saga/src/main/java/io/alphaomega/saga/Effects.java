package io.alphaomega.saga;

import io.alphaomega.saga.Branch.Forward;
import io.alphaomega.saga.Branch.Progress;
import io.alphaomega.saga.SagaState.Absent;
import io.alphaomega.saga.SagaState.Active;
import io.alphaomega.saga.SagaState.Compensating;
import io.alphaomega.saga.SagaState.Confirming;
import io.alphaomega.saga.SagaState.Ended;
import io.alphaomega.saga.SagaState.Purged;
import io.alphaomega.saga.SagaState.Suspended;
import java.util.LinkedHashSet;
import java.util.Set;

/** What must be made to happen outside while a saga is in a state: the callbacks asked, the alarm raised. */
final class Effects {
    private Effects() {}

    static Set<SagaEffect> of(SagaState state) {
        return switch (state) {
            case Absent absent -> Set.of();
            case Purged purged -> Set.of();
            case Active active -> Set.of();
            case SagaState.Prepared prepared -> Set.of();
            case Confirming confirming -> calls(confirming.saga());
            case Compensating compensating -> calls(compensating.saga());
            case Suspended suspended -> {
                Set<SagaEffect> effects = calls(suspended.saga());
                effects.add(new SagaEffect.Alert(suspended.suspension()));
                yield effects;
            }
            case SagaState.Held held -> Holding.questions(held);
            case Ended ended -> Set.of();
        };
    }

    private static Set<SagaEffect> calls(Saga saga) {
        Set<SagaEffect> calls = new LinkedHashSet<>();
        for (Branch branch : saga.branches().moving()) {
            if (!(branch.progress() instanceof Progress.Asked asked)) continue;
            calls.add(
                    branch.nested().isPresent() ? Nesting.effect(saga.id(), branch, asked) : call(saga, branch, asked));
        }
        return calls;
    }

    private static SagaEffect.Call call(Saga saga, Branch branch, Progress.Asked asked) {
        CallbackKind kind = asked.effort().kind();
        // What was known when it was asked: a report that comes later does not make it another call.
        Payload result = asked.forwardEnded() && branch.forward() instanceof Forward.Ended ended
                ? ended.result()
                : Payload.EMPTY;
        return new SagaEffect.Call(
                branch.id(),
                branch.service(),
                branch.instance(),
                kind,
                branch.offer(kind).orElseThrow().name(),
                asked.effort().attempt(),
                branch.arguments(),
                result,
                asked.forwardEnded(),
                branch.fenced(),
                branch.fence(),
                branch.traceparent(),
                branch.begunAt(),
                asked.answerBy(),
                asked.effort().giveUpAt(),
                branch.build(),
                asked.effort().unableBuilds(),
                saga.initiator().businessKey(),
                CallbackEvents.isRetried(saga, branch, asked));
    }
}
