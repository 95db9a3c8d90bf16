package io.alphaomega.omega.context;

import io.alphaomega.protocol.v1.CallReports;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/**
 * The saga a thread is in: which one, which branch of it, and the call that is being served. A thread has one from
 * {@link #open} until the scope closes, never longer; other threads and services get it handed over.
 */
public final class SagaContext {
    /** Keys of the logging context. */
    public static final String MDC_SAGA = "sagaId";

    public static final String MDC_BRANCH = "branchId";

    /** Alpha decides at the saga's timeout, then must store that and say so, perhaps from another node. */
    public static final Duration DECISION_GRACE = Duration.ofSeconds(10);

    /** 128 bits of SHA-256 in hex: branches and calls of one saga do not collide. */
    private static final int ID_CHARS = 32;

    private static final ThreadLocal<SagaContext> CURRENT = new ThreadLocal<>();

    /** Present while a thread has been taken out of sagas on purpose. */
    private static final ThreadLocal<@Nullable Boolean> LEFT = new ThreadLocal<>();

    /** Threads that are in a saga which goes forward: each enters and leaves often, nobody looks but for a warning. */
    private static final LongAdder INSIDE = new LongAdder();

    private final String saga;
    private final String branch;
    private final Call call;
    private final boolean forward;
    private final long decidedByNanos;
    private final long outermostByNanos;
    private final String traceparent;
    private final PendingReports untold;

    /** Of a context that was captured for a task on another thread. */
    private HandedOver.@Nullable Task task;

    private SagaContext(
            String saga,
            String branch,
            Call call,
            boolean forward,
            long decidedByNanos,
            long outermostByNanos,
            String traceparent,
            PendingReports untold) {
        this.saga = saga;
        this.branch = branch;
        this.call = call;
        this.forward = forward;
        this.decidedByNanos = decidedByNanos;
        this.outermostByNanos = outermostByNanos;
        this.traceparent = traceparent;
        this.untold = untold;
    }

    /**
     * Of a saga that has just begun here. What is called from its top is named after the saga.
     *
     * @param decidedByNanos the {@link System#nanoTime} by which alpha has decided it
     */
    public static SagaContext begun(String saga, long decidedByNanos, String traceparent, PendingReports untold) {
        return new SagaContext(saga, "", Call.of(saga), true, decidedByNanos, decidedByNanos, traceparent, untold);
    }

    /**
     * Of a call received from another service.
     *
     * @param branch the caller's branch, empty if it calls from the top of the saga
     * @param callId what the caller names this call; the same for a repetition of it
     * @param decidedByNanos an estimate: the caller's clock is not ours
     */
    public static SagaContext received(
            String saga, String branch, String callId, long decidedByNanos, String traceparent, PendingReports untold) {
        return new SagaContext(
                saga, branch, Call.of(callId), true, decidedByNanos, decidedByNanos, traceparent, untold);
    }

    /** Of a compensation or confirmation: for logs and {@code Omega}; no branch begins in it, nothing hands it over. */
    public static SagaContext ofCallback(String saga, String branch, String traceparent) {
        return new SagaContext(saga, branch, Call.of(branch), false, 0, 0, traceparent, PendingReports.nothing(saga));
    }

    /**
     * The context of one attempt at the method of {@code branch}. What it calls is named after the branch and counted
     * from the start: an attempt that is repeated makes the same calls again.
     */
    public SagaContext within(String branch) {
        return new SagaContext(
                saga, branch, Call.of(branch), forward, decidedByNanos, outermostByNanos, traceparent, untold);
    }

    /** The same saga, as a part of that one: decided with it at the latest, and undone as late as that may be. */
    public SagaContext nestedIn(SagaContext outer) {
        long by = outer.decidedByNanos - decidedByNanos < 0 ? outer.decidedByNanos : decidedByNanos;
        return new SagaContext(saga, branch, call, forward, by, outer.outermostByNanos, traceparent, untold);
    }

    /** The same saga, nested in others of which the outermost one is decided by that time, unless it says so itself. */
    SagaContext outermostBy(long nanos) {
        if (nanos - outermostByNanos <= 0) return this;
        return new SagaContext(saga, branch, call, forward, decidedByNanos, nanos, traceparent, untold);
    }

    /** The same, of a call whose caller has made that one before, of the same target, and takes it for failed. */
    SagaContext repeating(String failedCall) {
        if (failedCall.isEmpty()) return this;
        Call its = Call.of(call.id, failedCall);
        return new SagaContext(saga, branch, its, forward, decidedByNanos, outermostByNanos, traceparent, untold);
    }

    /** The same place, for a task on another thread, which counts from now on. */
    SagaContext handedOver(String place) {
        SagaContext its =
                new SagaContext(saga, branch, call, forward, decidedByNanos, outermostByNanos, traceparent, untold);
        its.task = untold.handedOver().add(place);
        its.task.diesWith(its);
        return its;
    }

    /** This thread begins the task that it was captured for, if it was. */
    void enterTask() {
        if (task != null) task.enter();
    }

    /** The counterpart of {@link #enterTask}. */
    void leaveTask() {
        if (task != null) task.leave();
    }

    /** The context of this thread. */
    public static Optional<SagaContext> current() {
        return Optional.ofNullable(CURRENT.get());
    }

    /** Whether some thread of this process is in a saga that goes forward. */
    public static boolean isSomewhere() {
        return INSIDE.sum() > 0;
    }

    /** Puts this thread into the saga until the scope is closed; then it is where it was before. */
    public Scope open() {
        SagaContext before = CURRENT.get();
        set(this);
        return () -> set(before);
    }

    /** Takes this thread out of the saga it is in until the scope is closed; then it is where it was before. */
    public static Scope outside() {
        SagaContext before = CURRENT.get();
        Boolean left = LEFT.get();
        set(null);
        LEFT.set(true);
        return () -> {
            set(before);
            if (left == null) LEFT.remove();
        };
    }

    /** Whether this thread is in no saga because it was taken {@link #outside}. */
    public static boolean isLeft() {
        return LEFT.get() != null && CURRENT.get() == null;
    }

    /**
     * Runs that in the saga, on this thread: with {@link #current}, how one takes a saga to another thread by hand. The end of
     * the saga waits for it once it has begun; a task that waits for its turn is {@link #wrap(Runnable) wrapped}.
     */
    public void run(Runnable task) {
        Scope scope = enter();
        try {
            task.run();
        } finally {
            scope.close();
        }
    }

    /** Calls that in the saga, on this thread, as {@link #run} does. */
    public <T> T call(Callable<T> task) throws Exception {
        Scope scope = enter();
        try {
            return task.call();
        } finally {
            scope.close();
        }
    }

    /** A task for another thread, to be run once, in the saga. The end of the saga waits for it from now on. */
    public Runnable wrap(Runnable task) {
        SagaContext its = forTask();
        return () -> its.run(task);
    }

    /** As {@link #wrap(Runnable)}. */
    public <T> Callable<T> wrap(Callable<T> task) {
        SagaContext its = forTask();
        return () -> its.call(task);
    }

    private SagaContext forTask() {
        return forward ? handedOver(Handover.caller()) : this;
    }

    /** As {@link #open}, for a task of the saga. */
    private Scope enter() {
        SagaContext its = task != null ? this : forTask();
        its.enterTask();
        Scope scope = its.open();
        return () -> {
            scope.close();
            its.leaveTask();
        };
    }

    /** Its id. Who hands that on, by other ways than {@link SagaHeaders}, shares the saga: {@link PendingReports#share}. */
    public String saga() {
        return saga;
    }

    /** The branch whose method or callback runs; empty at the top of the saga. */
    public String branch() {
        return branch;
    }

    /** Whether the saga goes forward here: branches may begin. False in a callback. */
    public boolean isForward() {
        return forward;
    }

    public long decidedByNanos() {
        return decidedByNanos;
    }

    /**
     * The {@link System#nanoTime} by which alpha has decided the outermost saga that this one is nested in; of one that is
     * not nested, this one. Until then what is done in it may be undone.
     */
    public long outermostByNanos() {
        return outermostByNanos;
    }

    /** What goes along with a call that is made here; null if nothing does. */
    @Nullable
    CallReports reportsFor(String call, boolean answerIsRead) {
        CallReports reports = untold.forCall(call, answerIsRead);
        if (reports == null || outermostByNanos - decidedByNanos <= 0) return reports;
        Duration left = Duration.ofNanos(outermostByNanos - System.nanoTime()).minus(DECISION_GRACE);
        return reports.toBuilder()
                .setOutermostTimeoutMillis(Math.max(1, left.toMillis()))
                .build();
    }

    /** What alpha may not know yet of the saga. */
    public PendingReports untold() {
        return untold;
    }

    /** The W3C trace context that came with the call, or empty. */
    public String traceparent() {
        return traceparent;
    }

    /**
     * The name of the next branch of {@code operation} in this call: a hash of the saga, the parent branch, the call, the
     * operation and how manieth it is, so that a repeated call makes branches of the same names.
     */
    public String nextBranch(String operation) {
        return next(operation);
    }

    /**
     * The name that the last branch of {@code operation} would have in an earlier call, which its caller has made in this
     * one's place and which has failed for that; null if there is none.
     */
    public @Nullable String nameInFailedCall(String operation) {
        Integer which = call.repeats.isEmpty() ? null : call.counts.get(operation);
        return which == null ? null : id(call.repeats, operation, which.toString());
    }

    /** The last call of {@code target} in this call, if it has failed; null otherwise. */
    @Nullable
    String failedCall(String target) {
        return call.failed.get(target);
    }

    /** Such a call has had no answer, or one that says that it has failed. */
    void failed(String target, String id) {
        call.failed.put(target, id);
    }

    /** Such a call has succeeded, perhaps when it was sent once more. */
    void succeeded(String target, String id) {
        call.failed.remove(target, id);
    }

    /** The name of the next call of {@code target} in this call, made as a branch's is. */
    String nextCall(String target) {
        return next(target);
    }

    /** The name of a call that its caller has given a key, unique within this call. */
    String keyedCall(String key) {
        return id(key, "key");
    }

    /**
     * The call of {@code target} that a request is for: the same one however often it is sent in this call.
     *
     * @param request by its identity
     */
    public OutgoingCall outgoing(Object request, String target) {
        return call.requests.computeIfAbsent(request, first -> new OutgoingCall(this, target));
    }

    private String next(String what) {
        return id(what, Integer.toString(call.counts.merge(what, 1, Integer::sum)));
    }

    private String id(String what, String which) {
        return id(call.id, what, which);
    }

    private String id(String in, String what, String which) {
        String text = String.join("\n", saga, branch, in, what, which);
        return HexFormat.of().formatHex(sha256(text)).substring(0, ID_CHARS);
    }

    static void set(@Nullable SagaContext context) {
        int entered = inside(context) - inside(CURRENT.get());
        if (entered != 0) INSIDE.add(entered);
        if (context == null) {
            CURRENT.remove();
            MDC.remove(MDC_SAGA);
            MDC.remove(MDC_BRANCH);
            return;
        }
        CURRENT.set(context);
        MDC.put(MDC_SAGA, context.saga);
        if (context.branch.isEmpty()) MDC.remove(MDC_BRANCH);
        else MDC.put(MDC_BRANCH, context.branch);
    }

    private static int inside(@Nullable SagaContext context) {
        return context != null && context.forward ? 1 : 0;
    }

    private static byte[] sha256(String text) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    @Override
    public String toString() {
        return branch.isEmpty() ? "saga " + saga : "saga " + saga + ", branch " + branch;
    }

    /** As long as a thread is in a saga. */
    public interface Scope extends AutoCloseable {
        @Override
        void close();
    }

    /**
     * One call, of a method here or from another service.
     *
     * @param counts branches so far by operation, and calls so far by target, which has a blank in it and no operation
     *     has
     * @param repeats an earlier call of the same target by the same caller, which has failed for that; or empty
     * @param requests what may be sent again: the calls they are for
     * @param failed by target, the last call, if nobody here has heard that it succeeded
     */
    private record Call(
            String id,
            String repeats,
            Map<String, Integer> counts,
            Map<Object, OutgoingCall> requests,
            Map<String, String> failed) {
        static Call of(String id) {
            return of(id, "");
        }

        static Call of(String id, String repeats) {
            return new Call(
                    id, repeats, new ConcurrentHashMap<>(), new ConcurrentHashMap<>(), new ConcurrentHashMap<>());
        }
    }
}
