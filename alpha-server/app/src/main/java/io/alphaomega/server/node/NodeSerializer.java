package io.alphaomega.server.node;

import akka.actor.ExtendedActorSystem;
import akka.actor.typed.ActorRefResolver;
import akka.actor.typed.javadsl.Adapter;
import akka.serialization.SerializerWithStringManifest;
import com.google.protobuf.InvalidProtocolBufferException;
import io.alphaomega.saga.SagaId;
import io.alphaomega.server.wire.v1.Remoting;
import java.io.NotSerializableException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Questions about nodes and their answers between alpha nodes, as protobuf under chosen names: {@code remoting.proto}. */
public final class NodeSerializer extends SerializerWithStringManifest {
    /** Akka keeps 0 to 40; fixed, because neighbouring versions run together. */
    private static final int IDENTIFIER = 813;

    private static final String ASK = "node.ask.v1";
    private static final String REPORT = "node.report.v1";

    private final ExtendedActorSystem system;

    public NodeSerializer(ExtendedActorSystem system) {
        this.system = system;
    }

    @Override
    public int identifier() {
        return IDENTIFIER;
    }

    @Override
    public String manifest(Object message) {
        return switch (message) {
            case AskNode ask -> ASK;
            case NodeReport report -> REPORT;
            default -> throw new IllegalArgumentException(message.getClass() + " is not sent between alpha nodes");
        };
    }

    @Override
    public byte[] toBinary(Object message) {
        return switch (message) {
            case AskNode ask ->
                Remoting.AskNode.newBuilder()
                        .setReplyTo(refs().toSerializationFormat(ask.replyTo()))
                        .setOfStore(ask.ofStore())
                        .build()
                        .toByteArray();
            case NodeReport report -> wire(report).toByteArray();
            default -> throw new IllegalArgumentException(message.getClass() + " is not sent between alpha nodes");
        };
    }

    @Override
    public Object fromBinary(byte[] bytes, String manifest) throws NotSerializableException {
        try {
            return switch (manifest) {
                case ASK -> ask(Remoting.AskNode.parseFrom(bytes));
                case REPORT -> report(Remoting.NodeReport.parseFrom(bytes));
                default -> throw new NotSerializableException(manifest + " is unknown: a newer alpha has sent it");
            };
        } catch (InvalidProtocolBufferException e) {
            throw new NotSerializableException(manifest + " is damaged: " + e.getMessage());
        }
    }

    private AskNode ask(Remoting.AskNode node) {
        return new AskNode(refs().resolveActorRef(node.getReplyTo()), node.getOfStore());
    }

    private static Remoting.NodeReport wire(NodeReport report) {
        Remoting.NodeReport.Builder node = Remoting.NodeReport.newBuilder()
                .setVersion(report.version())
                .setUptimeMillis(report.uptime().toMillis())
                .setSagas(report.sagas())
                .setShards(report.shards())
                .setStreams(report.streams())
                .setCluster(report.cluster())
                .addAllMembers(report.members())
                .setSettled(report.settled());
        report.storedAgo().ifPresent(ago -> node.setStoredMillisAgo(ago.toMillis()));
        report.storedSaga().ifPresent(saga -> node.setStoredSaga(saga.value()));
        report.clock().ifPresent(clock -> node.setClockMillis(clock.toEpochMilli()));
        return node.build();
    }

    private static NodeReport report(Remoting.NodeReport node) {
        return new NodeReport(
                node.getVersion(),
                Duration.ofMillis(node.getUptimeMillis()),
                node.getSagas(),
                node.getShards(),
                node.getStreams(),
                node.getCluster(),
                List.copyOf(node.getMembersList()),
                node.hasStoredMillisAgo()
                        ? Optional.of(Duration.ofMillis(node.getStoredMillisAgo()))
                        : Optional.empty(),
                Optional.of(node.getStoredSaga())
                        .filter(saga -> !saga.isEmpty())
                        .map(SagaId::new),
                node.getSettled(),
                node.hasClockMillis() ? Optional.of(Instant.ofEpochMilli(node.getClockMillis())) : Optional.empty());
    }

    /** Not before it is needed: the system is still being made when its serializers are. */
    private ActorRefResolver refs() {
        return ActorRefResolver.get(Adapter.toTyped(system));
    }
}
