package io.alphaomega.saga.simulation;

import io.alphaomega.saga.BranchId;
import io.alphaomega.saga.CallbackOffer;
import io.alphaomega.saga.CallbackPolicy;
import io.alphaomega.saga.Limits;
import io.alphaomega.saga.Payload;
import io.alphaomega.saga.Policy;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a history is about, and how rough its world is until it heals.
 *
 * @param faults what goes wrong until {@code healAfterMillis}
 * @param lateBegin the begin is sent after the first branch
 * @param carries the begin and the ends of branches travel with calls and their answers
 * @param concurrent branches are called at once, not one after the other
 * @param hasty the initiator ends the saga without waiting for its branches
 * @param lastWord what the initiator does when its branches went well
 * @param attributes of the begin
 * @param calls the branches it calls, in this order
 */
record Plan(
        Faults faults,
        int healAfterMillis,
        Policy policy,
        boolean lateBegin,
        boolean carries,
        boolean concurrent,
        boolean hasty,
        boolean awaitDecision,
        LastWord lastWord,
        Map<String, String> attributes,
        List<Call> calls) {
    /** The services of a deployment. */
    static final List<String> SERVICES = List.of("car", "hotel", "flight");

    private static final Payload OVERSIZE = new Payload(new byte[Limits.PAYLOAD_BYTES + 1]);
    private static final Payload SMALL = new Payload(new byte[] {1, 2, 3});

    enum LastWord {
        END,
        ABORT,
        END_AND_ABORT,
        NOTHING
    }

    /**
     * Per cent of the occasions on which something goes wrong.
     *
     * @param slow messages that take seconds instead of milliseconds; some of them minutes
     * @param crash appends after which the owner dies
     * @param pause appends after which the owner stops for a while and another takes over
     * @param unknown appends that end in an exception, stored or not
     * @param death business calls and callbacks in which the participant's process dies
     * @param business business calls that fail
     * @param callback callbacks that fail, hang or answer oddly
     * @param streamLoss callbacks whose stream breaks
     * @param busy callbacks that the participant has no room for
     * @param away a service has nobody connected until the world heals
     * @param operators commands of operators who do not look closely
     */
    record Faults(
            int loss,
            int duplication,
            int slow,
            int crash,
            int pause,
            int unknown,
            int death,
            int business,
            int callback,
            int streamLoss,
            int busy,
            boolean away,
            int operators) {
        static final Faults NONE = new Faults(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, false, 0);
    }

    /**
     * One call of a participant, with what that offers.
     *
     * @param label which of all calls it is, whatever id it goes by
     * @param branch the id that it goes by; of a call that a participant makes, the participant names it
     * @param compensable whether it is a branch of the saga, or its participant only passes the saga on to others
     * @param endTravels whether its participant leaves it to its callers to say that it ended: only one that bars the other
     *     runs of a call that failed may do that
     * @param duplicates further runs of the same call, made by a retry or a balancer beneath the interceptor
     * @param bars whether a run that failed bars the others before it reports that nothing is left of it
     * @param inner the calls that its business makes before it commits
     * @param unordered each run of its business makes them in an order of its own
     */
    record Call(
            String label,
            BranchId branch,
            Optional<BranchId> parent,
            int service,
            boolean compensable,
            Optional<CallbackOffer> compensation,
            Optional<CallbackOffer> confirmation,
            boolean fenced,
            boolean endTravels,
            Optional<Duration> timeout,
            Payload arguments,
            Payload result,
            int duplicates,
            boolean bars,
            List<Call> inner,
            boolean unordered) {
        /** Runs of the business that know nothing of each other, each of which must live to tell how it ended. */
        boolean isUnguarded() {
            return duplicates > 0 && !bars;
        }

        /** The same call, as somebody makes it who goes by {@code caller}. */
        Call madeBy(Call caller, BranchId name) {
            Optional<BranchId> within = caller.compensable ? Optional.of(caller.branch) : caller.parent;
            return new Call(
                    label,
                    name,
                    within,
                    service,
                    compensable,
                    compensation,
                    confirmation,
                    fenced,
                    endTravels,
                    timeout,
                    arguments,
                    result,
                    duplicates,
                    bars,
                    inner,
                    unordered);
        }
    }

    static Plan roll(Dice dice) {
        if (dice.oneIn(5_000)) return crowded();
        boolean heavy = dice.oneIn(400);
        Faults faults = faults(dice);
        // Who looks for a participant every 100 ms for ten minutes fills a journal, not a gap in this simulation.
        int healAfterMillis = faults.away() ? dice.oneOf(10_000, 30_000) : dice.oneOf(1_000, 10_000, 60_000, 600_000);
        boolean hasty = dice.percent(10);
        boolean carries = dice.oneIn(2);
        return new Plan(
                faults,
                healAfterMillis,
                policy(dice),
                dice.percent(heavy ? 50 : 7),
                carries,
                heavy || dice.percent(40),
                hasty,
                dice.percent(70),
                lastWord(dice),
                attributes(heavy),
                calls(dice, heavy, hasty, carries));
    }

    private static Faults faults(Dice dice) {
        int roughness = dice.between(0, 9);
        if (roughness < 2)
            return new Faults(0, 3, 2, 0, 0, 0, 0, dice.oneOf(0, 0, 20), dice.oneOf(0, 20), 0, 0, false, 0);
        if (roughness < 7) {
            return new Faults(
                    dice.between(0, 10),
                    dice.between(0, 15),
                    dice.between(0, 20),
                    dice.between(0, 8),
                    dice.between(0, 4),
                    dice.between(0, 6),
                    dice.between(0, 4),
                    dice.oneOf(0, 0, 3, 25),
                    dice.oneOf(0, 20, 60),
                    dice.oneOf(0, 0, 10),
                    dice.oneOf(0, 0, 0, 30),
                    dice.oneIn(25),
                    dice.oneOf(0, 0, 0, 1));
        }
        return new Faults(
                dice.between(5, 25),
                dice.between(5, 30),
                dice.between(5, 40),
                dice.between(0, 20),
                dice.between(0, 10),
                dice.between(0, 15),
                dice.between(0, 10),
                dice.oneOf(0, 10, 40),
                dice.oneOf(20, 60, 90),
                dice.oneOf(0, 10, 60, 95),
                dice.oneOf(0, 0, 30, 100),
                dice.oneIn(8),
                dice.oneOf(0, 0, 1, 3));
    }

    private static Policy policy(Dice dice) {
        return new Policy(
                Duration.ofSeconds(dice.oneOf(5, 60, 300, 300)),
                Duration.ofSeconds(dice.oneOf(1, 10, 30)),
                dice.percent(65) ? Policy.Order.SEQUENTIAL : Policy.Order.PARALLEL,
                callbacks(dice));
    }

    private static CallbackPolicy callbacks(Dice dice) {
        int firstDelay = dice.oneOf(100, 1_000);
        return new CallbackPolicy(
                dice.oneOf(1, 2, 3, 5, 12),
                Duration.ofSeconds(dice.oneOf(10, 120, 3_600, 86_400)),
                Duration.ofMillis(firstDelay),
                Duration.ofMillis((long) firstDelay * dice.oneOf(1, 8, 100, 100)),
                Duration.ofMillis(dice.oneOf(300, 2_000, 30_000)));
    }

    private static LastWord lastWord(Dice dice) {
        int roll = dice.between(0, 99);
        if (roll < 80) return LastWord.END;
        if (roll < 88) return LastWord.ABORT;
        return roll < 93 ? LastWord.END_AND_ABORT : LastWord.NOTHING;
    }

    /** As many and as long as they may be, or one. */
    private static Map<String, String> attributes(boolean heavy) {
        if (!heavy) return Map.of("customer", "7");
        Map<String, String> attributes = new HashMap<>();
        for (int i = 0; i < Limits.ATTRIBUTES; i++) attributes.put("attribute " + i, "x".repeat(Limits.NAME_CHARS));
        return attributes;
    }

    private static List<Call> calls(Dice dice, boolean heavy, boolean hasty, boolean carries) {
        int count = dice.oneOf(2, 5, 6, 7, 8, 9, 10, 12);
        boolean confirming = dice.percent(35);

        int unfenced = dice.oneOf(0, 0, 0, 20, 100);
        List<Call> calls = new ArrayList<>();
        for (int i = 0; i < (heavy ? 24 : count); i++) {
            boolean fenced = !dice.percent(unfenced);
            boolean oversize = dice.oneIn(300);
            int duplicates = fenced && dice.percent(10) ? 1 : 0;
            boolean bars = dice.percent(70);
            if (!heavy && dice.oneIn(30)) {
                calls.add(middle("b" + i, 1, false, dice, hasty, carries));
                continue;
            }
            calls.add(new Call(
                    "b" + i,
                    new BranchId("b" + i),
                    i > 0 && dice.percent(30) ? Optional.of(new BranchId("b" + (i - 1))) : Optional.empty(),
                    dice.between(0, SERVICES.size() - 1),
                    true,
                    dice.percent(85) ? Optional.of(offer("undo", dice)) : Optional.empty(),
                    confirming && dice.percent(70) ? Optional.of(offer("confirm", dice)) : Optional.empty(),
                    fenced,
                    carries && fenced && (duplicates == 0 || bars) && dice.percent(80),
                    dice.percent(20) ? Optional.of(Duration.ofMillis(dice.oneOf(500, 10_000))) : Optional.empty(),
                    heavy ? kilobytes(dice.between(1, 64)) : oversize && dice.oneIn(2) ? OVERSIZE : SMALL,
                    heavy ? kilobytes(dice.between(1, 64)) : oversize ? OVERSIZE : SMALL,
                    duplicates,
                    bars,
                    List.of(),
                    false));
        }
        return calls;
    }

    /**
     * A participant that calls others, over up to three hops, and is called again beneath its caller.
     *
     * @param branch it must be one: alpha can only tell two calls of one name apart if both are begun
     */
    private static Call middle(String label, int hop, boolean branch, Dice dice, boolean hasty, boolean carries) {
        // Who ends the saga without waiting for its branches is not told that one of them was refused.
        boolean unordered = !hasty && dice.oneIn(3);
        int target = dice.between(0, SERVICES.size() - 1);
        List<Call> inner = new ArrayList<>();
        for (int i = dice.between(1, 3); i > 0; i--) {
            String name = label + "/" + i;
            boolean further = hop < 2 && dice.oneIn(3);
            int service = dice.percent(70) ? target : dice.between(0, SERVICES.size() - 1);
            inner.add(
                    further
                            ? middle(name, hop + 1, unordered, dice, hasty, carries)
                            : fenced(name, service, true, carries, 0, List.of(), false));
        }
        int service = dice.between(0, SERVICES.size() - 1);
        boolean compensable = branch || dice.percent(60);
        return fenced(label, service, compensable, carries && compensable, dice.oneOf(0, 1, 1, 2), inner, unordered);
    }

    /** Its arguments tell it from all others. */
    private static Call fenced(
            String label,
            int service,
            boolean compensable,
            boolean endTravels,
            int duplicates,
            List<Call> inner,
            boolean unordered) {
        return new Call(
                label,
                new BranchId(label.replace('/', '.')),
                Optional.empty(),
                service,
                compensable,
                Optional.of(new CallbackOffer("undo", Optional.empty())),
                Optional.empty(),
                true,
                endTravels,
                Optional.empty(),
                new Payload(label.getBytes(StandardCharsets.UTF_8)),
                SMALL,
                duplicates,
                true,
                inner,
                unordered);
    }

    /** More branches than a saga may have. */
    private static Plan crowded() {
        List<Call> calls = new ArrayList<>();
        for (int i = 0; i < Limits.BRANCHES + 2; i++) {
            calls.add(new Call(
                    "b" + i,
                    new BranchId("b" + i),
                    Optional.empty(),
                    i % SERVICES.size(),
                    true,
                    i == 7 ? Optional.of(new CallbackOffer("undo", Optional.empty())) : Optional.empty(),
                    Optional.empty(),
                    true,
                    false,
                    Optional.empty(),
                    Payload.EMPTY,
                    Payload.EMPTY,
                    0,
                    true,
                    List.of(),
                    false));
        }
        return new Plan(
                Faults.NONE, 1_000, Policy.DEFAULT, false, false, true, false, true, LastWord.END, Map.of(), calls);
    }

    private static Payload kilobytes(int count) {
        return new Payload(new byte[count * 1024]);
    }

    private static CallbackOffer offer(String name, Dice dice) {
        return new CallbackOffer(name, dice.percent(20) ? Optional.of(callbacks(dice)) : Optional.empty());
    }
}
