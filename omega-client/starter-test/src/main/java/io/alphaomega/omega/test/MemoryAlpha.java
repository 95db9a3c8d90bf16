package io.alphaomega.omega.test;

import io.alphaomega.omega.test.PendingCallbacks.Asked;
import io.alphaomega.omega.test.Trouble.Kind;
import io.alphaomega.protocol.v1.AlphaGrpc;
import io.alphaomega.protocol.v1.CallbackResult;
import io.alphaomega.protocol.v1.FromAlpha;
import io.alphaomega.protocol.v1.FromOmega;
import io.alphaomega.protocol.v1.Input;
import io.alphaomega.saga.BranchId;
import io.alphaomega.saga.CallbackKind;
import io.alphaomega.saga.Outcome;
import io.alphaomega.saga.Policy;
import io.alphaomega.saga.Reply;
import io.alphaomega.saga.SagaEffect;
import io.alphaomega.saga.SagaId;
import io.alphaomega.saga.SagaInput;
import io.alphaomega.saga.SagaState;
import io.alphaomega.wire.WireAnswers;
import io.alphaomega.wire.WireInputs;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Alpha's rules and their order, without threads, store and network: journal, perform the effects, reply. Inputs are
 * processed one at a time, each with all its consequences before the next. Time stands still unless it is moved.
 */
final class MemoryAlpha extends AlphaGrpc.AlphaImplBase {
    /** In real time, which is not the test's: for services that have something under way. */
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private static final String AWAY = "Alpha is away, as the test has it.";

    private final Troubles troubles;
    private final Map<SagaId, MemorySaga> sagas = new LinkedHashMap<>();
    private final ConnectedStreams streams = new ConnectedStreams();
    private final PendingCallbacks pending = new PendingCallbacks();

    /** What comes of what has just happened. */
    private final Deque<Runnable> then = new ArrayDeque<>();

    private final List<Later> later = new ArrayList<>();

    /** Branches that wait for their time, and when it has come. */
    private final Map<BranchId, Instant> delayed = new HashMap<>();

    /** Those whose test was over before. */
    private final Set<BranchId> forgotten = new HashSet<>();

    private Instant now;
    private boolean moving;
    private boolean away;

    /** What happens at a time. */
    private record Later(Instant at, Runnable what) {}

    MemoryAlpha(Troubles troubles, Instant now) {
        this.troubles = troubles;
        this.now = now;
    }

    // ---- what happens

    /** From any thread. */
    synchronized void happen(Runnable what) {
        try {
            what.run();
            for (Runnable next = then.poll(); next != null; next = then.poll()) next.run();
        } finally {
            notifyAll();
        }
    }

    @Override
    public synchronized StreamObserver<FromOmega> connect(StreamObserver<FromAlpha> omega) {
        MemoryStream stream = new MemoryStream(this, omega);
        // With it, what is said to somebody who has just gone is lost and throws nothing.
        ((ServerCallStreamObserver<FromAlpha>) omega).setOnCancelHandler(() -> happen(stream::end));
        return stream;
    }

    /** A stream has been introduced; false if alpha is away. */
    boolean welcomes(MemoryStream stream) {
        if (away) stream.breakOff(AWAY);
        return !away;
    }

    void connected(MemoryStream stream) {
        streams.add(stream);
        String service = stream.hello().getService();
        SagaInput news = new SagaInput.ConnectService(service, streams.builds(service));
        for (MemorySaga saga : open().toList()) decide(saga, news);
    }

    void disconnected(MemoryStream stream) {
        streams.remove(stream);
        for (Asked asked : pending.all()) {
            if (asked.stream != stream || asked.answer != null || !pending.remove(asked)) continue;
            SagaEffect.Call call = asked.call;
            decide(asked.saga, new SagaInput.LoseCallback(call.branch(), call.kind(), call.attempt()));
            hearInTurn(asked.saga);
        }
    }

    void input(MemoryStream from, Input input) {
        long correlation = input.getCorrelation();
        SagaId id;
        SagaInput said;
        try {
            id = new SagaId(input.getSaga());
            said = WireInputs.fromOmega(from.hello(), input, Policy.DEFAULT);
        } catch (IllegalArgumentException e) {
            from.answer(WireAnswers.toInvalid(correlation, String.valueOf(e.getMessage())));
            return;
        }
        SagaInput itself = said instanceof SagaInput.Carrying carrying ? carrying.input() : said;
        if (itself instanceof SagaInput.BeginBranch begin
                && troubles.next(begin.operation(), Kind.REFUSE, any -> true) != null) {
            from.refuse(correlation, begin.operation());
            return;
        }
        MemorySaga saga = sagas.getOrDefault(id, new MemorySaga(id));
        Reply reply = decide(saga, said);
        if (saga.state() instanceof SagaState.Known) sagas.put(id, saga);
        if (reply instanceof Reply.Accepted && itself instanceof SagaInput.BeginBranch begin) delay(begin);
        if (reply instanceof Reply.Pending && itself instanceof SagaInput.End end && end.awaitDecision()) {
            saga.await(decided -> from.answer(WireAnswers.toAck(correlation, decided)));
        } else {
            from.answer(WireAnswers.toAck(correlation, reply));
        }
    }

    /** Before its caller is told that it may run, so that a thread that moves the clock meets it. */
    private void delay(SagaInput.BeginBranch begin) {
        Trouble late = troubles.next(begin.operation(), Kind.DELAY, any -> true);
        if (late != null) delayed.put(begin.branch(), now.plus(late.delay()));
    }

    void result(MemoryStream from, CallbackResult result) {
        MemorySaga saga = sagas.get(new SagaId(result.getSaga()));
        if (saga == null) return; // Of an earlier test.
        Asked asked = pending.answeredBy(result);
        if (asked == null) {
            decide(saga, WireInputs.fromResult(from.hello(), result));
            return;
        }
        asked.answer = result;
        hearInTurn(saga);
    }

    /** As they were asked, so that it is the same each time whichever of a service's threads is the faster. */
    private void hearInTurn(MemorySaga saga) {
        for (Asked asked : pending.all()) {
            if (asked.saga != saga) continue;
            if (asked.answer == null) return;
            if (pending.remove(asked)) hear(asked, asked.answer);
        }
    }

    private void hear(Asked asked, CallbackResult answer) {
        SagaEffect.Call call = asked.call;
        SagaInput said = WireInputs.fromResult(asked.stream.hello(), answer);
        if (!(said instanceof SagaInput.SucceedCallback)) {
            decide(asked.saga, said);
            return;
        }
        if (troubles.next(call.name(), Kind.LOSE_ANSWER, any -> true) != null) return;
        Trouble failure = troubles.next(call.name(), Kind.FAIL, Trouble::isAfterEffect);
        decide(asked.saga, failure == null ? said : failure.of(call));
        MemoryStream again = streams.whoTakes(call);
        if (again != null && troubles.next(call.name(), Kind.REPEAT, any -> true) != null)
            tell(asked.saga, call, again);
    }

    // ---- what comes of it

    private Reply decide(MemorySaga saga, SagaInput input) {
        boolean wasOver = saga.state() instanceof SagaState.Ended;
        Reply reply = saga.decide(input, now);
        boolean over = saga.state() instanceof SagaState.Ended;
        for (SagaEffect effect : saga.newlyOwed()) {
            switch (effect) {
                case SagaEffect.Call call -> then.add(() -> ask(saga, call));
                case SagaEffect.Decide decided -> then.add(() -> decideNested(saga, decided));
                case SagaEffect.AskFence question -> {} // No test sets a store back.
                case SagaEffect.Alert alert -> {} // The test looks by itself.
            }
        }
        if (over && !wasOver) tellParent(saga, (SagaState.Ended) saga.state());
        boolean givenUp =
                pending.removeIf(asked -> asked.saga == saga && !saga.owes(asked.call) && isOverdue(asked.call));
        if (givenUp) hearInTurn(saga); // Others may have waited for that.
        return reply;
    }

    private void decideNested(MemorySaga parent, SagaEffect.Decide decided) {
        MemorySaga saga = sagas.computeIfAbsent(decided.saga(), MemorySaga::new);
        SagaInput answer = decided.answeredWith(decide(saga, decided.decision()));
        then.add(() -> decide(parent, answer));
    }

    /** So that it need not ask again. */
    private void tellParent(MemorySaga saga, SagaState.Ended ended) {
        CallbackKind kind =
                ended.outcome() == Outcome.COMMITTED ? CallbackKind.CONFIRMATION : CallbackKind.COMPENSATION;
        saga.parent()
                .ifPresent(parent -> then.add(() -> {
                    MemorySaga outer = sagas.get(parent.saga());
                    if (outer != null) decide(outer, new SagaInput.SucceedCallback(parent.branch(), kind, 1, ""));
                }));
    }

    /** Stops waiting for instances that have not answered in time. */
    private boolean isOverdue(SagaEffect.Call call) {
        return !now.isBefore(call.answerBy());
    }

    private void ask(MemorySaga saga, SagaEffect.Call call) {
        Trouble late = troubles.next(call.name(), Kind.DELAY, any -> true);
        if (late == null) askNow(saga, call);
        else later.add(new Later(now.plus(late.delay()), () -> askNow(saga, call)));
    }

    private void askNow(MemorySaga saga, SagaEffect.Call call) {
        if (!saga.owes(call)) return;
        Trouble failure = troubles.next(call.name(), Kind.FAIL, any -> !any.isAfterEffect());
        MemoryStream stream = streams.whoTakes(call);
        if (failure != null) {
            decide(saga, failure.of(call));
        } else if (stream == null) {
            decide(
                    saga,
                    streams.has(call.service())
                            ? new SagaInput.MissBuild(call.branch(), call.kind(), call.attempt())
                            : new SagaInput.MissParticipant(call.branch(), call.kind(), call.attempt()));
        } else {
            tell(saga, call, stream);
        }
    }

    private void tell(MemorySaga saga, SagaEffect.Call call, MemoryStream stream) {
        pending.add(saga, call, stream);
        stream.ask(WireAnswers.toCallback(saga.id(), call, now));
    }

    // ---- time

    synchronized Instant now() {
        return now;
    }

    /** As far as that, from one thing that is due to the next, with what comes of it in between; one caller at a time. */
    synchronized void advance(Duration by) {
        if (by.isNegative()) throw new IllegalArgumentException("the clock goes forward only, not by " + by);
        if (!await(() -> !moving))
            throw new IllegalStateException("The clock cannot be moved: another thread is moving it.");
        moving = true;
        try {
            Instant until = now.plus(by);
            awaitAnswers();
            for (Optional<Instant> due = nextDue(until); due.isPresent(); due = nextDue(until)) {
                now = due.get();
                happen(this::whatIsDue);
                awaitAnswers();
            }
            now = until;
        } finally {
            moving = false;
            notifyAll();
        }
    }

    private Optional<Instant> nextDue(Instant until) {
        return Stream.concat(
                        open().map(MemorySaga::wakeUpAt).flatMap(Optional::stream),
                        Stream.concat(later.stream().map(Later::at), delayed.values().stream()))
                .filter(at -> at.isAfter(now) && !at.isAfter(until))
                .min(Instant::compareTo);
    }

    private void whatIsDue() {
        for (Later each : List.copyOf(later)) {
            if (each.at().isAfter(now)) continue;
            later.remove(each);
            each.what().run();
        }
        for (MemorySaga saga : open().toList()) {
            if (saga.wakeUpAt().filter(at -> !at.isAfter(now)).isPresent()) decide(saga, new SagaInput.Tick());
        }
    }

    /** Until the clock has been moved as far as its branch is delayed, if it is. */
    synchronized void awaitTime(BranchId branch) throws InterruptedException {
        for (Instant at = delayed.get(branch); at != null && at.isAfter(now); at = delayed.get(branch)) wait();
        if (forgotten.remove(branch)) throw new PlannedFailureException("The test is over, and its clock with it.");
        delayed.remove(branch);
    }

    private void awaitAnswers() {
        if (await(pending::isEmpty)) return;
        throw new IllegalStateException(
                "The clock cannot be moved: %s has not answered within %s of real time. Is it blocked by the test itself?"
                        .formatted(pending.unanswered(), PATIENCE));
    }

    /** Whether it has become so. */
    synchronized boolean await(BooleanSupplier condition) {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.getAsBoolean()) {
            long left = end - System.nanoTime();
            if (left <= 0) return false;
            try {
                TimeUnit.NANOSECONDS.timedWait(this, left);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return false;
            }
        }
        return true;
    }

    // ---- what the test asks and orders

    synchronized List<MemorySaga> sagas() {
        return List.copyOf(sagas.values());
    }

    synchronized boolean isConnected(String service) {
        return streams.has(service);
    }

    /** Nothing happens meanwhile. */
    synchronized <T> T reading(Supplier<T> what) {
        return what.get();
    }

    Reply order(MemorySaga saga, SagaInput order) {
        Reply[] reply = new Reply[1];
        happen(() -> reply[0] = decide(saga, order));
        return reply[0];
    }

    void goAway() {
        happen(() -> {
            away = true;
            streams.breakOff(AWAY);
        });
    }

    void comeBack() {
        happen(() -> away = false);
    }

    /**
     * Waits until running callbacks are answered, and every service that was connected before alpha went away is again.
     */
    synchronized void settle() {
        comeBack();
        await(() -> !moving && pending.isEmpty() && streams.missesNone());
    }

    /** Forgets every saga. A service that still works on one is told that it is unknown. */
    void forget(Instant start) {
        happen(() -> {
            sagas.values().forEach(MemorySaga::giveUp);
            sagas.clear();
            pending.clear();
            later.clear();
            forgotten.addAll(delayed.keySet());
            delayed.clear();
            streams.missNone();
            now = start;
        });
    }

    private Stream<MemorySaga> open() {
        return sagas.values().stream().filter(saga -> !(saga.state() instanceof SagaState.Ended));
    }
}
