package io.alphaomega.wire;

import com.google.protobuf.UnsafeByteOperations;
import io.alphaomega.protocol.v1.Accepted;
import io.alphaomega.protocol.v1.Ack;
import io.alphaomega.protocol.v1.Callback;
import io.alphaomega.protocol.v1.Committed;
import io.alphaomega.protocol.v1.Pending;
import io.alphaomega.protocol.v1.Rejected;
import io.alphaomega.protocol.v1.Unavailable;
import io.alphaomega.saga.Reply;
import io.alphaomega.saga.SagaEffect;
import io.alphaomega.saga.SagaId;
import java.time.Duration;
import java.time.Instant;

/** What omegas are told: the answers to their inputs, and the callbacks they are asked to run. */
public final class WireAnswers {
    /** The reason of a rejection for what cannot be an input at all. */
    private static final String INVALID = "INVALID";

    /** The reason of a rejection by a saga that cannot be read; it is none of the rules' refusals. */
    public static final String JOURNAL_UNREADABLE = "JOURNAL_UNREADABLE";

    /** A person who is to look takes longer; the callers that wait for one ask each saga not more often. */
    public static final Duration NOT_NOW = Duration.ofSeconds(5);

    private WireAnswers() {}

    public static Ack toAck(long correlation, Reply reply) {
        Ack.Builder ack = Ack.newBuilder().setCorrelation(correlation);
        switch (reply) {
            case Reply.Accepted() -> ack.setAccepted(Accepted.getDefaultInstance());
            case Reply.Committed() -> ack.setCommitted(Committed.getDefaultInstance());
            case Reply.Pending() -> ack.setPending(Pending.getDefaultInstance());
            case Reply.Aborted aborted -> ack.setAborted(WireTerms.aborted(aborted.abort()));
            case Reply.NotNow(String text) -> {
                return toUnavailable(correlation, NOT_NOW, text);
            }
            case Reply.Rejected rejected ->
                ack.setRejected(Rejected.newBuilder()
                        .setReason(rejected.reason().name())
                        .setText(rejected.text()));
        }
        return ack.build();
    }

    /** The answer to what {@link WireInputs} refused; {@code text} is the exception's message. */
    public static Ack toInvalid(long correlation, String text) {
        return Ack.newBuilder()
                .setCorrelation(correlation)
                .setRejected(Rejected.newBuilder().setReason(INVALID).setText(text))
                .build();
    }

    /** The answer until a person has looked at the saga's journal. */
    public static Ack toUnreadable(long correlation, String text) {
        return Ack.newBuilder()
                .setCorrelation(correlation)
                .setRejected(Rejected.newBuilder().setReason(JOURNAL_UNREADABLE).setText(text))
                .build();
    }

    /** The answer while the saga's owner or the store is away or full. */
    public static Ack toUnavailable(long correlation, Duration retryAfter, String text) {
        return Ack.newBuilder()
                .setCorrelation(correlation)
                .setUnavailable(Unavailable.newBuilder()
                        .setRetryAfterMillis(Math.max(1, retryAfter.toMillis()))
                        .setText(text))
                .build();
    }

    /** A request whose time is counted from {@code now}; overdue already, it says 1 ms. */
    public static Callback toCallback(SagaId saga, SagaEffect.Call call, Instant now) {
        long within = Duration.between(now, call.answerBy()).toMillis();
        return Callback.newBuilder()
                .setSaga(saga.value())
                .setBranch(call.branch().value())
                .setKind(WireTerms.kind(call.kind()))
                .setAttempt(call.attempt())
                .setName(call.name())
                .setArguments(UnsafeByteOperations.unsafeWrap(call.arguments().bytes()))
                .setResult(UnsafeByteOperations.unsafeWrap(call.result().bytes()))
                .setForwardEnded(call.forwardEnded())
                .setFenced(call.fenced())
                .setFence(call.fence())
                .setTraceparent(call.traceparent())
                .setAnswerWithinMillis(Math.max(1, within))
                .setBegunMillisAgo(
                        Math.max(0, Duration.between(call.begunAt(), now).toMillis()))
                .setBusinessKey(call.businessKey())
                .setRetried(call.retried())
                .build();
    }

    /** Asks what the fence has of a branch. */
    public static Callback toInquiry(SagaId saga, SagaEffect.AskFence question, Duration within, Instant now) {
        return Callback.newBuilder()
                .setSaga(saga.value())
                .setBranch(question.branch().value())
                .setKind(io.alphaomega.protocol.v1.CallbackKind.INQUIRY)
                .setAttempt(1)
                .setInquired(question.callback())
                .setArguments(
                        UnsafeByteOperations.unsafeWrap(question.arguments().bytes()))
                .setFenced(true)
                .setFence(question.fence())
                .setTraceparent(question.traceparent())
                .setAnswerWithinMillis(within.toMillis())
                .setBegunMillisAgo(
                        Math.max(0, Duration.between(question.begunAt(), now).toMillis()))
                .build();
    }
}
