package io.alphaomega.server.stream;

import akka.actor.typed.ActorRef;
import akka.actor.typed.receptionist.Receptionist;
import io.alphaomega.saga.SagaEffect;
import io.alphaomega.saga.SagaId;
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
import org.jspecify.annotations.Nullable;

/** One service as one node's router sees it: its connections, what they have been asked, and what waits for its turn. */
final class Participant {
    /** Of an instance that does not say how many callbacks it takes at a time. */
    static final int CAPACITY = 64;

    /** Each so many attempts whoever may is asked, in case that it is the build that ran the branch which fails. */
    private static final int ANY_BUILD_EACH = 3;

    /** No instance runs more, whatever it says. */
    private static final int CAPACITY_MAX = 10_000;

    /** Sagas whose callback waits for its turn stay in memory; further ones come back later. */
    static final int QUEUE_MAX = 1_000;

    /** What one saga has under way while others wait: hundreds of branches in parallel keep nobody from their turn. */
    static final int SAGA_SHARE = 8;

    /**
     * @param notAfter then it is put off, so that whoever gets it has at least half the time to answer
     * @param number in the order of arrival
     */
    private record Queued(CallbackRequest ask, Instant notAfter, long number) {
        /** Whose time is up first goes first: roughly who was first, also after having been put off. */
        static final Comparator<Queued> ORDER = Comparator.comparing(
                        (Queued queued) -> queued.ask.call().giveUpAt())
                .thenComparingLong(Queued::number);
    }

    /** What is to be sent now, and to whom. */
    record Sending(CallbackRequest ask, ActorRef<RunCallback> connection) {}

    private final Map<ActorRef<RunCallback>, Seat> seats = new LinkedHashMap<>();
    private final Map<CallbackRequest.Key, Seat> underWay = new HashMap<>();
    private final Map<CallbackRequest.Key, Queued> queued = new HashMap<>();
    private final NavigableSet<Queued> queue = new TreeSet<>(Queued.ORDER);
    private final Map<String, Integer> ofInstance = new HashMap<>();
    private final Map<SagaId, Integer> ofSaga = new HashMap<>();
    private long last;
    private int nodes = 1;
    private boolean listed;

    /** Of those that wait, how many some build cannot run. */
    private int refused;

    /** Whether a saga was told that no build which is connected can: it is to hear of the next one. */
    boolean toldUnable;

    boolean sweeping;
    boolean sweepAgain;
    Duration sweepPause = ServiceSweeps.WOKEN_AGAIN_AFTER;

    Instant neededAt = Instant.MIN;

    /** Tells the router of the service's connections on all nodes. */
    final ActorRef<Receptionist.Listing> listings;

    /** What its fences are asked about held sagas. */
    final Inquiries inquiries;

    private final Budget.Account held;

    /** For other threads. */
    private volatile boolean room = true;

    /** @param held of the callbacks that wait or are under way */
    Participant(Budget.Account held, ActorRef<Receptionist.Listing> listings) {
        this.held = held;
        this.inquiries = new Inquiries(held);
        this.listings = listings;
    }

    /** Whether anything would be lost if it were forgotten. */
    boolean isNeeded() {
        return !seats.isEmpty() || !queue.isEmpty() || sweeping || !inquiries.isEmpty();
    }

    // ---- names of connections

    /**
     * Every node reads off a connection's name which instance it belongs to, of which build that is, and how many callbacks
     * it takes, and whether its fences can be asked. An older node takes all but the capacity for the instance.
     *
     * @param capacity of the instance over all its streams; 0 if it does not say
     * @param build empty if it is not known
     * @param inquirable whether its fences can be asked
     */
    static String name(long number, int capacity, String instance, String build, boolean inquirable) {
        int taken = capacity <= 0 ? CAPACITY : Math.min(capacity, CAPACITY_MAX);
        String named = number + "-" + taken + "-" + (inquirable ? "!" : "")
                + URLEncoder.encode(instance, StandardCharsets.UTF_8);
        return build.isEmpty() ? named : named + "~" + URLEncoder.encode(build, StandardCharsets.UTF_8);
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
    List<CallbackRequest> remove(ActorRef<RunCallback> connection) {
        Seat seat = seats.remove(connection);
        if (seat == null) return List.of();
        List<CallbackRequest> unanswered = List.copyOf(seat.underWay.values());
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

    /** One whose fences can be asked, of that build if there is any; another for another {@code number}. Null: none. */
    @Nullable
    ActorRef<RunCallback> toInquire(String build, int number) {
        List<Seat> able = seats.values().stream()
                .filter(seat -> seat.open && seat.inquirable)
                .toList();
        List<Seat> same = able.stream()
                .filter(seat -> !build.isEmpty() && seat.build.equals(build))
                .toList();
        List<Seat> among = same.isEmpty() ? able : same;
        return among.isEmpty() ? null : among.get(Math.floorMod(number, among.size())).connection;
    }

    /** Whether there is an instance whose fences can be asked. */
    boolean canBeInquired() {
        return toInquire("", 0) != null;
    }

    /** Whether no instance that takes callbacks is connected to any node. */
    boolean isAway() {
        return listed && !hasOpen();
    }

    /** Those of which an instance that takes callbacks is connected, as far as is known. */
    Set<String> builds() {
        Set<String> builds = new HashSet<>();
        for (Seat seat : seats.values()) {
            if (seat.open && !seat.build.isEmpty()) builds.add(seat.build);
        }
        return builds;
    }

    /** Whether instances are connected, but none of a build that may run it. */
    boolean isUnable(CallbackRequest ask) {
        if (!listed || ask.call().unable().isEmpty()) return false;
        boolean open = false;
        for (Seat seat : seats.values()) {
            if (seat.open && seat.mayRun(ask.call())) return false;
            open |= seat.open;
        }
        return open;
    }

    /** How many nodes share the instances: each has a router of its own, which knows only what it has sent itself. */
    void sharedBy(int count) {
        nodes = Math.max(1, count);
    }

    // ---- calls

    boolean has(CallbackRequest ask) {
        return queued.containsKey(ask.key()) || underWay.containsKey(ask.key());
    }

    /** Returns the one for which there is no room, which may be another; null if there is room for all. */
    @Nullable
    CallbackRequest enqueue(CallbackRequest ask, Instant now) {
        if (!hold(ask)) return ask;
        Duration half = Duration.between(now, ask.call().answerBy()).dividedBy(2);
        Queued one = new Queued(ask, now.plus(half), ++last);
        queue.add(one);
        queued.put(ask.key(), one);
        if (!ask.call().unable().isEmpty()) refused++;
        if (queue.size() <= QUEUE_MAX) return null;
        CallbackRequest put = queue.last().ask();
        remove(put);
        return put;
    }

    /** One there is always room for. */
    private boolean hold(CallbackRequest ask) {
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

    void remove(CallbackRequest ask) {
        Queued waiting = queued.remove(ask.key());
        if (waiting != null) {
            queue.remove(waiting);
            held.give(waiting.ask().bytes());
            if (!waiting.ask().call().unable().isEmpty()) refused--;
        }
        Seat seat = underWay.remove(ask.key());
        if (seat == null) return;
        CallbackRequest asked = seat.underWay.remove(ask.key());
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
        List<Seat> free = seats.values().stream().filter(this::isFree).toList();
        if (free.isEmpty()) return null;
        Sending next = next(free, SAGA_SHARE);
        return next != null ? next : next(free, Integer.MAX_VALUE);
    }

    /** What calls have in common that only some builds may run. */
    private record Wanted(String build, Set<String> unable, boolean first) {
        static Wanted by(SagaEffect.Call call) {
            return new Wanted(call.build(), call.unable(), call.attempt() == 1);
        }
    }

    /** The first of a saga with less than that under way, and of those that wait for no build. */
    private @Nullable Sending next(List<Seat> free, int share) {
        Set<Wanted> inVain = new HashSet<>();
        for (Queued each : queue) {
            CallbackRequest ask = each.ask();
            if (ofSaga.getOrDefault(ask.saga(), 0) >= share || inVain.contains(Wanted.by(ask.call()))) continue;
            Seat seat = choose(ask.call(), free);
            if (seat != null) return take(ask, seat);
            inVain.add(Wanted.by(ask.call()));
        }
        return null;
    }

    private Sending take(CallbackRequest ask, Seat seat) {
        remove(ask);
        held.add(ask.bytes());
        seat.underWay.put(ask.key(), ask);
        underWay.put(ask.key(), seat);
        ofInstance.merge(seat.instance, 1, Integer::sum);
        ofSaga.merge(ask.saga(), 1, Integer::sum);
        return new Sending(ask, seat.connection);
    }

    private boolean isFree(Seat seat) {
        return seat.open && ofInstance.getOrDefault(seat.instance, 0) < Math.max(1, seat.capacity / nodes);
    }

    /**
     * First the instance that ran the branch, over this node if it can be, or another of its build, which is waited for. A
     * further attempt may go elsewhere, but to its build if there is one with room.
     */
    private @Nullable Seat choose(SagaEffect.Call call, List<Seat> free) {
        boolean first = call.attempt() == 1;
        List<Seat> able = new ArrayList<>();
        List<Seat> same = new ArrayList<>();
        Seat own = null;
        for (Seat seat : free) {
            if (!seat.mayRun(call)) continue;
            able.add(seat);
            if (isOfItsBuild(seat, call)) same.add(seat);
            boolean ran = seat.instance.equals(call.instance());
            if (ran && (own == null || (seat.here && !own.here))) own = seat;
        }
        if (own != null && first) return own;
        if (same.isEmpty() && first && hasOpenOfItsBuild(call)) return null;
        List<Seat> among = same.isEmpty() || call.attempt() % ANY_BUILD_EACH == 0 ? able : same;
        if (among.isEmpty()) return null;
        return among.get(Math.floorMod(31 * call.branch().hashCode() + call.attempt(), among.size()));
    }

    private boolean hasOpenOfItsBuild(SagaEffect.Call call) {
        for (Seat seat : seats.values()) {
            if (seat.open && seat.mayRun(call) && isOfItsBuild(seat, call)) return true;
        }
        return false;
    }

    private static boolean isOfItsBuild(Seat seat, SagaEffect.Call call) {
        return !seat.build.isEmpty() && seat.build.equals(call.build());
    }

    /** Those that no build which is connected may run, but for what the branch's own build may, if that comes in time. */
    List<CallbackRequest> takeUnable() {
        if (refused == 0) return List.of();
        List<CallbackRequest> taken = queue.stream()
                .map(Queued::ask)
                .filter(this::isUnable)
                .filter(ask -> ask.call().build().isEmpty()
                        || ask.call().unable().contains(ask.call().build()))
                .toList();
        taken.forEach(this::remove);
        return taken;
    }

    List<CallbackRequest> takeQueued() {
        List<CallbackRequest> taken = queue.stream().map(Queued::ask).toList();
        taken.forEach(this::remove);
        return taken;
    }

    List<CallbackRequest> takeOverdue(Instant now) {
        List<CallbackRequest> taken = queue.stream()
                .filter(each -> !each.notAfter().isAfter(now))
                .map(Queued::ask)
                .toList();
        taken.forEach(this::remove);
        return taken;
    }

    /** Forgets what should have been answered before {@code answerBy} and was withdrawn by nobody. */
    void forgetStale(Instant answerBy) {
        Set<CallbackRequest> stale = new HashSet<>();
        for (Seat seat : seats.values()) {
            for (CallbackRequest ask : seat.underWay.values()) {
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
