package io.alphaomega.samples.bank.campaign;

import io.alphaomega.protocol.v1.Ack;
import io.alphaomega.protocol.v1.BeginBranch;
import io.alphaomega.protocol.v1.BeginSaga;
import io.alphaomega.protocol.v1.Callback;
import io.alphaomega.protocol.v1.CallbackFailure;
import io.alphaomega.protocol.v1.CallbackKind;
import io.alphaomega.protocol.v1.CallbackOffer;
import io.alphaomega.protocol.v1.CallbackResult;
import io.alphaomega.protocol.v1.EndBranch;
import io.alphaomega.protocol.v1.EndSaga;
import io.alphaomega.protocol.v1.FailBranch;
import io.alphaomega.protocol.v1.FromAlpha;
import io.alphaomega.protocol.v1.FromOmega;
import io.alphaomega.protocol.v1.Input;
import io.alphaomega.protocol.v1.Policy;
import io.alphaomega.repository.servers.AlphaCommand;
import io.alphaomega.repository.servers.Network;
import io.alphaomega.samples.bank.checker.History.Acked;
import io.alphaomega.samples.bank.checker.History.Delivered;
import io.alphaomega.samples.bank.checker.History.Effect;
import io.alphaomega.samples.bank.checker.History.Kind;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * An omega that writes down everything that alpha tells it. It speaks {@code alpha.v1} by itself, with every node of the
 * cluster at once; begins sagas at a steady rate, whatever becomes of the earlier ones; and sends what is not answered
 * soon again, to another node.
 */
final class Recorder implements AutoCloseable {
    static final String SERVICE = "recorder";

    private static final Duration BEGIN_EVERY = Duration.ofMillis(150);
    private static final Duration STEP_AFTER = Duration.ofMillis(200);
    private static final Duration AGAIN_AFTER = Duration.ofSeconds(1);
    private static final Duration LOOK_EVERY = Duration.ofMillis(100);

    /** While nothing is answered nothing more is begun. */
    private static final int UNANSWERED_MAX = 400;

    /** Each third saga fails its last branch. */
    private static final int FAILING = 3;

    /** Each seventh is left alone after its first branch, and to be aborted at its deadline. */
    private static final int ABANDONED = 7;

    private static final Duration ABANDONED_FOR = Duration.ofSeconds(5);

    private static final String UNDO = "undo";
    private static final String FINISH = "finish";

    private final Clock clock = Clock.systemUTC();
    private final Ledger ledger = new Ledger();
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name(SERVICE).factory());
    private final Queue<Acked> acks = new ConcurrentLinkedQueue<>();
    private final Queue<Delivered> callbacks = new ConcurrentLinkedQueue<>();
    private final Queue<Answered> answered = new ConcurrentLinkedQueue<>();
    private final Queue<String> surprises = new ConcurrentLinkedQueue<>();
    private final Map<Long, Unanswered> unanswered = new ConcurrentHashMap<>();
    private final List<Lane> lanes = new ArrayList<>();

    // All of the following is touched by the one thread only.
    private long correlation;
    private int sagas;
    private int nextLane;
    private volatile boolean stopping;

    /** An input that was answered, for good. */
    record Answered(boolean begin, Instant sent, Instant at) {}

    /** A saga under way: its next input is sent a little after the last one is answered. */
    private static final class Script {
        final String saga = UUID.randomUUID().toString();
        final boolean failing;
        final boolean confirmed;
        final boolean abandoned;
        int step;

        Script(int number) {
            failing = number % FAILING == 0;
            confirmed = number % 2 == 0;
            abandoned = number % ABANDONED == 0;
        }

        Duration timeout() {
            return abandoned ? ABANDONED_FOR : Stage.SAGA_TIMEOUT;
        }

        String branch(String name) {
            return saga + "-" + name;
        }
    }

    private static final class Unanswered {
        final Input input;
        final Script script;
        final Instant first;
        Instant last;
        int lane;

        Unanswered(Input input, Script script, Instant first) {
            this.input = input;
            this.script = script;
            this.first = first;
            this.last = first;
        }
    }

    /** @param addresses host:port of each node */
    Recorder(List<String> addresses) {
        for (String address : addresses) {
            int index = lanes.size();
            lanes.add(new Lane(address, SERVICE, List.of(UNDO, FINISH), thread, new Lane.Listener() {
                @Override
                public void received(FromAlpha message) {
                    Recorder.this.received(index, message);
                }

                @Override
                public void lost() {
                    sendAgain(index);
                }
            }));
        }
    }

    void start() {
        thread.execute(() -> lanes.forEach(Lane::connect));
        every(BEGIN_EVERY, () -> {
            if (!stopping && unanswered.size() < UNANSWERED_MAX) next(new Script(sagas++));
        });
        every(LOOK_EVERY, () -> {
            Instant late = clock.instant().minus(AGAIN_AFTER);
            unanswered.values().stream()
                    .filter(each -> each.last.isBefore(late))
                    .toList()
                    .forEach(this::send);
        });
    }

    private void every(Duration period, Runnable task) {
        var unused = thread.scheduleAtFixedRate(
                () -> {
                    try {
                        task.run();
                    } catch (RuntimeException bug) {
                        surprises.add("The recorder fails: " + bug);
                    }
                },
                period.toMillis(),
                period.toMillis(),
                TimeUnit.MILLISECONDS);
    }

    /** Begins no further saga. */
    void stop() {
        stopping = true;
    }

    boolean isIdle() {
        return unanswered.isEmpty();
    }

    List<Acked> acks() {
        return List.copyOf(acks);
    }

    int count() {
        return acks.size();
    }

    List<Delivered> callbacks() {
        return List.copyOf(callbacks);
    }

    List<Effect> effects() {
        return ledger.effects();
    }

    List<Answered> answered() {
        return List.copyOf(answered);
    }

    /** Answers that alpha should never have given. */
    List<String> surprises() {
        return List.copyOf(surprises);
    }

    private void received(int lane, FromAlpha message) {
        switch (message.getKindCase()) {
            case ACKS -> message.getAcks().getAcksList().forEach(this::answered);
            case CALLBACK -> called(lane, message.getCallback());
            case WELCOME, SHARDS, MARK, GO_AWAY, KIND_NOT_SET -> {}
        }
    }

    private void called(int lane, Callback callback) {
        Kind kind = callback.getKind() == CallbackKind.CONFIRMATION ? Kind.CONFIRMATION : Kind.COMPENSATION;
        callbacks.add(new Delivered(
                SERVICE, callback.getSaga(), callback.getBranch(), kind, callback.getAttempt(), clock.instant()));
        CallbackResult.Builder result = CallbackResult.newBuilder()
                .setSaga(callback.getSaga())
                .setBranch(callback.getBranch())
                .setKind(callback.getKind())
                .setAttempt(callback.getAttempt());
        if (!ledger.call(callback.getSaga(), callback.getBranch(), kind)) {
            result.setFailure(CallbackFailure.newBuilder().setCode(CallbackFailure.Code.FORWARD_MISSING));
        }
        lanes.get(lane).send(FromOmega.newBuilder().setResult(result).build());
    }

    private void answered(Ack ack) {
        Unanswered waiting = unanswered.get(ack.getCorrelation());
        if (waiting == null || ack.hasUnavailable()) return; // It is sent again in a while.
        unanswered.remove(ack.getCorrelation());
        answered.add(new Answered(waiting.input.hasBegin(), waiting.first, clock.instant()));
        Input input = waiting.input;
        switch (ack.getOutcomeCase()) {
            case ACCEPTED, COMMITTED -> {
                acks.add(promise(input, ack));
                var unused = thread.schedule(() -> next(waiting.script), STEP_AFTER.toMillis(), TimeUnit.MILLISECONDS);
            }
            // The deadline was faster: an end like another.
            case ABORTED -> acks.add(new Acked(input.getSaga(), "saga.aborted.v1", null, ack.getCorrelation()));
            case PENDING, REJECTED, OUTCOME_NOT_SET, UNAVAILABLE ->
                surprises.add("Alpha answers " + ack + " to " + input);
        }
    }

    private static Acked promise(Input input, Ack ack) {
        long correlation = ack.getCorrelation();
        String saga = input.getSaga();
        if (ack.hasCommitted()) return new Acked(saga, "saga.committed.v1", null, correlation);
        return switch (input.getKindCase()) {
            case BEGIN, BEGIN_ONCE, BEGIN_NESTED -> new Acked(saga, "saga.begun.v1", null, correlation);
            case BEGIN_BRANCH ->
                new Acked(saga, "branch.began.v1", input.getBeginBranch().getBranch(), correlation);
            case END_BRANCH ->
                new Acked(saga, "branch.ended.v1", input.getEndBranch().getBranch(), correlation);
            case FAIL_BRANCH ->
                new Acked(saga, "branch.failed.v1", input.getFailBranch().getBranch(), correlation);
            case BEGIN_NESTED_BRANCH, END, ABORT, ASK_OUTCOME, KIND_NOT_SET ->
                throw new IllegalStateException("Alpha accepts " + input);
        };
    }

    /**
     * Begin, two branches that begin and end, the end; or the second branch fails, which is the end as well; or nothing
     * after the first one.
     */
    private void next(Script script) {
        Input.Builder input = Input.newBuilder().setSaga(script.saga).setCorrelation(++correlation);
        switch (script.step++) {
            case 0 ->
                input.setBegin(BeginSaga.newBuilder()
                        .setOperation("record")
                        .setPolicy(Policy.newBuilder()
                                .setTimeoutMillis(script.timeout().toMillis())));
            case 1 -> input.setBeginBranch(branch(script, "first"));
            case 2 -> end(input, script, "first", false);
            case 3 -> {
                if (script.abandoned) return;
                input.setBeginBranch(branch(script, "second"));
            }
            case 4 -> end(input, script, "second", script.failing);
            case 5 -> {
                if (script.failing) return;
                input.setEnd(EndSaga.newBuilder().setWait(true));
            }
            default -> {
                return;
            }
        }
        Unanswered next = new Unanswered(input.build(), script, clock.instant());
        next.lane = nextLane++ % lanes.size();
        unanswered.put(next.input.getCorrelation(), next);
        send(next);
    }

    private void end(Input.Builder input, Script script, String name, boolean failing) {
        String branch = script.branch(name);
        if (!failing && ledger.perform(script.saga, branch)) {
            input.setEndBranch(EndBranch.newBuilder().setBranch(branch));
        } else {
            input.setFailBranch(
                    FailBranch.newBuilder().setBranch(branch).setCause("full").setRolledBack(true));
        }
    }

    private static BeginBranch branch(Script script, String name) {
        BeginBranch.Builder branch = BeginBranch.newBuilder()
                .setBranch(script.branch(name))
                .setOperation(name)
                .setFenced(true)
                .setCompensation(CallbackOffer.newBuilder().setName(UNDO));
        if (script.confirmed) branch.setConfirmation(CallbackOffer.newBuilder().setName(FINISH));
        return branch.build();
    }

    private void sendAgain(int lane) {
        unanswered.values().stream().filter(each -> each.lane == lane).toList().forEach(this::send);
    }

    /** By the next lane that is open; if none is, it is looked at again. */
    private void send(Unanswered input) {
        input.last = clock.instant();
        for (int i = 1; i <= lanes.size(); i++) {
            int lane = (input.lane + i) % lanes.size();
            if (!lanes.get(lane).isOpen()) continue;
            input.lane = lane;
            lanes.get(lane).send(input.input);
            return;
        }
    }

    @Override
    public void close() {
        thread.shutdownNow();
        lanes.forEach(Lane::close);
    }

    /** The nodes that there are, by gRPC. */
    static List<String> addresses(Network network) {
        Map<Integer, String> addresses = new LinkedHashMap<>();
        for (int node = 1; node <= Stage.ALPHAS; node++)
            addresses.put(node, network.address(node) + ":" + AlphaCommand.GRPC);
        return List.copyOf(addresses.values());
    }
}
