package io.alphaomega.samples.shop.campaign;

import io.alphaomega.repository.servers.Command;
import io.alphaomega.repository.servers.ServerProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A broker of Kafka, alone, by the jars that the build puts beside the shop's. */
record Broker(ServerProcess process, int port) {
    /** Names the broker's data; anything of that form. */
    private static final String CLUSTER = "c2hvcC1vZi1zYWdhcy0tLQ";

    static Broker start(Path directory) {
        int port = ServerProcess.freePort();
        Command java = Jvm.command(
                256,
                Jvm.SHOP + ":" + Jvm.directory("shop.target").resolve("broker") + "/*",
                "-Dlogback.configurationFile=broker/logback.xml");
        try {
            Path properties = Files.createDirectories(directory).resolve("server.properties");
            Files.writeString(properties, settings(port, ServerProcess.freePort(), directory.resolve("data")));
            String unused = java.with(
                            "kafka.tools.StorageTool", "format", "--cluster-id", CLUSTER, "--config", properties)
                    .run(directory);
            ServerProcess process =
                    new ServerProcess(directory, java.with("kafka.Kafka", properties), ServerProcess.listening(port));
            return new Broker(process.start(), port);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String settings(int port, int controllerPort, Path data) {
        return """
            process.roles=broker,controller
            node.id=1
            controller.quorum.voters=1@127.0.0.1:%2$d
            controller.listener.names=CONTROLLER
            listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT
            listeners=PLAINTEXT://127.0.0.1:%1$d,CONTROLLER://127.0.0.1:%2$d
            advertised.listeners=PLAINTEXT://127.0.0.1:%1$d
            log.dirs=%3$s
            offsets.topic.num.partitions=1
            offsets.topic.replication.factor=1
            transaction.state.log.replication.factor=1
            transaction.state.log.min.isr=1
            share.coordinator.state.topic.replication.factor=1
            share.coordinator.state.topic.min.isr=1
            group.initial.rebalance.delay.ms=0
            """.formatted(port, controllerPort, data);
    }
}
