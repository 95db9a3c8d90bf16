package io.alphaomega.server.node;

import akka.actor.ExtendedActorSystem;
import io.alphaomega.saga.SagaId;
import io.alphaomega.server.wire.MessageSerializer;
import io.alphaomega.server.wire.v1.Remoting;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Questions about nodes and their answers between alpha nodes, as protobuf under chosen names: {@code remoting.proto}. */
public final class NodeSerializer extends MessageSerializer {
    private final ExtendedActorSystem system;

    public NodeSerializer(ExtendedActorSystem system) {
        super(813);
        this.system = system;
        format("node.ask.v1", AskNode.class, this::wire, Remoting.AskNode.parser(), this::ask);
        format(
                "node.report.v1",
                NodeReport.class,
                NodeSerializer::wire,
                Remoting.NodeReport.parser(),
                NodeSerializer::report);
    }

    private Remoting.AskNode wire(AskNode ask) {
        return Remoting.AskNode.newBuilder()
                .setReplyTo(refs(system).toSerializationFormat(ask.replyTo()))
                .setOfStore(ask.ofStore())
                .build();
    }

    private AskNode ask(Remoting.AskNode node) {
        return new AskNode(refs(system).resolveActorRef(node.getReplyTo()), node.getOfStore());
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
}
