package io.alphaomega.server.saga;

import io.alphaomega.saga.Decision;
import io.alphaomega.saga.Reply;
import io.alphaomega.saga.Restoration;
import io.alphaomega.saga.SagaEvent;
import io.alphaomega.saga.SagaInput;
import io.alphaomega.saga.SagaRules;
import io.alphaomega.saga.SagaState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Inputs that were decided together, in order, each on the state that those before it would lead to: one append for the
 * batch, and every reply after it.
 *
 * @param after the state once the events are stored
 */
record DecisionBatch(List<Answer> answers, List<SagaEvent> events, SagaState before, SagaState after) {

    /** What an input is told once the batch is stored. */
    record Answer(Deliver deliver, Reply reply) {
        /**
         * A tick that finds nothing due may have come to an owner that misses what another has journaled since; so may
         * who asks for the outcome of a saga that seems open, or would have begun it.
         */
        boolean isSettled() {
            return reply.isSettled()
                    && !(deliver.input() instanceof SagaInput.Tick)
                    && !(reply instanceof Reply.Pending && asksForOutcome(deliver.input()));
        }

        private static boolean asksForOutcome(SagaInput input) {
            return input instanceof SagaInput.AskOutcome || input instanceof SagaInput.BeginOnce;
        }
    }

    /** @param restoration of the store, if that was set back: the saga is held for it before anything else is decided */
    static DecisionBatch decide(
            SagaState before, List<Deliver> inputs, Optional<Restoration> restoration, Instant now) {
        boolean held = restoration.isPresent() && restoration.get().concerns(before);
        if (inputs.size() == 1 && !held) {
            Deliver only = inputs.getFirst();
            Decision decision = SagaRules.decide(before, only.input(), now);
            return new DecisionBatch(
                    List.of(new Answer(only, decision.reply())), decision.events(), before, decision.after());
        }
        List<Answer> answers = new ArrayList<>(inputs.size());
        List<SagaEvent> events = new ArrayList<>();
        SagaState state = before;
        if (held) {
            Decision hold = SagaRules.decide(state, new SagaInput.Hold(restoration.get()), now);
            state = hold.after();
            events.addAll(hold.events());
        }
        for (Deliver deliver : inputs) {
            Decision decision = SagaRules.decide(state, deliver.input(), now);
            state = decision.after();
            events.addAll(decision.events());
            answers.add(new Answer(deliver, decision.reply()));
        }
        return new DecisionBatch(answers, events, before, state);
    }

    /** Whether every reply may be given without a look at the store. */
    boolean isSettled() {
        for (Answer answer : answers) {
            if (!answer.isSettled()) return false;
        }
        return true;
    }

    /** Whether the saga's first event is among them. */
    boolean begins() {
        return before.sequence() == 0 && !events.isEmpty();
    }

    /** Whether the saga is over with them. */
    boolean ends() {
        return !events.isEmpty() && events.getLast() instanceof SagaEvent.Ended;
    }

    /** Whether a service is back, and can be asked what was not asked of it before. */
    boolean connects() {
        for (Answer answer : answers) {
            if (answer.deliver().input() instanceof SagaInput.ConnectService) return true;
        }
        return false;
    }

    List<Deliver> inputs() {
        return answers.stream().map(Answer::deliver).toList();
    }
}
