package io.alphaomega.server.webhook;

import io.alphaomega.saga.BranchId;
import io.alphaomega.saga.SagaId;
import io.alphaomega.saga.Stuck;
import io.alphaomega.server.queries.SagaDetail;
import io.alphaomega.server.sweep.StuckListener;
import io.alphaomega.server.sweep.StuckSaga;
import io.alphaomega.server.sweep.StuckSagas;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;

/**
 * What is new of what is suspended. The node that looks for stuck sagas tells of it: of one look, in one message. A node
 * that looks from now on does not know what was told before, so it tells of what was suspended a short while ago once more.
 * Called by one thread at a time.
 */
final class Suspensions implements StuckListener {
    /** In one message; the address of the console has the others. */
    static final int TOLD_MAX = 100;

    /** Looks are seconds apart, a minute if they take long. After a longer pause another node may have looked meanwhile. */
    static final Duration GOES_ON = Duration.ofMinutes(2);

    /** Longer than any failover. What was suspended before was told by whoever looked then. */
    static final Duration TOLD_AGAIN = Duration.ofMinutes(10);

    private final Clock clock;
    private final String console;
    private final Consumer<Message> messages;
    private Map<SagaId, Instant> told = Map.of();
    private Instant lookedAt = Instant.MIN;

    /**
     * What is posted, as JSON.
     *
     * @param id of this message; the same when it is sent again
     * @param count how many sagas were suspended
     * @param sagas the first 100 of them
     * @param stuck where people see all that are
     */
    record Message(String id, String type, Instant at, int count, List<Saga> sagas, String stuck) {}

    /**
     * A saga that waits for a person, as JSON.
     *
     * @param service whose people must act
     * @param since when it was suspended; with the id it tells this suspension from any other
     */
    record Saga(
            String id,
            String businessKey,
            String initiator,
            String operation,
            String reason,
            String service,
            String branch,
            Instant since,
            String page,
            String runbook) {}

    /** @param console address of the console, without a slash at its end; empty for paths */
    Suspensions(Clock clock, String console, Consumer<Message> messages) {
        this.clock = clock;
        this.console = console;
        this.messages = messages;
    }

    @Override
    public void found(StuckSagas found) {
        Instant now = clock.instant();
        boolean goesOn = lookedAt.isAfter(now.minus(GOES_ON));
        // Who has looked before tells all that is new, however old; others may have told what came before the pause.
        Instant from = goesOn ? Instant.MIN : later(lookedAt, now).minus(TOLD_AGAIN);
        Map<SagaId, Instant> suspended = new HashMap<>();
        List<Saga> fresh = new ArrayList<>();
        int count = 0;
        for (StuckSaga saga : found.sagas()) {
            if (saga.stuck().reason() != Stuck.Reason.SUSPENDED) continue;
            Instant since = saga.stuck().since();
            suspended.put(saga.id(), since);
            if (since.equals(told.get(saga.id())) || since.isBefore(from)) continue;
            count++;
            if (fresh.size() < TOLD_MAX) fresh.add(told(saga));
        }
        told = suspended;
        lookedAt = now;
        if (count == 0) return;
        messages.accept(new Message(
                UUID.randomUUID().toString(),
                "sagas.suspended",
                found.asOf(),
                count,
                fresh,
                console + "/stuck?reason=SUSPENDED"));
    }

    /** Of a node that has never looked, the time since is none of its business. */
    private static Instant later(Instant lookedAt, Instant now) {
        return lookedAt.equals(Instant.MIN) ? now : lookedAt;
    }

    private Saga told(StuckSaga saga) {
        Stuck stuck = saga.stuck();
        return new Saga(
                saga.id().value(),
                saga.businessKey(),
                saga.initiator(),
                saga.operation(),
                stuck.detail(),
                stuck.service(),
                stuck.branch().map(BranchId::value).orElse(""),
                stuck.since(),
                console + "/sagas/" + saga.id(),
                console + SagaDetail.SuspensionDetail.runbook(stuck.detail()));
    }
}
