package io.alphaomega.omega.test;

import io.alphaomega.saga.FailureCode;
import io.alphaomega.saga.SagaEffect;
import io.alphaomega.saga.SagaInput;
import java.time.Duration;

/**
 * A fault, planned with {@link TestAlpha}. It happens the next time that its method is to run, once unless set
 * otherwise.
 */
public final class Trouble {
    /** The kinds of faults. */
    enum Kind {
        FAIL,
        REFUSE,
        REPEAT,
        LOSE_ANSWER,
        DELAY
    }

    final Kind kind;
    final String name;
    private final Duration delay;
    private volatile boolean afterEffect;
    private volatile RuntimeException exception;
    private int left = 1;
    private int happened;

    Trouble(Kind kind, String name, Duration delay) {
        this.kind = kind;
        this.name = name;
        this.delay = delay;
        this.exception = new PlannedFailureException(name + " fails as the test has planned.");
    }

    /**
     * Only for {@link TestAlpha#fail}: the method runs and its work is committed, and the failure comes afterwards. The
     * caller of a branch gets an exception all the same, as if the answer were lost; a callback is reported to alpha as
     * failed, and retried.
     */
    public Trouble afterEffect() {
        require(Kind.FAIL, "afterEffect");
        afterEffect = true;
        return this;
    }

    /**
     * Only for {@link TestAlpha#fail} of a branch: the exception to throw, so that the service can handle it as it
     * would.
     */
    public Trouble with(RuntimeException thrown) {
        require(Kind.FAIL, "with");
        exception = thrown;
        return this;
    }

    /** How often in a row it happens, from 1. */
    public synchronized Trouble times(int times) {
        if (times < 1) throw new IllegalArgumentException("times must be at least 1 but was " + times);
        left = times;
        return this;
    }

    /** It happens each time, until the test method ends. */
    public Trouble always() {
        return times(Integer.MAX_VALUE);
    }

    private void require(Kind needed, String what) {
        if (kind != needed) {
            throw new IllegalStateException(
                    "%s is only for a trouble of kind %s, and this is %s of %s".formatted(what, needed, kind, name));
        }
    }

    boolean isAfterEffect() {
        return afterEffect;
    }

    RuntimeException exception() {
        return exception;
    }

    /** As alpha hears of it. */
    SagaInput of(SagaEffect.Call call) {
        return new SagaInput.FailCallback(
                call.branch(),
                call.kind(),
                call.attempt(),
                FailureCode.THREW,
                String.valueOf(exception.getMessage()),
                call.service());
    }

    Duration delay() {
        return delay;
    }

    /** Whether it happens now; if so, it is counted. */
    synchronized boolean strike() {
        if (left == 0) return false;
        if (left != Integer.MAX_VALUE) left--;
        happened++;
        return true;
    }

    /** Whether it has happened as often as planned. */
    synchronized boolean isOver() {
        return left == Integer.MAX_VALUE ? happened > 0 : left == 0;
    }

    @Override
    public synchronized String toString() {
        String times = left == Integer.MAX_VALUE ? "each time" : (happened + left) + " times";
        return "%s of %s%s (planned %s, happened %d times)"
                .formatted(kind, name, afterEffect ? " after its effect" : "", times, happened);
    }
}
