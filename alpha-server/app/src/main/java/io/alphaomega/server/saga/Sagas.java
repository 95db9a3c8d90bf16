package io.alphaomega.server.saga;

import akka.actor.typed.ActorRef;
import akka.actor.typed.ActorSystem;
import akka.actor.typed.javadsl.AskPattern;
import io.alphaomega.saga.Reply;
import io.alphaomega.saga.SagaId;
import io.alphaomega.saga.SagaInput;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** The way to every saga of the cluster, wherever its actor lives. */
public final class Sagas {
    /** A node starts within seconds. */
    private static final Duration STARTING = Duration.ofSeconds(2);

    private record Open(ActorSystem<?> system, ActorRef<Deliver> region) {}

    private final LocalSagas localSagas = new LocalSagas();
    private volatile @Nullable Open open;

    public void open(ActorSystem<?> system, ActorRef<Deliver> region) {
        open = new Open(system, region);
    }

    void close() {
        open = null;
    }

    /**
     * Sends an input. Its answer may get lost.
     *
     * @param detour goes through sharding even if the saga is here, so as not to overtake what the sender sent that way
     * @return whether it went through sharding
     */
    public boolean tell(Deliver deliver, boolean detour) {
        Open now = open;
        if (now == null) {
            deliver.answer(notServing());
            return false;
        }
        if (!detour && localSagas.tell(deliver)) return false;
        now.region().tell(deliver);
        return true;
    }

    /** Sends an input whose answer goes to {@code replyTo}; it may get lost. */
    public void tell(SagaId saga, SagaInput input, ActorRef<SagaReply> replyTo) {
        tell(saga, input, 0, replyTo);
    }

    /** As {@link #tell(SagaId, SagaInput, ActorRef)}, with a correlation that the answer has as well. */
    void tell(SagaId saga, SagaInput input, long correlation, ActorRef<SagaReply> replyTo) {
        Deliver deliver = new Deliver(saga, input, correlation, replyTo);
        Open now = open;
        if (now == null) deliver.answer(notServing());
        else if (!localSagas.tell(deliver)) now.region().tell(deliver);
    }

    /** The sagas of this node. */
    LocalSagas localSagas() {
        return localSagas;
    }

    /**
     * Sends an input and waits for its answer without blocking. Fails with a {@link SagaUnavailableException}, also when
     * there is no answer {@code within} that time, or with a {@link SagaUnreadableException}.
     */
    public CompletionStage<Reply> ask(SagaId saga, SagaInput input, Duration within) {
        Open now = open;
        if (now == null) return CompletableFuture.failedFuture(exception(notServing()));
        CompletionStage<SagaReply> answer = AskPattern.ask(
                now.region(),
                (ActorRef<SagaReply> replyTo) -> new Deliver(saga, input, 0, replyTo),
                within,
                now.system().scheduler());
        return answer.handle((reply, failure) -> {
                    if (failure == null) return decided(reply);
                    if (!isTimeout(failure)) return CompletableFuture.<Reply>failedFuture(failure);
                    return CompletableFuture.<Reply>failedFuture(new SagaUnavailableException(
                            "Saga %s gave no answer within %s; what becomes of the input is unknown, send it again."
                                    .formatted(saga, within),
                            STARTING));
                })
                .thenCompose(stage -> stage);
    }

    private static CompletionStage<Reply> decided(SagaReply reply) {
        return switch (reply.outcome()) {
            case SagaReply.Outcome.Decided(Reply decided) -> CompletableFuture.completedFuture(decided);
            case SagaReply.Outcome.Unavailable unavailable -> CompletableFuture.failedFuture(exception(unavailable));
            case SagaReply.Outcome.Unreadable(String text) ->
                CompletableFuture.failedFuture(new SagaUnreadableException(text));
        };
    }

    private static SagaUnavailableException exception(SagaReply.Outcome.Unavailable unavailable) {
        return new SagaUnavailableException(unavailable.text(), unavailable.retryAfter());
    }

    private static boolean isTimeout(Throwable failure) {
        return failure instanceof TimeoutException || failure.getCause() instanceof TimeoutException;
    }

    private static SagaReply.Outcome.Unavailable notServing() {
        return new SagaReply.Outcome.Unavailable(
                STARTING, "This alpha node is starting or stopping; send the input again.");
    }
}
