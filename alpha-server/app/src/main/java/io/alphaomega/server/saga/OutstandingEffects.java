package io.alphaomega.server.saga;

import akka.actor.typed.ActorRef;
import io.alphaomega.saga.CallbackKind;
import io.alphaomega.saga.Outcome;
import io.alphaomega.saga.Reply;
import io.alphaomega.saga.SagaEffect;
import io.alphaomega.saga.SagaId;
import io.alphaomega.saga.SagaInput;
import io.alphaomega.saga.SagaRules;
import io.alphaomega.saga.SagaState;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What one saga has asked for outside and still wants: each thing is asked once, and withdrawn when it is settled. */
final class OutstandingEffects {
    private final SagaId id;
    private final ActorRef<RouterCommand> participants;
    private final Alerts alerts;
    private final Sagas sagas;
    private final Supplier<ActorRef<SagaReply>> answers;
    private final ActorRef<SagaReply> nobody;
    private Set<SagaEffect> asked = Set.of();

    /**
     * @param answers to whom nested sagas answer, asked for when there is one
     * @param nobody to whom answers go that no one waits for
     */
    OutstandingEffects(
            SagaId id,
            ActorRef<RouterCommand> participants,
            Alerts alerts,
            Sagas sagas,
            Supplier<ActorRef<SagaReply>> answers,
            ActorRef<SagaReply> nobody) {
        this.id = id;
        this.participants = participants;
        this.alerts = alerts;
        this.sagas = sagas;
        this.answers = answers;
        this.nobody = nobody;
    }

    /** Asks for what is owed in {@code state} and was not before, and withdraws what was and is not. */
    void perform(SagaState state) {
        perform(SagaRules.effects(state));
    }

    /** Withdraws whatever was asked for. */
    void withdraw() {
        perform(Set.of());
    }

    private void perform(Set<SagaEffect> owed) {
        if (owed.isEmpty() && asked.isEmpty()) return; // As long as all goes well.
        Set<SagaEffect> settled = new HashSet<>(asked);
        settled.removeAll(owed);
        Set<SagaEffect> added = new HashSet<>(owed);
        added.removeAll(asked);
        for (SagaEffect effect : settled) {
            switch (effect) {
                case SagaEffect.Call call -> participants.tell(new CallbackCommand.Withdraw(id, call));
                case SagaEffect.AskFence question -> participants.tell(new FenceCommand.Withdraw(id, question));
                case SagaEffect.Decide decide -> {} // What is decided stays so.
                case SagaEffect.Alert alert -> alerts.withdraw(id);
            }
        }
        for (SagaEffect effect : added) {
            switch (effect) {
                case SagaEffect.Call call -> participants.tell(new CallbackCommand.Ask(id, call));
                case SagaEffect.AskFence question -> participants.tell(new FenceCommand.Ask(id, question));
                case SagaEffect.Decide decide ->
                    sagas.tell(decide.saga(), decide.decision(), decide.attempt(), answers.get());
                case SagaEffect.Alert alert -> alerts.raise(id, alert.suspension());
            }
        }
        asked = owed;
    }

    /** Whether somebody has been asked to do something and has not answered. */
    boolean anyCalls() {
        for (SagaEffect effect : asked) {
            boolean waits =
                    switch (effect) {
                        case SagaEffect.Call call -> true;
                        case SagaEffect.Decide decide -> true;
                        case SagaEffect.AskFence question -> false; // Asked on also while the saga is not in memory.
                        case SagaEffect.Alert alert -> false;
                    };
            if (waits) return true;
        }
        return false;
    }

    /** Asks the fences again for what they have not said: the router may have had no room for that, or has forgotten it. */
    void askFencesAgain() {
        for (SagaEffect effect : asked) {
            if (effect instanceof SagaEffect.AskFence question) participants.tell(new FenceCommand.Ask(id, question));
        }
    }

    /** What the answer of a nested saga means; null if nobody waits for it any more. */
    @Nullable
    SagaInput answered(SagaReply reply) {
        for (SagaEffect effect : asked) {
            if (effect instanceof SagaEffect.Decide decide
                    && decide.saga().equals(reply.saga())
                    && decide.attempt() == reply.correlation()) {
                return reply.outcome() instanceof SagaReply.Outcome.Decided(Reply said)
                        ? decide.answeredWith(said)
                        : decide.unfinished();
            }
        }
        return null;
    }

    /** Who waits for the end of this saga asks from time to time, so this may get lost. */
    void tellParent(SagaState state) {
        if (!(state instanceof SagaState.Ended ended)) return;
        ended.saga().initiator().parent().ifPresent(parent -> {
            CallbackKind kind =
                    ended.outcome() == Outcome.COMMITTED ? CallbackKind.CONFIRMATION : CallbackKind.COMPENSATION;
            sagas.tell(parent.saga(), new SagaInput.SucceedCallback(parent.branch(), kind, 1, ""), nobody);
        });
    }

    /** What is owed is not known any more: all of it is asked again when it is. */
    void forget() {
        asked = Set.of();
    }
}
