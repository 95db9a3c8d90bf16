package io.alphaomega.omega.test;

import io.alphaomega.repository.SagaSummary.State;
import java.util.List;
import org.assertj.core.api.AbstractAssert;
import org.assertj.core.api.Assertions;
import org.assertj.core.api.ListAssert;

/**
 * Assertions on a saga. They wait up to half a minute of real time for services to finish, but not for the
 * {@link TestAlpha}'s clock: move the clock.
 */
public final class SagaAssert extends AbstractAssert<SagaAssert, TestSaga> {
    SagaAssert(TestSaga actual) {
        super(actual, SagaAssert.class);
    }

    /** It was committed: its effects stay. */
    public SagaAssert committed() {
        return is(State.COMMITTED);
    }

    /**
     * It was committed, and exactly these were confirmed, in this order. A method that is {@code @AfterCommit} counts
     * as the confirmation of its branch.
     *
     * @param operations as in {@code HotelDesk.reserve}; the method that tried, not the one that confirmed it
     */
    public SagaAssert confirmed(String... operations) {
        committed();
        return justThese("confirmed", List.of(operations), actual.confirmed());
    }

    /** It was aborted, and all its effects are undone. */
    public SagaAssert compensated() {
        return is(State.COMPENSATED);
    }

    /**
     * It was aborted, and exactly these were compensated, in this order.
     *
     * @param operations as in {@code HotelDesk.book}; the method that was undone, not the one that undid it
     */
    public SagaAssert compensated(String... operations) {
        compensated();
        return justThese("compensated", List.of(operations), actual.compensated());
    }

    /** It was aborted, and there was nothing to undo. */
    public SagaAssert compensatedNothing() {
        return compensated(new String[0]);
    }

    /** Alpha has stopped retrying and waits for a person. */
    public SagaAssert suspended() {
        return is(State.SUSPENDED);
    }

    /** It has begun, and nothing is decided. */
    public SagaAssert active() {
        return is(State.ACTIVE);
    }

    /** It was aborted, and something is still to be undone. */
    public SagaAssert compensating() {
        return is(State.COMPENSATING);
    }

    /** Its events, as {@link TestSaga#history} lists them. */
    public ListAssert<String> history() {
        isNotNull();
        return Assertions.assertThat(actual.history());
    }

    /** It was committed, and its confirmations are still running. */
    public SagaAssert confirming() {
        return is(State.CONFIRMING);
    }

    /** It is nested and done, and waits for the decision of its parent. */
    public SagaAssert prepared() {
        active();
        if (!actual.isPrepared()) failWithMessage("Expected the saga to be prepared but it was:%n%s", actual);
        return this;
    }

    /**
     * Exactly these are nested in it, in this order.
     *
     * @param operations the methods that began them, as in {@code CarTrip.book}
     */
    public SagaAssert hasChildren(String... operations) {
        isNotNull();
        List<String> found = actual.children().stream().map(TestSaga::operation).toList();
        if (!found.equals(List.of(operations))) {
            failWithMessage(
                    "Expected these to be nested:%n  %s%nbut it was:%n  %s%nin %s", List.of(operations), found, actual);
        }
        return this;
    }

    private SagaAssert justThese(String done, List<String> expected, List<String> found) {
        if (!found.equals(expected)) {
            failWithMessage(
                    "Expected these to be %s, in this order:%n  %s%nbut it was:%n  %s%nin %s",
                    done, expected, found, actual);
        }
        return this;
    }

    private SagaAssert is(State state) {
        isNotNull();
        if (!actual.await(state::equals)) {
            failWithMessage("Expected the saga to be %s but it was:%n%s", state, actual);
        }
        return this;
    }
}
