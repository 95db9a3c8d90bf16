package io.alphaomega.omega.stream;

import io.alphaomega.protocol.v1.Ack;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The unanswered inputs, and which stream each is given to. Everything but {@link #submit} happens on the loop. */
final class Inputs {
    /** Also where alpha names none or a shorter one: it has just said that it has no room. */
    private static final Duration RETRY_DELAY_MIN = Duration.ofMillis(50);

    /** Also where alpha names a longer one: the caller waits, and another alpha may have room. */
    private static final Duration RETRY_DELAY_MAX = Duration.ofSeconds(10);

    /** An alpha that owes answers and says nothing for so long is avoided: it, or the way to it, has stopped. */
    private static final Duration SILENCE = Duration.ofSeconds(2);

    private final ClientLoop loop;
    private final Queue<PendingInput> submitted = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean gathering = new AtomicBoolean();

    private final Map<Long, PendingInput> unanswered = new HashMap<>();
    private final Deque<PendingInput> waiting = new ArrayDeque<>();
    private List<AlphaStream> usable = List.of();
    private boolean watching;
    private @Nullable Runnable whenNone;

    Inputs(ClientLoop loop) {
        this.loop = loop;
    }

    /** Takes an input from any thread. What gathers until the loop comes to it is written together. */
    void submit(PendingInput pending) {
        submitted.add(pending);
        if (gathering.compareAndSet(false, true)) loop.execute(this::gather);
    }

    private void gather() {
        gathering.set(false);
        PendingInput next = submitted.poll();
        while (next != null) {
            if (!next.isAnswered()) {
                unanswered.put(next.input.getCorrelation(), next);
                next.taken(loop);
                assign(next);
            }
            next = submitted.poll();
        }
        flush();
    }

    /** Forgets an input whose sender has given up. It may have been written, but is not written again. */
    void withdraw(PendingInput pending) {
        if (!unanswered.remove(pending.input.getCorrelation(), pending)) return;
        pending.done();
        if (pending.stream == null) {
            waiting.remove(pending);
        } else {
            pending.stream.remove(pending);
        }
        checkNone();
    }

    void answered(AlphaStream stream, Ack ack) {
        PendingInput pending = unanswered.get(ack.getCorrelation());
        if (pending == null) return;
        if (ack.hasUnavailable()) {
            if (pending.stream == stream) {
                sendLater(pending, Duration.ofMillis(ack.getUnavailable().getRetryAfterMillis()));
            }
            return;
        }
        unanswered.remove(ack.getCorrelation());
        pending.done();
        pending.answer(ack);
        checkNone();
    }

    /** Alpha would break the stream over it, and again each time it is resent. */
    void refuse(PendingInput pending, int bytes, int max) {
        unanswered.remove(pending.input.getCorrelation());
        pending.done();
        pending.fail(new IllegalArgumentException(
                "The " + pending + " has " + bytes + " bytes, alpha takes messages of at most " + max + "."));
        checkNone();
    }

    private void sendLater(PendingInput pending, Duration asked) {
        Duration delay = asked.compareTo(RETRY_DELAY_MIN) < 0 ? RETRY_DELAY_MIN : asked;
        if (delay.compareTo(RETRY_DELAY_MAX) > 0) delay = RETRY_DELAY_MAX;
        // Up to half as long again, so that those refused together do not come back together.
        long jitter = ThreadLocalRandom.current().nextLong(delay.toNanos() / 2);
        pending.stream = null;
        loop.after(delay.plusNanos(jitter), () -> {
            if (!pending.isAnswered()) giveBack(List.of(pending));
        });
    }

    /** The streams that take inputs are these from now on. */
    void use(List<AlphaStream> streams) {
        usable = List.copyOf(streams);
        if (usable.isEmpty()) return;
        List<PendingInput> all = new ArrayList<>(waiting);
        waiting.clear();
        giveBack(all);
    }

    /** Gives these to other streams, or lets them wait for one. */
    void giveBack(List<PendingInput> inputs) {
        for (PendingInput each : inputs) {
            if (!each.isAnswered()) assign(each);
        }
        flush();
    }

    private void assign(PendingInput pending) {
        AlphaStream stream = choose(pending.input.getSaga());
        if (stream != null) {
            stream.add(pending);
            watch();
        } else {
            pending.stream = null;
            waiting.add(pending);
        }
    }

    private void flush() {
        usable.forEach(AlphaStream::flush);
    }

    /**
     * The stream to the node that has the saga, so that alpha need not pass it on. Where nobody has said so the one whose
     * hash with the saga's is highest: a saga keeps its stream while that is of use, others keep theirs.
     */
    private @Nullable AlphaStream choose(String saga) {
        AlphaStream best = null;
        int bestRank = 0;
        int bestScore = 0;
        for (AlphaStream each : usable) {
            int rank = (each.isSilent() ? 0 : 2) + (each.hasHome(saga) ? 1 : 0);
            int score = mix(saga.hashCode() ^ mix(each.endpoint.socket.hashCode()));
            if (best == null || rank > bestRank || (rank == bestRank && score > bestScore)) {
                best = each;
                bestRank = rank;
                bestScore = score;
            }
        }
        return best;
    }

    /** The finalizer of MurmurHash3: hash codes of like addresses differ in a few bits only. */
    private static int mix(int hash) {
        int h = (hash ^ (hash >>> 16)) * 0x85ebca6b;
        h = (h ^ (h >>> 13)) * 0xc2b2ae35;
        return h ^ (h >>> 16);
    }

    /** Looks for silent streams, only while something is owed. */
    private void watch() {
        if (watching) return;
        watching = true;
        loop.after(SILENCE.dividedBy(2), () -> {
            watching = false;
            moveFromSilent();
            if (usable.stream().anyMatch(AlphaStream::owesAnswers)) watch();
        });
    }

    private void moveFromSilent() {
        long now = System.nanoTime();
        usable.forEach(each -> each.listen(now, SILENCE));
        List<AlphaStream> silent = usable.stream().filter(AlphaStream::isSilent).toList();
        if (silent.size() == usable.size()) return;
        for (AlphaStream each : silent) giveBack(each.takeBack(true));
    }

    /** Runs the task once nothing is unanswered, perhaps at once. */
    void whenNone(Runnable task) {
        whenNone = task;
        checkNone();
    }

    boolean isEmpty() {
        return unanswered.isEmpty();
    }

    int count() {
        return unanswered.size();
    }

    /** Those that no stream has. */
    int countWaiting() {
        return (int)
                unanswered.values().stream().filter(each -> each.stream == null).count();
    }

    private void checkNone() {
        if (whenNone != null && unanswered.isEmpty()) whenNone.run();
    }

    /** Fails what is left, and says how much that is. */
    int failAll(Function<PendingInput, RuntimeException> reason) {
        gather();
        List<PendingInput> left = List.copyOf(unanswered.values());
        unanswered.clear();
        waiting.clear();
        left.forEach(each -> each.fail(reason.apply(each)));
        return left.size();
    }
}
