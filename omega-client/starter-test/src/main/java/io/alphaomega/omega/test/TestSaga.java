package io.alphaomega.omega.test;

import io.alphaomega.repository.SagaSummary;
import io.alphaomega.saga.Abort;
import io.alphaomega.saga.CallbackKind;
import io.alphaomega.saga.Operator;
import io.alphaomega.saga.SagaEvent;
import io.alphaomega.saga.SagaId;
import io.alphaomega.saga.SagaInput;
import io.alphaomega.saga.SagaState;
import io.alphaomega.saga.Suspension;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** A saga of the {@link TestAlpha}, as it is at the moment of each question. */
public final class TestSaga {
    private final MemoryAlpha alpha;
    private final MemorySaga saga;

    TestSaga(MemoryAlpha alpha, MemorySaga saga) {
        this.alpha = alpha;
        this.saga = saga;
    }

    /** As {@code Omega} and the API of alpha know it. */
    public String id() {
        return saga.id().value();
    }

    /** The method that began it, as in {@code TripService.book}; empty if only a branch has come so far. */
    public String operation() {
        return known().saga().initiator().operation();
    }

    /** What its {@code @SagaStart} gave it to be found by; empty if nothing. */
    public String businessKey() {
        return known().saga().initiator().businessKey();
    }

    /** As the API of alpha names it. */
    public SagaSummary.State state() {
        return alpha.reading(() -> summary().state());
    }

    /** Why it was aborted. */
    public Optional<Abort> abort() {
        return known().abort();
    }

    /** What it waits for a person for. */
    public Optional<Suspension> suspension() {
        return known() instanceof SagaState.Suspended suspended
                ? Optional.of(suspended.suspension())
                : Optional.empty();
    }

    /**
     * What has happened to it, one short line per event, as in {@code CarDesk.book ended}. Neither ids nor times are in
     * it, so it is the same each time; callbacks at the same time are heard as they were asked for, whichever is done
     * first. But of branches at the same time who comes first is open, as it is over a network.
     */
    public List<String> history() {
        return Story.of(events());
    }

    /** The same in full, as alpha journals it. */
    public List<SagaEvent> events() {
        return alpha.reading(saga::journal);
    }

    /** The operations that were compensated, or cancelled, first to last. */
    public List<String> compensated() {
        return calledBack(CallbackKind.COMPENSATION);
    }

    /** The operations that were confirmed, first to last; those of which a method came after the commit, too. */
    public List<String> confirmed() {
        return calledBack(CallbackKind.CONFIRMATION);
    }

    /** The saga that it is nested in. */
    public Optional<TestSaga> parent() {
        return alpha.reading(saga::parent).flatMap(parent -> find(parent.saga()));
    }

    /** Those that are nested in it and have begun, in the order of their beginning. */
    public List<TestSaga> children() {
        return known().saga().branches().stream()
                .flatMap(branch -> branch.nested().stream())
                .flatMap(child -> find(child).stream())
                .toList();
    }

    /** Whether it is nested and done, and waits for the decision of its parent. */
    public boolean isPrepared() {
        return known() instanceof SagaState.Prepared;
    }

    private Optional<TestSaga> find(SagaId id) {
        return alpha.sagas().stream()
                .filter(each -> each.id().equals(id))
                .findFirst()
                .map(found -> new TestSaga(alpha, found));
    }

    private List<String> calledBack(CallbackKind kind) {
        return alpha.reading(() -> saga.journal().stream()
                .filter(SagaEvent.CallbackSucceeded.class::isInstance)
                .map(SagaEvent.CallbackSucceeded.class::cast)
                .filter(event -> event.kind() == kind)
                .map(event -> saga.operation(event.branch()))
                .toList());
    }

    /** Waits in real time, for it is services that it waits for; a saga that has ended is waited for no longer. */
    boolean await(Predicate<SagaSummary.State> wanted) {
        boolean[] is = new boolean[1];
        alpha.await(() -> {
            SagaSummary.State now = summary().state();
            is[0] = wanted.test(now);
            return is[0] || now.isEnded();
        });
        return is[0];
    }

    SagaInput.Retry retry(Operator operator) {
        return new SagaInput.Retry(operator, known().sequence());
    }

    MemorySaga inMemory() {
        return saga;
    }

    private SagaSummary summary() {
        return SagaSummary.of((SagaState.Known) saga.state(), alpha.now());
    }

    private SagaState.Known known() {
        return (SagaState.Known) alpha.reading(saga::state);
    }

    @Override
    public String toString() {
        return "saga %s of %s, %s, after%n  %s".formatted(id(), operation(), state(), String.join("\n  ", history()));
    }
}
