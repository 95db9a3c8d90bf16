package io.alphaomega.server.saga;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import akka.actor.testkit.typed.javadsl.ActorTestKit;
import akka.actor.testkit.typed.javadsl.TestProbe;
import akka.actor.typed.javadsl.Adapter;
import akka.serialization.Serialization;
import akka.serialization.SerializationExtension;
import akka.serialization.Serializers;
import com.typesafe.config.ConfigFactory;
import io.alphaomega.saga.Reply;
import io.alphaomega.saga.SagaId;
import io.alphaomega.saga.SagaInput;
import io.alphaomega.server.RandomValues;
import java.io.NotSerializableException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What nodes tell each other arrives as it was sent, and under names that are chosen for good. */
class SagaSerializerTest {
    private static final SagaId SAGA = new SagaId("s-1");

    private final ActorTestKit kit = ActorTestKit.create(
            "serializer",
            ConfigFactory.parseString("akka.actor.provider = local")
                    .withFallback(ConfigFactory.parseResources("akka.conf"))
                    .withFallback(ConfigFactory.load())
                    .resolve());
    private final Serialization serialization = SerializationExtension.get(Adapter.toClassic(kit.system()));

    @AfterEach
    void close() {
        kit.shutdownTestKit();
    }

    private Object afterTheWire(Object message) {
        byte[] bytes = serialization.serialize(message).get();
        int serializer = serialization.findSerializerFor(message).identifier();
        String manifest = Serializers.manifestFor(serialization.findSerializerFor(message), message);
        return serialization.deserialize(bytes, serializer, manifest).get();
    }

    private SagaSerializer serializer() {
        try {
            return (SagaSerializer) serialization.serializerFor(SagaReply.class);
        } catch (NotSerializableException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void every_kind_of_input_arrives_with_whom_to_answer() {
        RandomValues random = new RandomValues(20261120);
        TestProbe<SagaReply> caller = kit.createTestProbe();
        for (Class<?> kind : RandomValues.cases(SagaInput.class)) {
            Deliver sent = new Deliver(SAGA, (SagaInput) random.next(kind), 42, caller.getRef());
            assertThat(afterTheWire(sent)).isEqualTo(sent);
        }
    }

    @Test
    void an_input_that_nobody_waits_for_arrives() {
        Deliver sent = new Deliver(SAGA, new SagaInput.Tick(), 0, kit.system().ignoreRef());

        assertThat(afterTheWire(sent)).isEqualTo(sent);
    }

    @Test
    void every_kind_of_answer_arrives() {
        RandomValues random = new RandomValues(20261120);
        List<SagaReply.Outcome> outcomes = new ArrayList<>();
        for (Class<?> kind : RandomValues.cases(Reply.class)) {
            if (kind == Reply.NotNow.class) continue; // A saga says it as Unavailable.
            outcomes.add(new SagaReply.Outcome.Decided((Reply) random.next(kind)));
        }
        outcomes.add(new SagaReply.Outcome.Unavailable(Duration.ofMillis(1_500), "the store is down"));
        outcomes.add(new SagaReply.Outcome.Unreadable("event 3 is damaged"));
        for (SagaReply.Outcome outcome : outcomes) {
            SagaReply sent = new SagaReply(SAGA, 42, outcome);
            assertThat(afterTheWire(sent)).isEqualTo(sent);
        }
    }

    @Test
    void what_a_newer_node_sends_is_refused_and_not_guessed() {
        SagaSerializer serializer = serializer();

        assertThatThrownBy(() -> serializer.fromBinary(new byte[0], "saga.in.v2"))
                .hasMessageContaining("saga.in.v2");
        assertThatThrownBy(() -> serializer.fromBinary(new byte[] {-1}, "saga.in.v1"))
                .hasMessageContaining("damaged");
    }

    @Test
    void the_names_of_messages_are_fixed_because_neighbouring_versions_run_together() {
        SagaSerializer serializer = serializer();
        Deliver deliver =
                new Deliver(SAGA, new SagaInput.Tick(), 0, kit.system().ignoreRef());
        SagaReply reply = new SagaReply(SAGA, 1, new SagaReply.Outcome.Unreadable(""));

        assertThat(serializer.identifier()).isEqualTo(811);
        assertThat(serializer.manifest(deliver)).isEqualTo("saga.in.v1");
        assertThat(serializer.manifest(reply)).isEqualTo("saga.out.v1");
    }

    @Test
    void a_saga_is_in_the_same_shard_on_every_node_of_every_version() {
        SagaSharding.BySaga sharding = new SagaSharding.BySaga();

        assertThat(SagaSharding.SHARDS).isEqualTo(100);
        assertThat(sharding.shardId("s-1")).isEqualTo("59");
        assertThat(sharding.entityId(
                        new Deliver(SAGA, new SagaInput.Tick(), 0, kit.system().ignoreRef())))
                .isEqualTo("s-1");
    }
}
