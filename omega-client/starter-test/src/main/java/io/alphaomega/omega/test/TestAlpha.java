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
 * An alpha in memory, for tests of services: the rules and the order of things are the real ones, there is no network
 * and no store. Whatever is planned to go wrong goes wrong, and its clock stands still until it is moved: what alpha
 * does after a while, such as asking again for a compensation that failed, it does when the test says so.
 *
 * <p>Names of troubles are those that the histories have: of a branch {@code CarDesk.book}, the class and the method; of
 * a compensation or confirmation {@code CarDesk.cancel}, or the name that its annotation gives it.
 *
 * <p>For any thread.
 */
public final class TestAlpha implements AutoCloseable {
    private static final String MOCKS = "A mock takes part in nothing.";

    /** The same each time. */
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
     * The method throws instead of being run. A branch fails in its service, whose saga is then aborted unless it copes
     * with it; of a callback alpha hears that it failed.
     */
    public Trouble fail(String method) {
        return plan(Kind.FAIL, method, Duration.ZERO);
    }

    /** Alpha refuses that the branch begins: the caller gets a {@code SagaRejectedException}, and it does not run. */
    public Trouble refuse(String branch) {
        return plan(Kind.REFUSE, branch, Duration.ZERO);
    }

    /** The callback is asked for once more after it has succeeded, as if alpha had not heard: it must not be done twice. */
    public Trouble repeat(String callback) {
        return plan(Kind.REPEAT, callback, Duration.ZERO);
    }

    /** The callback is done and alpha does not hear of it: it asks again when its time is over. */
    public Trouble loseAnswer(String callback) {
        return plan(Kind.LOSE_ANSWER, callback, Duration.ZERO);
    }

    /**
     * The method runs only after the clock has been moved on by so much. A branch blocks its thread until then, so
     * another one must move the clock; then it goes on by itself, and nobody waits for it but who expects something of its
     * saga.
     *
     * @param by more than zero
     */
    public Trouble delay(String method, Duration by) {
        if (!by.isPositive()) throw new IllegalArgumentException("a delay must be more than zero but was " + by);
        return plan(Kind.DELAY, method, by);
    }

    /** The connections break and none can be made, until {@link #comeBack}. */
    public void goAway() {
        alpha.goAway();
    }

    /** Services connect again by themselves, within a second or a few. */
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

    /** What alpha takes for the time. */
    public Instant now() {
        return alpha.now();
    }

    /** A clock that shows it, for services that ask one. */
    public Clock clock() {
        return new InstantSource() {
            @Override
            public Instant instant() {
                return now();
            }
        }.withZone(ZoneOffset.UTC);
    }

    /**
     * Moves the clock. All that is due on the way happens in its order and at its time, each with what comes of it;
     * callbacks that services are asked for are waited for.
     */
    public void advance(Duration by) {
        alpha.advance(by);
    }

    // ---- sagas

    /** All since the test method began, in the order of their beginning. */
    public List<TestSaga> sagas() {
        return alpha.sagas().stream().map(saga -> new TestSaga(alpha, saga)).toList();
    }

    /**
     * Waits in real time until there are so many: for sagas that begin on another thread.
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
     * The only one.
     *
     * @throws AssertionError if there is none, or another
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
     * The one with this id.
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
     * What an operator does to a suspended saga: alpha asks once more for what it had given up.
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
     * Forgets sagas and troubles, and sets the clock back, after it has waited for callbacks under way and, if alpha was
     * away, for its services. {@link OmegaTest} does it before each test method.
     */
    public void reset() {
        alpha.settle();
        troubles.clear();
        alpha.forget(START);
    }

    /**
     * Sees that all that was planned has happened. {@link OmegaTest} does it after each test method.
     *
     * @throws AssertionError with what has not
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
