package io.alphaomega.samples.bank.planted;

import io.alphaomega.protocol.v1.Ack;
import io.alphaomega.protocol.v1.Batch;
import io.alphaomega.protocol.v1.Callback;
import io.alphaomega.protocol.v1.CallbackFailure;
import io.alphaomega.protocol.v1.CallbackKind;
import io.alphaomega.protocol.v1.CallbackResult;
import io.alphaomega.protocol.v1.FromAlpha;
import io.alphaomega.protocol.v1.FromOmega;
import io.alphaomega.protocol.v1.Input;
import io.alphaomega.samples.bank.checker.History.Acked;
import io.alphaomega.samples.bank.checker.History.Answer;
import io.alphaomega.samples.bank.checker.History.Delivered;
import io.alphaomega.samples.bank.checker.History.Effect;
import io.alphaomega.samples.bank.checker.History.Kind;
import io.alphaomega.samples.bank.checker.History.Told;
import io.alphaomega.samples.bank.planted.Script.Life;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Two services that speak {@code alpha.v1} by themselves and write down everything: what they were told, what they did,
 * what was asked of them. Their work and their fence are in memory, which survives every fault. They repeat themselves,
 * to any alpha, and sometimes for no reason.
 */
final class Load implements AutoCloseable {
    private static final Duration BEGIN_EVERY = Duration.ofMillis(30);
    private static final Duration AGAIN_AFTER = Duration.ofSeconds(1);
    private static final Duration LOOK_EVERY = Duration.ofMillis(200);
    private static final int UNANSWERED_MAX = 300;

    /** How long a callback runs, at most. */
    private static final int WORK_MILLIS = 60;

    private static final int REPEATED_PERCENT = 30;

    /** Only they wait for something in any moment; what befalls alpha must befall some of them. */
    private static final int ABANDONED_MORE = 2;

    private final Clock clock = Clock.systemUTC();
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("load").factory());
    private final Random random = new Random(20_261_120);
    private final Queue<Told> told = new ConcurrentLinkedQueue<>();
    private final Queue<Effect> effects = new ConcurrentLinkedQueue<>();
    private final Queue<Acked> acks = new ConcurrentLinkedQueue<>();
    private final Queue<Delivered> callbacks = new ConcurrentLinkedQueue<>();
    private final Map<Long, Unanswered> unanswered = new ConcurrentHashMap<>();
    private final List<Lane> lanes = new ArrayList<>();
    private volatile boolean stopping;

    // All of the following is touched by the one thread only.
    private final Set<String> fence = new HashSet<>();
    private final Set<String> stuck = new HashSet<>();
    private long correlation;
    private long order;
    private int sagas;

    /** An input, of a script unless it is a repeat. */
    private static final class Unanswered {
        final Input input;
        final String speaker;
        final @Nullable Script script;
        Instant sent = Instant.MIN;

        Unanswered(Input input, String speaker, @Nullable Script script) {
            this.input = input;
            this.speaker = speaker;
            this.script = script;
        }
    }

    /** @param alphas where each is, by gRPC */
    Load(List<String> alphas) {
        for (String alpha : alphas) {
            for (String service : List.of(Script.WEST, Script.EAST)) {
                lanes.add(new Lane(alpha, service, List.of(Script.UNDO, Script.FINISH), thread, this::received));
            }
        }
    }

    void start() {
        thread.execute(() -> lanes.forEach(Lane::connect));
        Life[] lives = Life.values();
        every(BEGIN_EVERY, () -> {
            if (stopping || unanswered.size() >= UNANSWERED_MAX) return;
            int which = sagas++ % (lives.length + ABANDONED_MORE);
            Life life = which < lives.length ? lives[which] : Life.ABANDONED;
            Script script = new Script(life, clock.instant());
            if (script.life == Life.STUCK) stuck.add(script.branch(Script.WEST));
            next(script);
        });
        every(LOOK_EVERY, () -> {
            Instant late = clock.instant().minus(AGAIN_AFTER);
            unanswered.values().stream()
                    .filter(each -> each.sent.isBefore(late))
                    .toList()
                    .forEach(this::send);
        });
    }

    private void every(Duration period, Runnable task) {
        var unused = thread.scheduleAtFixedRate(task, 0, period.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Begins no further saga. */
    void stop() {
        stopping = true;
    }

    boolean isIdle() {
        return unanswered.isEmpty();
    }

    int answered() {
        return acks.size();
    }

    List<Told> told() {
        return List.copyOf(told);
    }

    List<Effect> effects() {
        return List.copyOf(effects);
    }

    List<Acked> acks() {
        return List.copyOf(acks);
    }

    List<Delivered> callbacks() {
        return List.copyOf(callbacks);
    }

    // ---- out

    private void next(Script script) {
        if (!script.hasNext()) return;
        Input.Builder draft = script.next();
        Input input = draft.setCorrelation(++correlation).build();
        String speaker = script.speaker(input);
        if (input.hasEndBranch()) {
            // The work is done here; unless its compensation was faster, which happens to what is slow.
            if (!fence.add("forward " + input.getEndBranch().getBranch())) return;
            long amount = speaker.equals(Script.WEST) ? -1 : 1;
            effect(speaker, input.getSaga(), input.getEndBranch().getBranch(), Kind.FORWARD, amount);
        }
        ask(new Unanswered(input, speaker, script));
        if (random.nextInt(100) < REPEATED_PERCENT) {
            ask(new Unanswered(draft.setCorrelation(++correlation).build(), speaker, null));
        }
    }

    private void ask(Unanswered input) {
        unanswered.put(input.input.getCorrelation(), input);
        send(input);
    }

    private void send(Unanswered input) {
        input.sent = clock.instant();
        List<Lane> open = lanes.stream()
                .filter(lane -> lane.isOpen() && lane.service.equals(input.speaker))
                .toList();
        if (open.isEmpty()) return;
        open.get(random.nextInt(open.size()))
                .send(FromOmega.newBuilder()
                        .setBatch(Batch.newBuilder().addInputs(input.input))
                        .build());
    }

    // ---- in

    private void received(Lane lane, FromAlpha message) {
        switch (message.getKindCase()) {
            case ACKS -> message.getAcks().getAcksList().forEach(this::answered);
            case CALLBACK -> called(lane, message.getCallback());
            case WELCOME, SHARDS, MARK, GO_AWAY, KIND_NOT_SET -> {}
        }
    }

    private void answered(Ack ack) {
        Unanswered asked = unanswered.get(ack.getCorrelation());
        if (asked == null || ack.hasUnavailable()) return; // It is sent again in a while.
        unanswered.remove(ack.getCorrelation());
        Input input = asked.input;
        Script script = asked.script;
        switch (ack.getOutcomeCase()) {
            case ACCEPTED -> acks.add(promise(input));
            case COMMITTED -> acks.add(new Acked(input.getSaga(), "saga.committed.v1", null, ack.getCorrelation()));
            case ABORTED -> {
                acks.add(new Acked(input.getSaga(), "saga.aborted.v1", null, ack.getCorrelation()));
                if (script != null) script.skipToEnd();
            }
            default -> {
                return; // A refusal promises nothing.
            }
        }
        if (script == null) return;
        if (input.hasEnd()) {
            Answer answer = ack.hasCommitted() ? Answer.COMMITTED : Answer.COMPENSATED;
            told.add(new Told(script.saga, script.begun, clock.instant(), answer, script.saga, script.steps));
        }
        next(script);
    }

    private static Acked promise(Input input) {
        String saga = input.getSaga();
        long number = input.getCorrelation();
        return switch (input.getKindCase()) {
            case BEGIN, BEGIN_ONCE, BEGIN_NESTED -> new Acked(saga, "saga.begun.v1", null, number);
            case BEGIN_BRANCH ->
                new Acked(saga, "branch.began.v1", input.getBeginBranch().getBranch(), number);
            case END_BRANCH ->
                new Acked(saga, "branch.ended.v1", input.getEndBranch().getBranch(), number);
            case FAIL_BRANCH ->
                new Acked(saga, "branch.failed.v1", input.getFailBranch().getBranch(), number);
            case BEGIN_NESTED_BRANCH, END, ABORT, ASK_OUTCOME, KIND_NOT_SET ->
                throw new IllegalStateException("Alpha accepts " + input);
        };
    }

    private void called(Lane lane, Callback callback) {
        Kind kind = callback.getKind() == CallbackKind.CONFIRMATION ? Kind.CONFIRMATION : Kind.COMPENSATION;
        callbacks.add(new Delivered(
                lane.service, callback.getSaga(), callback.getBranch(), kind, callback.getAttempt(), clock.instant()));
        var unused =
                thread.schedule(() -> run(lane, callback, kind), random.nextInt(WORK_MILLIS), TimeUnit.MILLISECONDS);
    }

    private void run(Lane lane, Callback callback, Kind kind) {
        CallbackResult.Builder result = CallbackResult.newBuilder()
                .setSaga(callback.getSaga())
                .setBranch(callback.getBranch())
                .setKind(callback.getKind())
                .setAttempt(callback.getAttempt());
        if (stuck.contains(callback.getBranch())) {
            result.setFailure(CallbackFailure.newBuilder()
                    .setCode(CallbackFailure.Code.THREW)
                    .setCause("stuck"));
        } else {
            boolean never = fence.add("forward " + callback.getBranch());
            boolean first = fence.add(kind + " " + callback.getBranch());
            long undone = callback.getBranch().endsWith(Script.WEST) ? 1 : -1;
            if (!never && first) {
                effect(
                        lane.service,
                        callback.getSaga(),
                        callback.getBranch(),
                        kind,
                        kind == Kind.COMPENSATION ? undone : 0);
            }
        }
        lane.send(FromOmega.newBuilder().setResult(result).build());
    }

    private void effect(String service, String saga, String branch, Kind kind, long amount) {
        effects.add(new Effect(service, saga, branch, kind, null, amount, ++order));
    }

    @Override
    public void close() {
        thread.shutdownNow();
        lanes.forEach(Lane::close);
    }
}
