package io.alphaomega.server.stream;

import akka.actor.typed.ActorRef;
import io.alphaomega.saga.SagaEffect;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One service as one node's router sees it: its connections, what they have been asked, and what waits for its turn. */
final class Participant {
    /**
     * Callbacks under way per connection and router. An omega runs a few at a time; more would only wait there, where
     * their time to answer passes.
     */
    static final int WINDOW = 64;

    /** Sagas whose callback waits for its turn stay in memory; further ones come back later. */
    static final int QUEUE_MAX = 1_000;

    private static final class Seat {
        final ActorRef<RunCallback> connection;
        final String instance;
        final boolean here;
        final Map<Ask.Key, Ask> underWay = new LinkedHashMap<>();
        boolean open = true;

        Seat(ActorRef<RunCallback> connection, boolean here) {
            this.connection = connection;
            this.instance = instance(connection);
            this.here = here;
        }

        boolean isFree() {
            return open && underWay.size() < WINDOW;
        }
    }

    /** @param notAfter then it is given up, so that whoever gets it has at least half the time to answer */
    private record Queued(Ask ask, Instant notAfter) {}

    /** What is to be sent now, and to whom. */
    record Sending(Ask ask, ActorRef<RunCallback> connection) {}

    private final Map<ActorRef<RunCallback>, Seat> seats = new LinkedHashMap<>();
    private final Map<Ask.Key, Seat> underWay = new HashMap<>();
    private final Map<Ask.Key, Queued> queue = new LinkedHashMap<>();
    private boolean listed;
    boolean sweeping;
    boolean sweepAgain;
    Duration sweepPause = Participants.WOKEN_AGAIN_AFTER;

    /** For other threads. */
    private volatile boolean room = true;

    // ---- names of connections

    /** Every node reads off a connection's name which instance it belongs to. */
    static String name(long number, String instance) {
        return number + "-" + URLEncoder.encode(instance, StandardCharsets.UTF_8);
    }

    private static String instance(ActorRef<RunCallback> connection) {
        String name = connection.path().name();
        return URLDecoder.decode(name.substring(name.indexOf('-') + 1), StandardCharsets.UTF_8);
    }

    // ---- connections

    /** Whether it was not known before. */
    boolean open(ActorRef<RunCallback> connection, boolean here) {
        return seats.putIfAbsent(connection, new Seat(connection, here)) == null;
    }

    /** It gets nothing new. */
    void close(ActorRef<RunCallback> connection) {
        Seat seat = seats.get(connection);
        if (seat != null) seat.open = false;
    }

    /** What it has not answered. */
    List<Ask> remove(ActorRef<RunCallback> connection) {
        Seat seat = seats.remove(connection);
        if (seat == null) return List.of();
        seat.underWay.keySet().forEach(underWay::remove);
        return List.copyOf(seat.underWay.values());
    }

    /**
     * Those of other nodes get something new while they are on the list: a node that nobody reached for a moment is not,
     * and comes back with the same connections.
     */
    void listed(Set<ActorRef<RunCallback>> connections) {
        listed = true;
        for (Seat seat : seats.values()) {
            if (!seat.here) seat.open = connections.contains(seat.connection);
        }
    }

    /** Whether an instance that takes callbacks is connected, as far as is known. */
    boolean hasOpen() {
        return seats.values().stream().anyMatch(seat -> seat.open);
    }

    /** Whether no instance that takes callbacks is connected to any node. */
    boolean isAway() {
        return listed && !hasOpen();
    }

    // ---- calls

    boolean has(Ask ask) {
        return queue.containsKey(ask.key()) || underWay.containsKey(ask.key());
    }

    /** Whether there was room. */
    boolean enqueue(Ask ask, Instant now) {
        if (queue.size() >= QUEUE_MAX) return false;
        Duration half = Duration.between(now, ask.call().answerBy()).dividedBy(2);
        queue.put(ask.key(), new Queued(ask, now.plus(half)));
        return true;
    }

    /** Whether sagas may be woken that will ask for callbacks; from any thread, as of the last {@link #noteRoom}. */
    boolean hasRoom() {
        return room;
    }

    void noteRoom() {
        boolean now = queue.size() < QUEUE_MAX / 2; // The other half is for those who have been woken already.
        if (room != now) room = now;
    }

    void remove(Ask ask) {
        queue.remove(ask.key());
        Seat seat = underWay.remove(ask.key());
        if (seat != null) seat.underWay.remove(ask.key());
    }

    /** Takes the first in the queue, if there is a connection for it. */
    @Nullable
    Sending next() {
        Iterator<Queued> first = queue.values().iterator();
        if (!first.hasNext()) return null;
        Ask ask = first.next().ask();
        Seat seat = choose(ask.call());
        if (seat == null) return null;
        first.remove();
        seat.underWay.put(ask.key(), ask);
        underWay.put(ask.key(), seat);
        return new Sending(ask, seat.connection);
    }

    /** First the instance that ran the branch, over this node if it can be; a further attempt may go elsewhere. */
    private @Nullable Seat choose(SagaEffect.Call call) {
        List<Seat> free = new ArrayList<>();
        Seat own = null;
        for (Seat seat : seats.values()) {
            if (!seat.isFree()) continue;
            free.add(seat);
            boolean ran = seat.instance.equals(call.instance());
            if (ran && (own == null || (seat.here && !own.here))) own = seat;
        }
        if (free.isEmpty()) return null;
        if (own != null && call.attempt() == 1) return own;
        return free.get(Math.floorMod(31 * call.branch().hashCode() + call.attempt(), free.size()));
    }

    List<Ask> takeQueued() {
        List<Ask> taken = queue.values().stream().map(Queued::ask).toList();
        queue.clear();
        return taken;
    }

    List<Ask> takeOverdue(Instant now) {
        List<Ask> taken = new ArrayList<>();
        for (Iterator<Queued> all = queue.values().iterator(); all.hasNext(); ) {
            Queued queued = all.next();
            if (queued.notAfter().isAfter(now)) break; // The rest came later; with few exceptions it has more time.
            taken.add(queued.ask());
            all.remove();
        }
        return taken;
    }

    /** Forgets what should have been answered before {@code answerBy} and was withdrawn by nobody. */
    void forgetStale(Instant answerBy) {
        Set<Ask> stale = new HashSet<>();
        for (Seat seat : seats.values()) {
            for (Ask ask : seat.underWay.values()) {
                if (ask.call().answerBy().isBefore(answerBy)) stale.add(ask);
            }
        }
        stale.forEach(this::remove);
    }

    int queued() {
        return queue.size();
    }

    int underWay() {
        return underWay.size();
    }
}
