package io.alphaomega.omega.context;

import io.alphaomega.omega.SagaAbortedException;
import io.alphaomega.omega.SagaException;
import io.alphaomega.omega.SagaOverException;
import io.alphaomega.protocol.v1.BeginSaga;
import io.alphaomega.protocol.v1.CallReports;
import io.alphaomega.protocol.v1.Carried;
import io.alphaomega.protocol.v1.Input;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What is known here of a saga and perhaps not to alpha: that it has begun, and which branches behind a fence have ended.
 * It goes along with calls, with their answers, and with what alpha is told next. All that happens in one call shares it.
 */
public final class PendingReports {
    /** How many ends may be left here: as many fit in a header. Further branches report theirs. */
    private static final int ENDS = 16;

    /** Alpha accepts no longer saga. */
    private static final Duration TIMEOUT_MAX = Duration.ofDays(30);

    private final String saga;

    /** The begin and who told it; without a begin if the caller has not said. */
    private final Carried origin;

    private final long overAtNanos;
    private final boolean beganHere;
    private final Holder holder;
    private final @Nullable Answer answer;
    private final boolean comesAgain;

    private final HandedOver handedOver = new HandedOver();

    /** Whether alpha is known to have the begin. */
    private boolean begun;

    /** Whether there is something that nobody else may come to tell. */
    private boolean held;

    /** Whether anybody else may know of the saga. */
    private boolean shared;

    private boolean concluded;

    /** Whether alpha has answered its end, or its abort. */
    private boolean settled;

    /** Whether it was concluded by an abort here, whatever came before or after. */
    private boolean aborted;

    /** Ends that came with the call: whoever made it answers for them too. */
    private final Set<String> handed = new LinkedHashSet<>();

    private final Set<String> ended = new LinkedHashSet<>();
    private Collection<String> inAnswer = Set.of();
    private long heldSinceNanos;
    private boolean beingTold;

    /** Tells alpha in time what nothing else may take along. */
    public interface Holder {
        /** From now on there is something to tell. */
        void hold(PendingReports untold);

        /** There is nothing left to tell. */
        void forget(PendingReports untold);

        /** It is to be told at once, since nothing will take it along. */
        void tell(PendingReports untold);

        /**
         * Has the end of that saga wait for what has been {@link HandedOver} in the call, if anything is left. The future is
         * complete when alpha knows, and fails if it does not.
         */
        CompletableFuture<Void> owe(SagaContext saga);
    }

    /** The answer to the call that is being served. */
    public interface Answer {
        /** Whether this thread can still add to it. */
        boolean isOpen();

        /** Adds that, in the place of what was added before. */
        void bring(CallReports reports);
    }

    private PendingReports(
            String saga,
            Carried origin,
            boolean beganHere,
            boolean begun,
            boolean shared,
            Holder holder,
            @Nullable Answer answer,
            boolean comesAgain) {
        this.saga = saga;
        this.origin = origin;
        this.overAtNanos = System.nanoTime() + timeout(origin).toNanos();
        this.beganHere = beganHere;
        this.begun = begun;
        this.shared = shared;
        this.holder = holder;
        this.answer = answer;
        this.comesAgain = comesAgain;
    }

    /**
     * Of a saga that begins here.
     *
     * @param begin with its timeout
     * @param begun whether alpha has it already
     */
    public static PendingReports begun(
            String saga, String service, String instance, BeginSaga begin, boolean begun, Holder holder) {
        Carried origin = Carried.newBuilder()
                .setBegin(begin)
                .setService(service)
                .setInstance(instance)
                .build();
        return new PendingReports(saga, origin, true, begun, begun, holder, null, false);
    }

    /**
     * Of a call, and what came along with it: the default instance if nothing did.
     *
     * @param answer null if nobody would look at what it brings
     * @param comesAgain whether it is a message, which somebody delivers again if it is not handled
     */
    static PendingReports received(
            String saga, CallReports reports, Holder holder, @Nullable Answer answer, boolean comesAgain) {
        Carried origin = reports.getReports().toBuilder().clearEnded().build();
        PendingReports untold = new PendingReports(
                saga, origin, false, reports.getBegun(), !reports.getOver(), holder, answer, comesAgain);
        untold.concluded = reports.getOver();
        untold.handed.addAll(reports.getReports().getEndedList());
        return untold;
    }

    /** Of a call whose caller says nothing. */
    public static PendingReports nothing(String saga) {
        Holder nobody = new Holder() {
            @Override
            public void hold(PendingReports untold) {}

            @Override
            public void forget(PendingReports untold) {}

            @Override
            public void tell(PendingReports untold) {}

            @Override
            public CompletableFuture<Void> owe(SagaContext saga) {
                return CompletableFuture.completedFuture(null);
            }
        };
        return new PendingReports(saga, Carried.getDefaultInstance(), false, true, true, nobody, null, false);
    }

    private static Duration timeout(Carried origin) {
        return timeout(origin.getBegin().getPolicy().getTimeoutMillis());
    }

    /** What somebody says, as far as alpha would accept it. */
    static Duration timeout(long saidMillis) {
        Duration said = Duration.ofMillis(saidMillis);
        return said.isZero() || said.isNegative() || said.compareTo(TIMEOUT_MAX) > 0 ? TIMEOUT_MAX : said;
    }

    /** What has been handed over to other threads in the call. */
    public HandedOver handedOver() {
        return handedOver;
    }

    /** As {@link Holder#owe}. */
    CompletableFuture<Void> owe(SagaContext saga) {
        return handedOver.isSettled() ? CompletableFuture.completedFuture(null) : holder.owe(saga);
    }

    /** The saga's begin; the default instance if the caller has not said. */
    public BeginSaga begin() {
        return origin.getBegin();
    }

    /** Of the saga, if it is known. */
    Optional<Duration> timeLeft() {
        return isTimed() ? Optional.of(Duration.ofNanos(overAtNanos - System.nanoTime())) : Optional.empty();
    }

    private boolean isTimed() {
        return origin.getBegin().getPolicy().getTimeoutMillis() != 0;
    }

    /** Whether what is not done now may be done when a message comes again: nobody takes it for failed by then. */
    public boolean comesAgain() {
        return comesAgain;
    }

    /** Whether the end of a branch that begins now, on this thread, may be left here. */
    public synchronized boolean takesEnds() {
        if (concluded || !origin.hasBegin()) return false;
        return answer == null ? beganHere : answer.isOpen();
    }

    /** Leaves the end of a branch here, unless it must be reported by itself: then it says false. */
    public synchronized boolean leave(String branch) {
        if (!takesEnds() || handed.size() + ended.size() >= ENDS) return false;
        ended.add(branch);
        hold();
        bring();
        return true;
    }

    /**
     * The input, which takes place in the saga, with what it takes along.
     *
     * @throws SagaException if the saga has ended without anybody having heard of it
     * @throws SagaAbortedException if its time was over before alpha had
     */
    public synchronized Input loadIfOpen(Input input) {
        if (concluded && !shared) {
            throw new SagaOverException(
                    saga, "Saga " + saga + " has ended; nothing begins in it any more, this did not run.");
        }
        if (beganHere && !begun && isOver()) throw timedOut();
        return load(input);
    }

    /** The input with what it takes along. */
    public synchronized Input load(Input input) {
        shared = true;
        Carried.Builder carried = begun || !origin.hasBegin() ? Carried.newBuilder() : originNow();
        carried.addAllEnded(handed).addAllEnded(ended);
        return carried.hasBegin() || carried.getEndedCount() > 0
                ? input.toBuilder().setCarried(carried).build()
                : input;
    }

    /** Alpha has what that input took along. */
    public synchronized void told(Input input) {
        begun |= input.getCarried().hasBegin();
        settled |= input.hasEnd() || input.hasAbort();
        forget(input);
    }

    /** What that input took along is not to be told any more. */
    public synchronized void forget(Input input) {
        input.getCarried().getEndedList().forEach(handed::remove);
        input.getCarried().getEndedList().forEach(ended::remove);
        hold();
        bring();
    }

    /** Somebody else may hear of the saga, by a way that takes nothing along. */
    public synchronized void share() {
        shared |= !concluded;
        hold();
    }

    /** The method that began the saga returns, and does not end it. */
    public void leaveOpen() {
        synchronized (this) {
            if (concluded) return;
            share();
        }
        holder.tell(this);
    }

    /**
     * The saga ends here.
     *
     * @param aborts whether it is aborted, so far as that is known here
     * @return whether alpha must be told: not if nobody has heard of it
     * @throws SagaException if nobody has, and it is aborted already or its time is over ({@link SagaAbortedException}),
     *     or is committed and is to be aborted
     */
    public synchronized boolean conclude(boolean aborts) {
        if (concluded && !shared && aborted != aborts) throw aborted ? aborted() : committed();
        concluded = true;
        aborted |= aborts;
        hold();
        if (shared || aborts || !isOver()) return shared;
        aborted = true;
        throw timedOut();
    }

    /** Whether anybody else may know of the saga: then alpha must hear how it ends. */
    public synchronized boolean isShared() {
        return shared;
    }

    /** Whether alpha has said how the saga stands, after it was told here that it ends. */
    public synchronized boolean isSettled() {
        return settled;
    }

    /** Whether something here has aborted it, or wants it aborted: then nothing here may ask to commit it. */
    public synchronized boolean isAborted() {
        return aborted;
    }

    /** What goes along with a call; null if nothing does. */
    synchronized @Nullable CallReports forCall(String call, boolean answerIsRead) {
        if (concluded && !shared) return CallReports.newBuilder().setOver(true).build();
        share();
        if (!origin.hasBegin()) return null;
        return CallReports.newBuilder()
                .setCall(call)
                .setReports(originNow().addAllEnded(first(handed, ended)))
                .setBegun(begun)
                .setTakesEnds(answerIsRead && takesEnds())
                .build();
    }

    /** As many as fit. What does not go along now does later, or is told. */
    private static List<String> first(Set<String> handed, Set<String> ended) {
        return Stream.concat(handed.stream(), ended.stream()).limit(ENDS).toList();
    }

    /** What came with the answer of a call that went along with {@code sent}. */
    void answered(CallReports sent, CallReports received) {
        boolean late;
        synchronized (this) {
            begun |= received.getBegun();
            sent.getReports().getEndedList().forEach(handed::remove);
            sent.getReports().getEndedList().forEach(ended::remove);
            ended.addAll(received.getReports().getEndedList());
            hold();
            bring();
            late = concluded && !ended.isEmpty();
        }
        if (late) holder.tell(this);
    }

    /**
     * The call has been served.
     *
     * @param failed whether its caller may not come to see what the answer brings
     */
    public void served(boolean failed) {
        synchronized (this) {
            if (!failed) ended.removeAll(inAnswer);
            hold();
            if (!held) return;
        }
        holder.tell(this);
    }

    /** What alpha is to be told by itself, if it has been held since before then and is not being told already. */
    public synchronized @Nullable Input overdue(long beforeNanos) {
        if (beingTold || !held || heldSinceNanos - beforeNanos > 0) return null;
        beingTold = true;
        Carried.Builder carried = originNow().addAllEnded(handed).addAllEnded(ended);
        return Input.newBuilder()
                .setSaga(saga)
                .setBegin(carried.getBegin())
                .setCarried(carried)
                .build();
    }

    /** How many ends of branches are known here and perhaps not to alpha. */
    public synchronized int ends() {
        return handed.size() + ended.size();
    }

    /** What was {@link #overdue} is not being told any more: it has been, or could not be. */
    public synchronized void release() {
        beingTold = false;
        heldSinceNanos = System.nanoTime();
    }

    private void hold() {
        boolean before = held;
        held = !ended.isEmpty() || (beganHere && shared && !begun && !concluded);
        if (held == before) return;
        if (!held) {
            holder.forget(this);
            return;
        }
        heldSinceNanos = System.nanoTime();
        holder.hold(this);
    }

    private void bring() {
        if (answer == null || !answer.isOpen()) return;
        inAnswer = first(handed, ended);
        answer.bring(CallReports.newBuilder()
                .setReports(Carried.newBuilder().addAllEnded(inAnswer))
                .setBegun(begun)
                .build());
    }

    /** With the time that the saga has left from now. */
    private Carried.Builder originNow() {
        Carried.Builder begin = origin.toBuilder();
        if (!isTimed()) return begin;
        long millisLeft = Duration.ofNanos(overAtNanos - System.nanoTime()).toMillis();
        begin.getBeginBuilder().getPolicyBuilder().setTimeoutMillis(Math.max(1, millisLeft));
        return begin;
    }

    private boolean isOver() {
        return overAtNanos - System.nanoTime() <= 0;
    }

    private SagaAbortedException timedOut() {
        return new SagaAbortedException(
                saga,
                SagaAbortedException.Cause.SAGA_TIMED_OUT,
                "",
                "its time was over before anything had begun in it");
    }

    private SagaAbortedException aborted() {
        return new SagaAbortedException(
                saga, SagaAbortedException.Cause.INITIATOR, "", "what ran in it threw before anything had begun in it");
    }

    private SagaOverException committed() {
        return new SagaOverException(saga, "Saga " + saga + " has been committed, with nothing in it.");
    }
}
