package io.alphaomega.server.golden;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import akka.actor.testkit.typed.javadsl.ActorTestKit;
import akka.actor.typed.javadsl.Adapter;
import akka.serialization.Serialization;
import akka.serialization.SerializationExtension;
import akka.serialization.SerializerWithStringManifest;
import com.google.protobuf.Message;
import com.typesafe.config.ConfigFactory;
import io.alphaomega.protocol.v1.Callback;
import io.alphaomega.server.wire.v1.Remoting;
import java.io.IOException;
import java.io.NotSerializableException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What nodes of a released version tell each other, replayed through the serializers: one file for each manifest. */
class RemotingCorpusTest {
    private static final Path REMOTING = Golden.FIRST.resolve("remoting");

    /** A manifest, its serializer's number and its message; none of them ever changes. */
    enum Format {
        SAGA_IN("saga.in.v1", 811, Remoting.ToSaga.getDefaultInstance()),
        SAGA_OUT("saga.out.v1", 811, Remoting.FromSaga.getDefaultInstance()),
        CALLBACK("callback.v1", 812, Callback.getDefaultInstance()),
        ASK_NODE("node.ask.v1", 813, Remoting.AskNode.getDefaultInstance()),
        NODE_REPORT("node.report.v1", 813, Remoting.NodeReport.getDefaultInstance()),
        ASK_INSIGHT("insight.ask.v1", 814, Remoting.AskInsight.getDefaultInstance()),
        INSIGHT("insight.v1", 814, Remoting.Insight.getDefaultInstance());

        private final String manifest;
        private final int serializer;
        private final Message type;

        Format(String manifest, int serializer, Message type) {
            this.manifest = manifest;
            this.serializer = serializer;
            this.type = type;
        }

        /** As a node finds it that is sent that number. */
        SerializerWithStringManifest serializer() {
            return (SerializerWithStringManifest)
                    SERIALIZATION.serializerByIdentity().apply(serializer);
        }

        /** What an actor of today is told. */
        String meaning(Message message) {
            return words(read(serializer(), manifest, message.toByteArray()));
        }

        List<Golden> samples() {
            return Golden.read(REMOTING.resolve(file()), type, this::meaning);
        }

        String file() {
            return manifest + ".txt";
        }
    }

    private static final ActorTestKit KIT = ActorTestKit.create(
            "alpha",
            ConfigFactory.parseString("""
                            akka.remote.artery.canonical { hostname = 127.0.0.1, port = 0 }
                            akka.loglevel = WARNING
                            """)
                    .withFallback(ConfigFactory.parseResources("akka.conf"))
                    .withFallback(ConfigFactory.load())
                    .resolve());

    private static final Serialization SERIALIZATION = SerializationExtension.get(Adapter.toClassic(KIT.system()));

    @AfterAll
    static void close() {
        KIT.shutdownTestKit();
    }

    private static Object read(SerializerWithStringManifest serializer, String manifest, byte[] bytes) {
        try {
            return serializer.fromBinary(bytes, manifest);
        } catch (NotSerializableException e) {
            throw new AssertionError(
                    "A node of 1.0 sends '%s', which is not read any more: %s".formatted(manifest, e.getMessage()), e);
        }
    }

    private static String words(Object message) {
        return message.toString().strip().replaceAll("\\s*\\n\\s*", " ");
    }

    /** @param manifest as a node of 1.0 writes it */
    private static void replay(Format format, String manifest) {
        SerializerWithStringManifest serializer = format.serializer();
        for (Golden sample : format.samples()) {
            Object message = read(serializer, manifest, sample.sent());
            assertThat(words(message)).as("'%s', read today", sample.name()).isEqualTo(sample.means());
            assertThat(serializer.toBinary(message))
                    .as("'%s', written today", sample.name())
                    .isEqualTo(sample.sent());
            assertThat(serializer.manifest(message))
                    .as("the manifest of '%s', which a node of 1.0 knows", sample.name())
                    .isEqualTo(manifest);
        }
    }

    @ParameterizedTest
    @EnumSource
    void what_a_released_node_sends_is_read_as_it_was_meant_and_sent_the_same_today(Format format) {
        assertThat(format.samples()).isNotEmpty();
        replay(format, format.manifest);
        Replay.bothWays(format.samples(), format.type, format::meaning);
    }

    @ParameterizedTest
    @EnumSource(
            names = "CALLBACK",
            mode = EnumSource.Mode.EXCLUDE) // A callback is passed on whole: its participant may know more.
    void what_a_newer_node_adds_is_skipped(Format format) {
        Replay.withFieldsOfANewerVersion(format.samples(), format.type, format::meaning);
    }

    @Test
    void every_manifest_has_its_samples_and_every_field_is_in_one() throws IOException {
        try (Stream<Path> files = Files.list(REMOTING)) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .containsExactlyInAnyOrderElementsOf(
                            Stream.of(Format.values()).map(Format::file).toList());
        }
        Sampled sampled = new Sampled();
        for (Format format : Format.values()) {
            format.samples().forEach(each -> sampled.add(each.written(format.type)));
        }
        sampled.assertWhole(
                Remoting.ToSaga.getDescriptor(),
                "alpha.v1.Input.saga", // These two are the envelope's.
                "alpha.v1.Input.correlation");
        sampled.assertWhole(Remoting.AskNode.getDescriptor());
        sampled.assertWhole(Remoting.NodeReport.getDescriptor());
        sampled.assertWhole(Remoting.AskInsight.getDescriptor());
        sampled.assertWhole(Remoting.Insight.getDescriptor());
        sampled.assertWhole(Remoting.FromSaga.getDescriptor(), "alpha.v1.Ack.correlation"); // The envelope's.
    }

    @Test
    void a_planted_change_of_a_manifest_is_found_and_named() {
        assertThatThrownBy(() -> replay(Format.SAGA_IN, "saga.in.v0"))
                .hasMessageStartingWith("A node of 1.0 sends 'saga.in.v0', which is not read any more: ");
    }
}
