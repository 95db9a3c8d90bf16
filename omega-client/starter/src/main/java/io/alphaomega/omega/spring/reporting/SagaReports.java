package io.alphaomega.omega.spring.reporting;

import io.alphaomega.omega.AlphaUnavailableException;
import io.alphaomega.omega.SagaAbortedException;
import io.alphaomega.omega.SagaException;
import io.alphaomega.omega.SagaOutcome;
import io.alphaomega.omega.SagaOutcomeUnknownException;
import io.alphaomega.omega.SagaPendingException;
import io.alphaomega.omega.SagaRejectedException;
import io.alphaomega.omega.context.HandedOver;
import io.alphaomega.omega.context.PendingReports;
import io.alphaomega.omega.context.SagaContext;
import io.alphaomega.omega.spring.config.LogThrottle;
import io.alphaomega.omega.spring.config.OmegaProperties;
import io.alphaomega.omega.spring.method.ReturnKind;
import io.alphaomega.omega.spring.observe.OmegaMetrics;
import io.alphaomega.omega.stream.AlphaClient;
import io.alphaomega.protocol.v1.AbortSaga;
import io.alphaomega.protocol.v1.Ack;
import io.alphaomega.protocol.v1.AskOutcome;
import io.alphaomega.protocol.v1.EndSaga;
import io.alphaomega.protocol.v1.Input;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What an initiator tells alpha of the ends of its sagas, and asks about them, and what it makes of the answers. */
public final class SagaReports {
    private static final Logger log = LoggerFactory.getLogger(SagaReports.class);

    /** Alpha's reason if it has not heard of a saga, or has forgotten it. */
    private static final String UNKNOWN_SAGA = "UNKNOWN_SAGA";

    /** While alpha is away there is one for every saga that fails. */
    private final LogThrottle notAborted = new LogThrottle(Duration.ofSeconds(10));

    private final AlphaClient alpha;
    private final OmegaProperties properties;
    private final OmegaMetrics tally;
    private final SagaEvents events;
    private final OwedWork owed;

    public SagaReports(AlphaClient alpha, OmegaProperties properties, OmegaMetrics tally, SagaEvents events) {
        this.alpha = alpha;
        this.properties = properties;
        this.tally = tally;
        this.events = events;
        this.owed = new OwedWork(alpha, properties);
    }

    /**
     * Has the end of the saga wait for what has been handed over to other threads here, if anything is left.
     *
     * @param ending whether the saga ends now, and its caller waits for that
     * @throws SagaException if alpha does not hear of it: then the saga must not be committed
     */
    public void owe(SagaContext saga, boolean ending) {
        HandedOver.await(oweLater(saga, ending), saga);
    }

    /** As {@link #owe}, but this thread does not wait: the future fails with what that throws. */
    public CompletableFuture<Void> oweLater(SagaContext saga, boolean ending) {
        return owed.owe(saga, ending ? OwedWork.GRACE_OF_END : OwedWork.GRACE_OF_ANSWER);
    }

    /** Asks alpha to commit; returns only if it has, and throws the truth otherwise. */
    public void end(SagaContext saga, boolean awaitDecision) {
        if (!mustHearOfEnd(saga)) {
            tally.saga("COMMITTED");
            events.committed(saga);
            return;
        }
        Ending ending = ending(saga, awaitDecision);
        long until = System.nanoTime() + ending.patience().toNanos();
        Ack ack;
        try {
            ack = await(alpha.send(ending.input(), ending.untilDecided(), ending.patience()), until);
        } catch (AlphaUnavailableException | TimeoutException e) {
            throw undecided(saga, ending, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw unknown(saga, "The thread was interrupted while it waited for alpha's decision.", e);
        }
        requireCommitted(saga, ending, ack);
    }

    /**
     * As {@link #end}, but this thread does not wait: the future fails with what that throws. Listeners may wait, and are told
     * on {@link CallerThreads#EXECUTOR}.
     */
    public CompletableFuture<Void> endLater(SagaContext saga, boolean awaitDecision) {
        if (!saga.untold().isShared()) {
            return CompletableFuture.runAsync(() -> end(saga, awaitDecision), CallerThreads.EXECUTOR);
        }
        boolean unused = saga.untold().conclude(false);
        Ending ending = ending(saga, awaitDecision);
        return alpha.ask(ending.input(), ending.untilDecided())
                .copy()
                .orTimeout(ending.patience().toNanos(), TimeUnit.NANOSECONDS)
                .handleAsync(
                        (ack, failure) -> {
                            if (failure != null) throw undecided(saga, ending, ReturnKind.cause(failure));
                            requireCommitted(saga, ending, ack);
                            return null;
                        },
                        CallerThreads.EXECUTOR);
    }

    /**
     * @param untilDecided how long it may take until alpha knows the decision
     * @param patience how long to wait for that
     */
    private record Ending(Input input, Duration untilDecided, Duration patience) {}

    private Ending ending(SagaContext saga, boolean awaitDecision) {
        Duration untilDecided = Duration.ofNanos(Math.max(0, saga.decidedByNanos() - System.nanoTime()))
                .plus(properties.ackTimeout());
        Duration configured = properties.saga().decisionTimeout();
        Input end = saga.untold().load(endInput(saga, awaitDecision));
        return new Ending(
                end,
                untilDecided,
                configured == null || configured.compareTo(untilDecided) > 0 ? untilDecided : configured);
    }

    private SagaOutcomeUnknownException undecided(SagaContext saga, Ending ending, Throwable unanswered) {
        return unknown(
                saga,
                "Alpha did not say within " + ending.patience() + " how it is decided; it commits or aborts it at its"
                        + " timeout at the latest.",
                unanswered);
    }

    private void requireCommitted(SagaContext saga, Ending ending, Ack ack) {
        if (!ack.hasRejected()) saga.untold().told(ending.input());
        switch (ack.getOutcomeCase()) {
            case COMMITTED -> {
                tally.saga("COMMITTED");
                events.committed(saga);
            }
            case ACCEPTED ->
                tally.saga("PREPARED"); // It is nested, and listeners hear of the saga that it is a part of.
            case PENDING -> {
                tally.saga("PENDING");
                throw new SagaPendingException(saga.saga());
            }
            case ABORTED -> {
                tally.saga("ABORTED");
                events.aborted(saga, ack.getAborted().getText());
                throw Outcomes.aborted(saga.saga(), ack.getAborted());
            }
            default ->
                throw unknown(
                        saga,
                        "Alpha answered its end with " + ack.getOutcomeCase() + ".",
                        Outcomes.refusal(saga.saga(), "its end", ack));
        }
    }

    /** What has joined the saga and thrown has told alpha so; perhaps that has not arrived, and must not come too late. */
    private static Input endInput(SagaContext saga, boolean awaitDecision) {
        if (saga.untold().isAborted()) {
            return abortInput(
                    saga, "a method that had joined the saga threw, and the one that began it returned nevertheless");
        }
        return Input.newBuilder()
                .setSaga(saga.saga())
                .setEnd(EndSaga.newBuilder().setWait(awaitDecision))
                .build();
    }

    /** Concludes the saga; alpha must hear of that if somebody may have heard of the saga before. */
    private boolean mustHearOfEnd(SagaContext saga) {
        try {
            return saga.untold().conclude(false);
        } catch (SagaAbortedException aborted) {
            tally.saga("ABORTED");
            events.aborted(saga, aborted.text());
            throw aborted;
        }
    }

    /**
     * Aborts a saga because its method threw. If alpha does not answer at once it is told in the background; nobody
     * will end the saga, so that its timeout aborts it at the latest.
     */
    public void abort(SagaContext saga, Throwable thrown) {
        tally.saga("ABORTED");
        boolean unused = tellAbort(saga, thrown, events);
    }

    /**
     * Aborts a saga that has begun elsewhere because what has joined it threw. Whoever began it here cannot commit it any
     * more. If that is another service and alpha does not answer, it perhaps can: the exception says so.
     */
    public void abortJoined(SagaContext saga, Throwable thrown) {
        if (tellAbort(saga, thrown, SagaEvents.UNTOLD)) return;
        thrown.addSuppressed(new SagaException("Saga " + saga.saga()
                + " is to be aborted because of this, but alpha has not answered that; it is told in the background."
                + " Another service that began the saga and swallows this perhaps commits it before."));
    }

    /**
     * @param listeners who is told of the decision
     * @return whether alpha has answered, or need not be told
     */
    private boolean tellAbort(SagaContext saga, Throwable thrown, SagaEvents listeners) {
        if (!mustHearOfAbort(saga, thrown, listeners)) return true;
        Input abort = saga.untold().load(abortInput(saga, Outcomes.sentence(thrown)));
        Duration patience = patience(thrown);
        long until = System.nanoTime() + patience.toNanos();
        try {
            CompletableFuture<Ack> answer = alpha.send(abort, properties.resendFor(), patience);
            if (patience.isZero()) return false;
            aborted(saga, abort, thrown, await(answer, until), listeners);
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } catch (AlphaUnavailableException | TimeoutException e) {
            notAborted(saga, e);
            return false;
        }
    }

    /**
     * How long to wait for alpha, and for room to tell it in: nobody waits for an abort any longer, which happens at the
     * saga's timeout all the same. Who has just waited for alpha in vain is not kept waiting again.
     */
    private Duration patience(Throwable thrown) {
        return thrown instanceof AlphaUnavailableException ? Duration.ZERO : properties.ackTimeout();
    }

    /**
     * Asks alpha how a saga is decided.
     *
     * @throws AlphaUnavailableException if alpha does not answer within {@code omega.begin-timeout}
     * @throws SagaRejectedException if alpha cannot say: its journal of the saga is unreadable, or it is too old to be
     *     asked
     */
    public SagaOutcome outcome(String saga) {
        EventLoops.refuseWaiting("The question for the outcome of saga " + saga);
        Ack ack = alpha.call(outcomeInput(saga), properties.beginTimeout());
        return switch (ack.getOutcomeCase()) {
            case COMMITTED -> SagaOutcome.committed(saga);
            case ABORTED -> SagaOutcome.aborted(Outcomes.aborted(saga, ack.getAborted()));
            case PENDING -> SagaOutcome.open(saga);
            case REJECTED -> {
                if (ack.getRejected().getReason().equals(UNKNOWN_SAGA)) yield SagaOutcome.unknown(saga);
                throw Outcomes.refusal(saga, "the question for its outcome", ack);
            }
            default -> throw Outcomes.refusal(saga, "the question for its outcome", ack);
        };
    }

    public static Input outcomeInput(String saga) {
        return Input.newBuilder()
                .setSaga(saga)
                .setAskOutcome(AskOutcome.getDefaultInstance())
                .build();
    }

    /** As {@link #outcome(String)}, of the saga with that unique key. */
    public SagaOutcome outcome(String service, String operation, String businessKey) {
        return outcome(SagaIds.of(service, operation, businessKey));
    }

    /** The context of code that goes on in a saga that was left open, perhaps in another process. */
    public SagaContext resumed(String saga, String call) {
        Duration atMost = properties.saga().timeout().plus(SagaContext.DECISION_GRACE);
        return SagaContext.received(
                saga, "", call, System.nanoTime() + atMost.toNanos(), "", PendingReports.nothing(saga));
    }

    /** As {@link #abort(SagaContext, Throwable)}, as {@link #endLater} is as {@link #end}. */
    public CompletableFuture<Void> abortLater(SagaContext saga, Throwable thrown) {
        if (!saga.untold().isShared()) {
            return CompletableFuture.runAsync(() -> abort(saga, thrown), CallerThreads.EXECUTOR);
        }
        tally.saga("ABORTED");
        return tellAbortLater(saga, thrown, events);
    }

    /** Aborts a saga in which a branch has begun, perhaps elsewhere; otherwise as {@link #abortLater}. */
    public CompletableFuture<Void> abortJoinedLater(SagaContext saga, Throwable thrown) {
        return tellAbortLater(saga, thrown, SagaEvents.UNTOLD);
    }

    private CompletableFuture<Void> tellAbortLater(SagaContext saga, Throwable thrown, SagaEvents listeners) {
        if (!mustHearOfAbort(saga, thrown, listeners)) return CompletableFuture.completedFuture(null);
        Input abort = saga.untold().load(abortInput(saga, Outcomes.sentence(thrown)));
        Duration patience = patience(thrown);
        CompletableFuture<Ack> answer = alpha.ask(abort, properties.resendFor(), patience);
        if (patience.isZero()) return CompletableFuture.completedFuture(null);
        return answer.copy()
                .orTimeout(patience.toNanos(), TimeUnit.NANOSECONDS)
                .handleAsync(
                        (ack, failure) -> {
                            if (failure == null) aborted(saga, abort, thrown, ack, listeners);
                            else notAborted(saga, ReturnKind.cause(failure));
                            return null;
                        },
                        CallerThreads.EXECUTOR);
    }

    private static void aborted(SagaContext saga, Input abort, Throwable thrown, Ack ack, SagaEvents listeners) {
        if (!ack.hasRejected()) saga.untold().told(abort);
        if (ack.hasCommitted()) listeners.committed(saga);
        if (ack.hasAccepted()) listeners.aborted(saga, Outcomes.sentence(thrown));
        if (ack.hasAborted()) listeners.aborted(saga, ack.getAborted().getText());
        if (ack.hasCommitted() || ack.hasRejected()) {
            thrown.addSuppressed(new SagaException(
                    "Saga " + saga.saga() + " could not be aborted, alpha has decided otherwise.",
                    Outcomes.refusal(saga.saga(), "its abort", ack)));
        }
    }

    private void notAborted(SagaContext saga, Throwable unanswered) {
        String why = unanswered instanceof TimeoutException
                ? "nothing came within " + properties.ackTimeout()
                : Outcomes.sentence(unanswered);
        log.debug("{} was not aborted: {}", saga, why, unanswered);
        notAborted.log(others -> log.warn(
                "{}: alpha does not answer the abort; it aborts the saga at its timeout at the latest: {}{}",
                saga,
                why,
                others == 0 ? "" : " (and so it was with " + others + " others since this was said last)"));
    }

    /** Aborts a saga because somebody asked for it; returns when that is decided. */
    public void abort(SagaContext saga, String reason) {
        EventLoops.refuseWaiting("The abort of " + saga);
        Input abort = saga.untold().loadIfOpen(abortInput(saga, Outcomes.cut(reason)));
        Ack ack = alpha.call(abort, properties.beginTimeout());
        if (!ack.hasRejected()) saga.untold().told(abort);
        if (ack.hasAccepted() || ack.hasAborted()) return;
        if (ack.hasRejected()) {
            throw new SagaRejectedException(
                    saga.saga(),
                    ack.getRejected().getReason(),
                    ack.getRejected().getText());
        }
        throw Outcomes.refusal(saga.saga(), "its abort", ack);
    }

    /**
     * Concludes the saga; alpha must hear of that if somebody may have heard of the saga before. Where it does not answer
     * and room is scarce, the reports of what did run need it more.
     */
    private boolean mustHearOfAbort(SagaContext saga, Throwable thrown, SagaEvents listeners) {
        try {
            boolean heard = saga.untold().conclude(true);
            if (!heard) listeners.aborted(saga, Outcomes.sentence(thrown));
            return heard && !(thrown instanceof AlphaUnavailableException && alpha.isCrowded());
        } catch (SagaException committed) {
            thrown.addSuppressed(committed);
            return false;
        }
    }

    private static Input abortInput(SagaContext saga, String cause) {
        return Input.newBuilder()
                .setSaga(saga.saga())
                .setAbort(AbortSaga.newBuilder().setCause(cause))
                .build();
    }

    /**
     * Waits for the answer.
     *
     * @param until {@link System#nanoTime} at which to stop
     * @throws AlphaUnavailableException if that is how the future ends
     */
    static Ack await(CompletableFuture<Ack> answer, long until) throws InterruptedException, TimeoutException {
        try {
            return answer.get(until - System.nanoTime(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof AlphaUnavailableException unavailable) throw unavailable;
            throw new AlphaUnavailableException("Alpha's answer did not arrive.", e.getCause());
        }
    }

    private SagaOutcomeUnknownException unknown(SagaContext saga, String sentence, Throwable cause) {
        tally.saga("UNKNOWN");
        return new SagaOutcomeUnknownException(
                saga.saga(), "The outcome of saga " + saga.saga() + " is unknown. " + sentence, cause);
    }
}
