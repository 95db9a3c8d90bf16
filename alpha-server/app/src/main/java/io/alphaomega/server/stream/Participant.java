package io.alphaomega.server.stream;

import akka.actor.typed.ActorRef;
import akka.actor.typed.receptionist.Receptionist;
import io.alphaomega.saga.SagaEffect;
import io.alphaomega.saga.SagaId;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** One service as one node's router sees it: its connections, what they have been asked, and what waits for its turn. */
final class Participant {
    /** Of an instance that does not say how many callbacks it takes at a time. */
    static final int CAPACITY = 64;

    /** Number, capacity, instance. */
    private static final Pattern NAME = Pattern.compile("\\d+-(?:(\\d{1,5})-)?(.+)");

    /** No instance runs more, whatever it says. */
    private static final int CAPACITY_MAX = 10_000;

    /** Sagas whose callback waits for its turn stay in memory; further ones come back later. */
    static final int QUEUE_MAX = 1_000;

    /** What one saga has under way while others wait: hundreds of branches in parallel keep nobody from their turn. */
    static final int SAGA_SHARE = 8;

    private static final class Seat {
        final ActorRef<RunCallback> connection;
        final String instance;
        final int capacity;
        final boolean here;
        final Map<Ask.Key, Ask> underWay = new LinkedHashMap<>();
        boolean open = true;

        Seat(ActorRef<RunCallback> connection, boolean here) {
            Matcher name = NAME.matcher(connection.path().name());
            if (!name.matches()) throw new IllegalArgumentException(connection + " is not named as a connection is.");
            this.connection = connection;
            this.capacity = name.group(1) == null ? CAPACITY : Integer.parseInt(name.group(1));
            this.instance = URLDecoder.decode(name.group(2), StandardCharsets.UTF_8);
            this.here = here;
        }
    }

    /**
     * @param notAfter then it is put off, so that whoever gets it has at least half the time to answer
     * @param number in the order of arrival
     */
    private record Queued(Ask ask, Instant notAfter, long number) {
        /** Whose time is up first goes first: roughly who was first, also after having been put off. */
        static final Comparator<Queued> ORDER = Comparator.comparing(
                        (Queued queued) -> queued.ask.call().giveUpAt())
                .thenComparingLong(Queued::number);
    }

    /** What is to be sent now, and to whom. */
    record Sending(Ask ask, ActorRef<RunCallback> connection) {}

    private final Map<ActorRef<RunCallback>, Seat> seats = new LinkedHashMap<>();
    private final Map<Ask.Key, Seat> underWay = new HashMap<>();
    private final Map<Ask.Key, Queued> queued = new HashMap<>();
    private final NavigableSet<Queued> queue = new TreeSet<>(Queued.ORDER);
    private final Map<String, Integer> ofInstance = new HashMap<>();
    private final Map<SagaId, Integer> ofSaga = new HashMap<>();
    private long last;
    private int nodes = 1;
    private boolean listed;
    boolean sweeping;
    boolean sweepAgain;
    Duration sweepPause = Participants.WOKEN_AGAIN_AFTER;

    Instant neededAt = Instant.MIN;

    /** Tells the router of the service's connections on all nodes. */
    final ActorRef<Receptionist.Listing> listings;

    private final Budget.Account held;

    /** For other threads. */
    private volatile boolean room = true;

    /** @param held of the callbacks that wait or are under way */
    Participant(Budget.Account held, ActorRef<Receptionist.Listing> listings) {
        this.held = held;
        this.listings = listings;
    }

    /** Whether anything would be lost if it were forgotten. */
    boolean isNeeded() {
        return !seats.isEmpty() || !queue.isEmpty() || sweeping;
    }

    // ---- names of connections

    /**
     * Every node reads off a connection's name which instance it belongs to, and how many callbacks that takes.
     *
     * @param capacity of the instance over all its streams; 0 if it does not say
     */
    static String name(long number, int capacity, String instance) {
        int taken = capacity <= 0 ? CAPACITY : Math.min(capacity, CAPACITY_MAX);
        return number + "-" + taken + "-" + URLEncoder.encode(instance, StandardCharsets.UTF_8);
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
        List<Ask> unanswered = List.copyOf(seat.underWay.values());
        unanswered.forEach(this::remove);
        return unanswered;
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

    /** How many nodes share the instances: each has a router of its own, which knows only what it has sent itself. */
    void sharedBy(int count) {
        nodes = Math.max(1, count);
    }

    // ---- calls

    boolean has(Ask ask) {
        return queued.containsKey(ask.key()) || underWay.containsKey(ask.key());
    }

    /** Returns the one for which there is no room, which may be another; null if there is room for all. */
    @Nullable
    Ask enqueue(Ask ask, Instant now) {
        if (!hold(ask)) return ask;
        Duration half = Duration.between(now, ask.call().answerBy()).dividedBy(2);
        Queued one = new Queued(ask, now.plus(half), ++last);
        queue.add(one);
        queued.put(ask.key(), one);
        if (queue.size() <= QUEUE_MAX) return null;
        Ask put = queue.last().ask();
        remove(put);
        return put;
    }

    /** One there is always room for. */
    private boolean hold(Ask ask) {
        if (held.take(ask.bytes())) return true;
        if (!queue.isEmpty() || !underWay.isEmpty()) return false;
        held.add(ask.bytes());
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
        Queued waiting = queued.remove(ask.key());
        if (waiting != null) {
            queue.remove(waiting);
            held.give(waiting.ask().bytes());
        }
        Seat seat = underWay.remove(ask.key());
        if (seat == null) return;
        Ask asked = seat.underWay.remove(ask.key());
        if (asked != null) held.give(asked.bytes());
        ofInstance.merge(seat.instance, -1, Participant::sumOrNull);
        ofSaga.merge(ask.saga(), -1, Participant::sumOrNull);
    }

    /** A map of counts keeps none of 0. */
    private static @Nullable Integer sumOrNull(int one, int other) {
        return one + other == 0 ? null : one + other;
    }

    /** Takes the one whose turn it is, if there is a connection for it. */
    @Nullable
    Sending next() {
        if (queue.isEmpty()) return null;
        Ask ask = first();
        Seat seat = choose(ask.call());
        if (seat == null) return null;
        remove(ask);
        held.add(ask.bytes());
        seat.underWay.put(ask.key(), ask);
        underWay.put(ask.key(), seat);
        ofInstance.merge(seat.instance, 1, Integer::sum);
        ofSaga.merge(ask.saga(), 1, Integer::sum);
        return new Sending(ask, seat.connection);
    }

    private Ask first() {
        for (Queued each : queue) {
            if (ofSaga.getOrDefault(each.ask().saga(), 0) < SAGA_SHARE) return each.ask();
        }
        return queue.first().ask();
    }

    private boolean isFree(Seat seat) {
        return seat.open && ofInstance.getOrDefault(seat.instance, 0) < Math.max(1, seat.capacity / nodes);
    }

    /** First the instance that ran the branch, over this node if it can be; a further attempt may go elsewhere. */
    private @Nullable Seat choose(SagaEffect.Call call) {
        List<Seat> free = new ArrayList<>();
        Seat own = null;
        for (Seat seat : seats.values()) {
            if (!isFree(seat)) continue;
            free.add(seat);
            boolean ran = seat.instance.equals(call.instance());
            if (ran && (own == null || (seat.here && !own.here))) own = seat;
        }
        if (free.isEmpty()) return null;
        if (own != null && call.attempt() == 1) return own;
        return free.get(Math.floorMod(31 * call.branch().hashCode() + call.attempt(), free.size()));
    }

    List<Ask> takeQueued() {
        List<Ask> taken = queue.stream().map(Queued::ask).toList();
        taken.forEach(this::remove);
        return taken;
    }

    List<Ask> takeOverdue(Instant now) {
        List<Ask> taken = queue.stream()
                .filter(each -> !each.notAfter().isAfter(now))
                .map(Queued::ask)
                .toList();
        taken.forEach(this::remove);
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
