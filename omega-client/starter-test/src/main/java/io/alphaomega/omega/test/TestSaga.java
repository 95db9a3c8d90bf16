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

/** A saga of the {@link TestAlpha}; each method returns its state at the moment of the call. */
public final class TestSaga {
    private final MemoryAlpha alpha;
    private final MemorySaga saga;

    TestSaga(MemoryAlpha alpha, MemorySaga saga) {
        this.alpha = alpha;
        this.saga = saga;
    }

    /** Its id, as in {@code Omega} and alpha's API. */
    public String id() {
        return saga.id().value();
    }

    /** The method that began it, as in {@code TripService.book}; empty if only a branch was reported so far. */
    public String operation() {
        return known().saga().initiator().operation();
    }

    /** The attributes from its {@code @SagaStart}; empty if there are none. */
    public String businessKey() {
        return known().saga().initiator().businessKey();
    }

    /** Its state, as in alpha's API. */
    public SagaSummary.State state() {
        return alpha.reading(() -> summary().state());
    }

    /** Why it was aborted. */
    public Optional<Abort> abort() {
        return known().abort();
    }

    /** The reason why it waits for a person. */
    public Optional<Suspension> suspension() {
        return known() instanceof SagaState.Suspended suspended
                ? Optional.of(suspended.suspension())
                : Optional.empty();
    }

    /**
     * Its events, one short line each, as in {@code CarDesk.book ended}. They have no ids and no times, so they are the
     * same each time: parallel callbacks report in the order of their requests, whichever finishes first. Only the
     * order of parallel branches is open, as it is over a network.
     */
    public List<String> history() {
        return Story.of(events());
    }

    /** The same events in full, as alpha journals them. */
    public List<SagaEvent> events() {
        return alpha.reading(saga::journal);
    }

    /** The operations that were compensated or cancelled, first to last. */
    public List<String> compensated() {
        return calledBack(CallbackKind.COMPENSATION);
    }

    /** The operations that were confirmed, first to last, including those with a method after the commit. */
    public List<String> confirmed() {
        return calledBack(CallbackKind.CONFIRMATION);
    }

    /** The saga that it is nested in. */
    public Optional<TestSaga> parent() {
        return alpha.reading(saga::parent).flatMap(parent -> find(parent.saga()));
    }

    /** The sagas that are nested in it and have begun, in the order of their begin. */
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

    /** Waits in real time, because it waits for services, until the condition holds or the saga has ended. */
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
