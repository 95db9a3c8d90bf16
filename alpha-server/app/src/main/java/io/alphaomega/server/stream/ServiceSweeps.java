package io.alphaomega.server.stream;

import akka.actor.typed.Behavior;
import akka.actor.typed.javadsl.ActorContext;
import akka.actor.typed.javadsl.TimerScheduler;
import io.alphaomega.repository.Page;
import io.alphaomega.repository.SagaQuery;
import io.alphaomega.repository.SagaSummary;
import io.alphaomega.saga.SagaInput;
import io.alphaomega.saga.Stuck;
import io.alphaomega.server.saga.RouterCommand;
import io.alphaomega.server.sweep.Sweep;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Tells sagas that a service they wait for is there: those in the store that may wait for a callback of it, and those that
 * are held and may ask its fences. Page by page, as fast as the service answers them, until all have heard. Belongs to the
 * router of a node and lives on its thread.
 */
final class ServiceSweeps {
    /** When not all that wait have heard, they are told again after this; then after twice as long each time, up to a minute. */
    static final Duration WOKEN_AGAIN_AFTER = Duration.ofSeconds(2);

    private static final Duration WOKEN_AGAIN_AT_LEAST_EVERY = Duration.ofMinutes(1);

    private static final Set<SagaSummary.State> MAY_WAIT =
            Set.of(SagaSummary.State.COMPENSATING, SagaSummary.State.CONFIRMING, SagaSummary.State.SUSPENDED);

    /** What the router passes on to this. */
    sealed interface Told extends CallbackRouter.Command {}

    /** @param whole whether all sagas have heard; known when the sweep is over */
    record Swept(String service, AtomicBoolean whole) implements Told {}

    /** The held sagas whose questions there was no room for have been told to ask again. */
    record Reminded(String service) implements Told {}

    record Wake(String service) implements Told {}

    private final ActorContext<RouterCommand> context;
    private final TimerScheduler<RouterCommand> timers;
    private final CallbackRouter.Shared shared;
    private final Function<String, @Nullable Participant> participants;

    /** @param participants by service, those that the router has not forgotten */
    ServiceSweeps(
            ActorContext<RouterCommand> context,
            TimerScheduler<RouterCommand> timers,
            CallbackRouter.Shared shared,
            Function<String, @Nullable Participant> participants) {
        this.context = context;
        this.timers = timers;
        this.shared = shared;
        this.participants = participants;
    }

    void told(Told told) {
        switch (told) {
            case Swept swept -> swept(swept);
            case Reminded(String service) -> reminded(service);
            case Wake(String service) -> wakeAgain(service);
        }
    }

    /** Tells the sagas that wait for the service, as fast as it answers them, until all have heard. */
    void wake(String service, Participant participant) {
        participant.sweepAgain = participant.sweeping;
        if (participant.sweeping) return;
        participant.sweeping = true;
        timers.cancel(service); // Nobody needs to begin again what begins now.
        AtomicBoolean whole = new AtomicBoolean();
        SagaQuery waiting = SagaQuery.ALL.in(MAY_WAIT).of(service);
        SagaInput back = new SagaInput.ConnectService(service, participant.builds());
        sweep(waiting, back, participant::hasRoom, () -> whole.set(true), new Swept(service, whole));
    }

    private void wakeAgain(String service) {
        Participant participant = participants.apply(service);
        if (participant != null && participant.hasOpen())
            wake(service, participant); // Else whoever comes first wakes them.
    }

    private void sweep(SagaQuery query, SagaInput input, BooleanSupplier room, Runnable whole, Told then) {
        String service = query.service().orElseThrow();
        Behavior<Sweep.Command> sweep = Sweep.of(
                "Waking the sagas of service " + service,
                cursor -> {
                    shared.needs().look(service); // Before anybody is asked for what is missing.
                    Page<SagaSummary> page = shared.repository().find(query, cursor, Sweep.PAGE);
                    return new Page<>(page.items().stream().map(SagaSummary::id).toList(), page.next());
                },
                input,
                room,
                shared.sagas(),
                shared.virtualThreads(),
                whole);
        context.watchWith(context.spawnAnonymous(sweep), then);
    }

    /** A service that went and came back meanwhile has missed sagas that had been told before. */
    private void swept(Swept swept) {
        Participant participant = participants.apply(swept.service());
        if (participant == null) return;
        participant.sweeping = false;
        boolean whole = swept.whole().get();
        if (participant.sweepAgain) {
            wake(swept.service(), participant);
        } else if (!whole) {
            timers.startSingleTimer(swept.service(), new Wake(swept.service()), participant.sweepPause);
        }
        participant.sweepPause = whole ? WOKEN_AGAIN_AFTER : longer(participant.sweepPause);
    }

    private static Duration longer(Duration pause) {
        Duration twice = pause.multipliedBy(2);
        return twice.compareTo(WOKEN_AGAIN_AT_LEAST_EVERY) < 0 ? twice : WOKEN_AGAIN_AT_LEAST_EVERY;
    }

    /** Tells held sagas that the fences of the service can be asked, as fast as those answer. */
    void remind(String service, Participant participant) {
        if (!participant.canBeInquired() || !participant.inquiries.takeMissed()) return;
        SagaQuery held = SagaQuery.ALL
                .in(SagaSummary.State.SUSPENDED)
                .reason(Stuck.RESTORED)
                .of(service);
        SagaInput back = new SagaInput.ConnectService(service, participant.builds());
        sweep(held, back, participant.inquiries::hasRoom, () -> {}, new Reminded(service));
    }

    private void reminded(String service) {
        Participant participant = participants.apply(service);
        if (participant != null) participant.inquiries.sweeping = false;
    }
}
