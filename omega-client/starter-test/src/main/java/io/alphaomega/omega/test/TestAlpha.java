package io.alphaomega.omega.test;

import io.alphaomega.omega.test.Trouble.Kind;
import io.alphaomega.saga.BranchId;
import io.alphaomega.saga.Operator;
import io.alphaomega.saga.Reply;
import io.grpc.ManagedChannel;
import io.grpc.Server;
import io.grpc.inprocess.InProcessChannelBuilder;
import io.grpc.inprocess.InProcessServerBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.List;
import java.util.UUID;

/**
 * An alpha in memory, for tests of services. Its rules and their order are the real ones; there is no network and no
 * store. Troubles happen as planned, and its clock stands still until the test moves it: only then does alpha do what
 * is due later, such as retrying a failed compensation.
 *
 * <p>Troubles are planned by the names in the histories: {@code CarDesk.book}, the class and the method, for a branch;
 * {@code CarDesk.cancel}, or the name in its annotation, for a compensation or confirmation.
 *
 * <p>For any thread.
 */
public final class TestAlpha implements AutoCloseable {
    private static final String MOCKS = "A mock takes part in nothing.";

    /** The same for every test. */
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private static final Operator OPERATOR = new Operator("the test", "it is part of the test");

    private final String name = "alpha-" + UUID.randomUUID();
    private final Troubles troubles = new Troubles();
    private final MemoryAlpha alpha = new MemoryAlpha(troubles, START);
    private final Server server;

    public TestAlpha() {
        server = InProcessServerBuilder.forName(name)
                .directExecutor()
                .addService(alpha)
                .build();
        try {
            server.start();
        } catch (IOException e) {
            throw new UncheckedIOException("No alpha in memory could be started.", e);
        }
    }

    /** A connection of one omega. */
    ManagedChannel channel() {
        return InProcessChannelBuilder.forName(name).directExecutor().build();
    }

    // ---- what goes wrong

    /**
     * The method throws instead of running. A branch fails, and its saga is then aborted unless the service handles the
     * failure; a callback is reported to alpha as failed.
     */
    public Trouble fail(String method) {
        return plan(Kind.FAIL, method, Duration.ZERO);
    }

    /** Alpha refuses that the branch begins: the caller gets a {@code SagaRejectedException}, and it does not run. */
    public Trouble refuse(String branch) {
        return plan(Kind.REFUSE, branch, Duration.ZERO);
    }

    /**
     * The callback is requested once more after it has succeeded, as if its answer were lost: it must not take effect
     * twice.
     */
    public Trouble repeat(String callback) {
        return plan(Kind.REPEAT, callback, Duration.ZERO);
    }

    /** The callback runs, but its answer does not reach alpha, which retries when its time is over. */
    public Trouble loseAnswer(String callback) {
        return plan(Kind.LOSE_ANSWER, callback, Duration.ZERO);
    }

    /**
     * The method runs only after the clock has been moved on by so much. A branch blocks its thread until then, so
     * another one must move the clock. Moving the clock does not wait for the branch to end; assertions on its saga do.
     *
     * @param by more than zero
     */
    public Trouble delay(String method, Duration by) {
        if (!by.isPositive()) throw new IllegalArgumentException("a delay must be more than zero but was " + by);
        return plan(Kind.DELAY, method, by);
    }

    /** The connections break, and no new ones can be made, until {@link #comeBack}. */
    public void goAway() {
        alpha.goAway();
    }

    /** Alpha accepts connections again; services reconnect by themselves within a few seconds. */
    public void comeBack() {
        alpha.comeBack();
    }

    /**
     * Waits in real time until an instance of the service is connected.
     *
     * @throws AssertionError if none connects within half a minute
     */
    public void awaitConnected(String service) {
        if (!alpha.await(() -> alpha.isConnected(service))) {
            throw new AssertionError("No instance of service " + service + " has connected to the alpha in memory.");
        }
    }

    private Trouble plan(Kind kind, String method, Duration delay) {
        return troubles.plan(new Trouble(kind, method, delay));
    }

    Troubles troubles() {
        return troubles;
    }

    void awaitTime(String branch) throws InterruptedException {
        alpha.awaitTime(new BranchId(branch));
    }

    // ---- time

    /** Alpha's current time. */
    public Instant now() {
        return alpha.now();
    }

    /** A clock that shows it, for services that use one. */
    public Clock clock() {
        return new InstantSource() {
            @Override
            public Instant instant() {
                return now();
            }
        }.withZone(ZoneOffset.UTC);
    }

    /**
     * Moves the clock. Everything that falls due on the way happens in order, at its time and with all its
     * consequences; this waits for the callbacks that services run.
     */
    public void advance(Duration by) {
        alpha.advance(by);
    }

    // ---- sagas

    /** All sagas since the test method began, in the order of their begin. */
    public List<TestSaga> sagas() {
        return alpha.sagas().stream().map(saga -> new TestSaga(alpha, saga)).toList();
    }

    /**
     * Waits in real time until there are at least so many, for sagas that begin on another thread.
     *
     * @throws AssertionError if there are fewer after half a minute
     */
    public void awaitSagas(int count) {
        if (!alpha.await(() -> alpha.sagas().size() >= count)) {
            throw new AssertionError(
                    "Expected %d sagas to begin but there are %d: %s".formatted(count, sagas().size(), sagas()));
        }
    }

    /**
     * The only saga.
     *
     * @throws AssertionError if there is none, or more than one
     */
    public TestSaga saga() {
        List<TestSaga> all = sagas();
        if (all.size() == 1) return all.getFirst();
        throw new AssertionError(
                all.isEmpty()
                        ? "There is no saga: no branch has begun in any. Is the method called from outside its bean, so"
                                + " that Spring's proxy sees it? "
                                + MOCKS
                        : "There are %d sagas, not one: ask sagas().%n%s".formatted(all.size(), all));
    }

    /**
     * The saga with this id.
     *
     * @throws AssertionError if there is none
     */
    public TestSaga saga(String id) {
        return sagas().stream()
                .filter(each -> each.id().equals(id))
                .findFirst()
                .orElseThrow(() -> new AssertionError("There is no saga " + id + ", only " + sagas()));
    }

    /**
     * An operator's order for a suspended saga: alpha tries the failed callbacks again.
     *
     * @throws IllegalStateException if alpha refuses
     */
    public void retry(TestSaga saga) {
        Reply reply = alpha.order(saga.inMemory(), saga.retry(OPERATOR));
        if (reply instanceof Reply.Rejected rejected) {
            throw new IllegalStateException("Alpha refuses the retry: " + rejected.text() + ".");
        }
    }

    // ---- the test's life

    /**
     * Forgets sagas and troubles, and resets the clock, after waiting for running callbacks and, if alpha was away, for
     * its services. {@link OmegaTest} calls it before each test method.
     */
    public void reset() {
        alpha.settle();
        troubles.clear();
        alpha.forget(START);
    }

    /**
     * Checks that every planned trouble has happened. {@link OmegaTest} calls it after each test method.
     *
     * @throws AssertionError that names those that have not
     */
    public void requireTroublesHappened() {
        List<Trouble> left = troubles.notHappened();
        if (left.isEmpty()) return;
        throw new AssertionError("Planned, and it has not happened:%n  %s%nIs that the name? %s These have run:%n  %s"
                .formatted(left, MOCKS, sagas()));
    }

    @Override
    public void close() {
        alpha.forget(START);
        server.shutdownNow();
    }
}
