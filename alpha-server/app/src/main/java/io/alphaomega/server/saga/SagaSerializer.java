package io.alphaomega.server.saga;

import akka.actor.ExtendedActorSystem;
import akka.actor.typed.ActorRef;
import akka.actor.typed.ActorRefResolver;
import akka.actor.typed.javadsl.Adapter;
import akka.serialization.SerializerWithStringManifest;
import com.google.protobuf.InvalidProtocolBufferException;
import io.alphaomega.protocol.v1.Ack;
import io.alphaomega.saga.SagaId;
import io.alphaomega.server.wire.NodeMessages;
import io.alphaomega.server.wire.v1.Remoting;
import io.alphaomega.wire.WireAnswers;
import java.io.NotSerializableException;
import java.time.Duration;

/** Inputs and their answers between alpha nodes, as protobuf under chosen names: {@code remoting.proto}. */
public final class SagaSerializer extends SerializerWithStringManifest {
    /** Akka keeps 0 to 40; fixed, because neighbouring versions run together. */
    private static final int IDENTIFIER = 811;

    private static final String TO_SAGA = "saga.in.v1";
    private static final String FROM_SAGA = "saga.out.v1";

    /** Each node has its own. */
    private static final String NOBODY = "";

    private final ExtendedActorSystem system;

    public SagaSerializer(ExtendedActorSystem system) {
        this.system = system;
    }

    @Override
    public int identifier() {
        return IDENTIFIER;
    }

    @Override
    public String manifest(Object message) {
        return switch (message) {
            case Deliver deliver -> TO_SAGA;
            case SagaReply reply -> FROM_SAGA;
            default -> throw new IllegalArgumentException(message.getClass() + " is not sent between alpha nodes");
        };
    }

    @Override
    public byte[] toBinary(Object message) {
        return switch (message) {
            case Deliver deliver -> toSaga(deliver).toByteArray();
            case SagaReply reply -> fromSaga(reply).toByteArray();
            default -> throw new IllegalArgumentException(message.getClass() + " is not sent between alpha nodes");
        };
    }

    @Override
    public Object fromBinary(byte[] bytes, String manifest) throws NotSerializableException {
        try {
            return switch (manifest) {
                case TO_SAGA -> toSaga(Remoting.ToSaga.parseFrom(bytes));
                case FROM_SAGA -> fromSaga(Remoting.FromSaga.parseFrom(bytes));
                default -> throw new NotSerializableException(manifest + " is unknown: a newer alpha has sent it");
            };
        } catch (InvalidProtocolBufferException e) {
            throw new NotSerializableException(manifest + " is damaged: " + e.getMessage());
        }
    }

    private Remoting.ToSaga toSaga(Deliver deliver) {
        return Remoting.ToSaga.newBuilder()
                .setSaga(deliver.saga().value())
                .setInput(NodeMessages.toNode(deliver.input()))
                .setCorrelation(deliver.correlation())
                .setReplyTo(
                        nobody().equals(deliver.replyTo()) ? NOBODY : refs().toSerializationFormat(deliver.replyTo()))
                .build();
    }

    private Deliver toSaga(Remoting.ToSaga node) {
        ActorRef<SagaReply> replyTo =
                node.getReplyTo().equals(NOBODY) ? nobody() : refs().resolveActorRef(node.getReplyTo());
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

    /** Not before it is needed: the system is still being made when its serializers are. */
    private ActorRefResolver refs() {
        return ActorRefResolver.get(Adapter.toTyped(system));
    }
}
