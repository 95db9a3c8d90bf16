package io.alphaomega.server.saga;

import akka.actor.ExtendedActorSystem;
import akka.actor.typed.ActorRef;
import akka.actor.typed.javadsl.Adapter;
import io.alphaomega.protocol.v1.Ack;
import io.alphaomega.saga.SagaId;
import io.alphaomega.server.wire.MessageSerializer;
import io.alphaomega.server.wire.NodeMessages;
import io.alphaomega.server.wire.v1.Remoting;
import io.alphaomega.wire.WireAnswers;
import java.time.Duration;

/** Inputs and their answers between alpha nodes, as protobuf under chosen names: {@code remoting.proto}. */
public final class SagaSerializer extends MessageSerializer {
    /** Each node has its own. */
    private static final String NOBODY = "";

    private final ExtendedActorSystem system;

    public SagaSerializer(ExtendedActorSystem system) {
        super(811);
        this.system = system;
        format("saga.in.v1", Deliver.class, this::toSaga, Remoting.ToSaga.parser(), this::toSaga);
        format(
                "saga.out.v1",
                SagaReply.class,
                SagaSerializer::fromSaga,
                Remoting.FromSaga.parser(),
                SagaSerializer::fromSaga);
    }

    private Remoting.ToSaga toSaga(Deliver deliver) {
        return Remoting.ToSaga.newBuilder()
                .setSaga(deliver.saga().value())
                .setInput(NodeMessages.toNode(deliver.input()))
                .setCorrelation(deliver.correlation())
                .setReplyTo(
                        nobody().equals(deliver.replyTo())
                                ? NOBODY
                                : refs(system).toSerializationFormat(deliver.replyTo()))
                .build();
    }

    private Deliver toSaga(Remoting.ToSaga node) {
        ActorRef<SagaReply> replyTo =
                node.getReplyTo().equals(NOBODY) ? nobody() : refs(system).resolveActorRef(node.getReplyTo());
        return new Deliver(
                new SagaId(node.getSaga()), NodeMessages.fromNode(node.getInput()), node.getCorrelation(), replyTo);
    }

    private static Remoting.FromSaga fromSaga(SagaReply reply) {
        Remoting.Reply node =
                switch (reply.outcome()) {
                    case SagaReply.Outcome.Decided decided -> NodeMessages.toNode(decided.reply());
                    case SagaReply.Outcome.Unavailable(Duration retryAfter, String text) ->
                        Remoting.Reply.newBuilder()
                                .setAck(WireAnswers.toUnavailable(0, retryAfter, text))
                                .build();
                    case SagaReply.Outcome.Unreadable(String text) ->
                        Remoting.Reply.newBuilder()
                                .setAck(WireAnswers.toUnreadable(0, text))
                                .build();
                };
        return Remoting.FromSaga.newBuilder()
                .setSaga(reply.saga().value())
                .setCorrelation(reply.correlation())
                .setReply(node)
                .build();
    }

    private static SagaReply fromSaga(Remoting.FromSaga node) {
        Ack ack = node.getReply().getAck();
        SagaReply.Outcome outcome;
        if (ack.hasUnavailable()) {
            outcome = new SagaReply.Outcome.Unavailable(
                    Duration.ofMillis(ack.getUnavailable().getRetryAfterMillis()),
                    ack.getUnavailable().getText());
        } else if (ack.getRejected().getReason().equals(WireAnswers.JOURNAL_UNREADABLE)) {
            outcome = new SagaReply.Outcome.Unreadable(ack.getRejected().getText());
        } else {
            outcome = new SagaReply.Outcome.Decided(NodeMessages.fromNode(node.getReply()));
        }
        return new SagaReply(new SagaId(node.getSaga()), node.getCorrelation(), outcome);
    }

    private ActorRef<SagaReply> nobody() {
        return Adapter.toTyped(system).ignoreRef();
    }
}
