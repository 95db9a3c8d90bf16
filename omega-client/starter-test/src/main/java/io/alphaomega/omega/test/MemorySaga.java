package io.alphaomega.omega.test;

import io.alphaomega.saga.BranchId;
import io.alphaomega.saga.Decision;
import io.alphaomega.saga.Parent;
import io.alphaomega.saga.Refusal;
import io.alphaomega.saga.Reply;
import io.alphaomega.saga.SagaEffect;
import io.alphaomega.saga.SagaEvent;
import io.alphaomega.saga.SagaId;
import io.alphaomega.saga.SagaInput;
import io.alphaomega.saga.SagaRules;
import io.alphaomega.saga.SagaState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * One saga in memory: its journal, what it has asked for, and the callers that wait for its decision. Guarded by its
 * alpha.
 */
final class MemorySaga {
    private final List<SagaEvent> journal = new ArrayList<>();
    private final List<Consumer<Reply>> waiting = new ArrayList<>();
    private SagaState state;
    private Set<SagaEffect> asked = Set.of();

    MemorySaga(SagaId id) {
        state = new SagaState.Absent(id);
    }

    SagaId id() {
        return state.id();
    }

    SagaState state() {
        return state;
    }

    List<SagaEvent> journal() {
        return List.copyOf(journal);
    }

    /** Journals what the rules make of the input; then it tells who has waited for the decision. */
    Reply decide(SagaInput input, Instant now) {
        Decision decision = SagaRules.decide(state, input, now);
        journal.addAll(decision.events());
        state = decision.after();
        if (state instanceof SagaState.Known known) {
            Reply end = SagaRules.answerToEnd(known);
            if (!(end instanceof Reply.Pending)) {
                waiting.forEach(each -> each.accept(end));
                waiting.clear();
            }
        }
        return decision.reply();
    }

    /** Tells it once it is decided. */
    void await(Consumer<Reply> decided) {
        waiting.add(decided);
    }

    /** Tells those who wait that nobody will decide it. */
    void giveUp() {
        Reply unknown =
                new Reply.Rejected(Refusal.UNKNOWN_SAGA, "saga %s was forgotten: its test is over".formatted(id()));
        waiting.forEach(each -> each.accept(unknown));
        waiting.clear();
    }

    /** What is owed now and was not when this was asked before, in the order of the branches. */
    Set<SagaEffect> newlyOwed() {
        Set<SagaEffect> owed = SagaRules.effects(state);
        Set<SagaEffect> added = new LinkedHashSet<>(owed);
        added.removeAll(asked);
        asked = owed;
        return added;
    }

    /** The saga that it is nested in. */
    Optional<Parent> parent() {
        return state instanceof SagaState.Known known ? known.saga().initiator().parent() : Optional.empty();
    }

    /** Whether the call is still wanted. */
    boolean owes(SagaEffect.Call call) {
        return asked.contains(call);
    }

    Optional<Instant> wakeUpAt() {
        return SagaRules.wakeUpAt(state);
    }

    String operation(BranchId branch) {
        return state instanceof SagaState.Known known
                ? known.saga().branch(branch).map(each -> each.operation()).orElse(branch.value())
                : branch.value();
    }
}
