package io.alphaomega.server.insight;

import static org.assertj.core.api.Assertions.assertThat;

import akka.actor.testkit.typed.javadsl.ActorTestKit;
import akka.actor.testkit.typed.javadsl.TestProbe;
import akka.actor.typed.javadsl.Adapter;
import akka.serialization.Serialization;
import akka.serialization.SerializationExtension;
import akka.serialization.SerializerWithStringManifest;
import com.typesafe.config.ConfigFactory;
import io.alphaomega.repository.SagaCounts;
import io.alphaomega.repository.SagaSummary.State;
import io.alphaomega.saga.BranchId;
import io.alphaomega.saga.Operator;
import io.alphaomega.saga.Outcome;
import io.alphaomega.saga.SagaId;
import io.alphaomega.saga.Stuck;
import io.alphaomega.server.bulk.BulkOrder;
import io.alphaomega.server.bulk.BulkStatus;
import io.alphaomega.server.bulk.BulkTask;
import io.alphaomega.server.meters.Waits;
import io.alphaomega.server.saga.SagaMetrics.Totals;
import io.alphaomega.server.stream.CallbackNeeds.Lack;
import io.alphaomega.server.stream.Instances.Instance;
import io.alphaomega.server.sweep.StuckSaga;
import io.alphaomega.server.sweep.StuckSagas.Group;
import io.alphaomega.server.sweep.StuckSagas.Kind;
import io.alphaomega.server.wire.v1.Remoting;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What nodes tell each other for people to see arrives as it was told, and always fits into a message. */
class InsightSerializerTest {
    /** What {@code akka.conf} lets pass between nodes. */
    private static final int MESSAGE_BYTES = 512 * 1024;

    private static final Instant THEN = Instant.parse("2026-11-20T09:00:00.123Z");

    private final ActorTestKit kit = ActorTestKit.create(ConfigFactory.load("akka"));
    private final Serialization serialization = SerializationExtension.get(Adapter.toClassic(kit.system()));

    @AfterEach
    void close() {
        kit.shutdownTestKit();
    }

    private byte[] bytes(Object message) {
        return serialization.serialize(message).get();
    }

    private Object through(Object message) {
        var serializer = (SerializerWithStringManifest) serialization.findSerializerFor(message);
        return serialization
                .deserialize(bytes(message), serializer.identifier(), serializer.manifest(message))
                .get();
    }

    private static StuckSaga saga(String id, String name) {
        return new StuckSaga(
                new SagaId(id),
                7,
                State.COMPENSATING,
                name,
                name,
                name,
                new Stuck(
                        Stuck.Reason.NO_PARTICIPANT,
                        "",
                        name,
                        Optional.of(new BranchId("b")),
                        Optional.of(name),
                        THEN,
                        THEN),
                Optional.of(Outcome.COMPENSATED));
    }

    private static BulkOrder order(String id) {
        return order(id, new BulkTask.Retry(chosen(Stuck.Reason.FAILING, Optional.empty(), id)));
    }

    private static BulkOrder order(String id, BulkTask task) {
        return new BulkOrder(id, new Operator("ann", "deployed"), task, THEN, 50, false);
    }

    private static BulkTask.Chosen chosen(Stuck.Reason reason, Optional<String> detail, String service) {
        return new BulkTask.Chosen(reason, detail, Optional.of(service), THEN);
    }

    private static List<BulkTask> tasks() {
        BulkTask.Chosen chosen = chosen(Stuck.Reason.SUSPENDED, Optional.of("UNDECODABLE"), "hotel");
        return List.of(
                new BulkTask.Retry(chosen),
                new BulkTask.Skip(chosen),
                new BulkTask.Resolve(chosen, Outcome.COMMITTED),
                new BulkTask.Abort(Optional.of("hotel"), Optional.empty(), THEN),
                new BulkTask.Abort(Optional.empty(), Optional.of("Trips.book"), THEN.minusSeconds(1)));
    }

    @Test
    void an_answer_arrives_as_it_was_told() {
        Kind kind = new Kind(Stuck.Reason.SUSPENDED, "UNDECODABLE", "hotel", Optional.empty());
        Kind waits = new Kind(Stuck.Reason.NO_PARTICIPANT, "", "car", Optional.empty());
        Insight insight = new Insight(
                List.of(new Insight.Service(
                        "hotel",
                        new TreeSet<>(Set.of("Rooms.cancel")),
                        List.of(new Lack("Rooms.free", 7, true)),
                        List.of(new Insight.Seen("hotel-1", "1.0", "2.1-3f2a9c1b", 2, THEN, THEN.plusSeconds(1))),
                        3)),
                new Rates(THEN.getEpochSecond(), List.of(new Totals(1, 2, 3, 4), new Totals(5, 6, 7, 8))),
                new Waits(new TreeMap<>(Map.of(250L, 0L, 500L, 3L, Waits.LONGER, 1L))),
                new Waits(new TreeMap<>(Map.of(500L, 4L))),
                Optional.of(new StuckView(
                        THEN,
                        true,
                        true,
                        new SagaCounts(Map.of(State.ACTIVE, 7L)),
                        Optional.of(THEN.minusSeconds(60)),
                        9,
                        List.of(new Group(kind, 4, THEN)),
                        List.of(saga("s", "car")),
                        Optional.of(new StuckView.Weight(7, 2)),
                        List.of(new Group(waits, 5, THEN)),
                        6)),
                List.of(
                        new BulkStatus(order("one"), Optional.of(new BulkStatus.Progress(1, 2, 3, true, true))),
                        new BulkStatus(
                                order("three"),
                                Optional.of(new BulkStatus.Progress(10, 0, 0, false, true)),
                                Optional.of(new BulkStatus.Fate(THEN, 1, 2, 3, 4, List.of("hotel")))),
                        new BulkStatus(order("two"), Optional.empty())),
                Set.of("RETRY", "SKIP"),
                Optional.of(new Standing(
                        Optional.of(THEN), 33, Map.of("b:25520", THEN), Optional.of(new Standing.Backlog(17, true)))));

        assertThat(through(insight)).isEqualTo(insight);
        Insight little = new Insight(
                List.of(),
                new Rates(1, List.of()),
                Waits.NONE,
                Waits.NONE,
                Optional.empty(),
                List.of(),
                Insight.RETRIES_ONLY,
                Optional.empty());
        assertThat(through(little)).isEqualTo(little);
    }

    @Test
    void a_question_arrives_as_it_was_asked() {
        TestProbe<Insight> asks = kit.createTestProbe();
        AskInsight ask = new AskInsight(
                asks.ref(),
                new StuckFilter(Optional.of(Stuck.Reason.FAILING), Optional.of("hotel"), Optional.empty(), 17),
                Optional.of(new BulkStatus(order("o"), Optional.of(new BulkStatus.Progress(1, 2, 3, true, true)))));

        assertThat(through(ask)).isEqualTo(ask);
        for (BulkTask task : tasks()) {
            Optional<BulkTask.OfStuck> weighed =
                    task instanceof BulkTask.OfStuck stuck ? Optional.of(stuck) : Optional.empty();
            AskInsight order = new AskInsight(
                    asks.ref(),
                    new StuckFilter(Optional.empty(), Optional.empty(), weighed, 20),
                    Optional.of(new BulkStatus(order("o", task), Optional.empty())));
            assertThat(through(order)).isEqualTo(order);
        }
    }

    @Test
    void a_node_that_knows_retries_only_takes_nothing_else_for_one() {
        for (BulkTask task : tasks()) {
            Remoting.BulkRetry wire = BulkWire.wire(order("o", task)).build();
            assertThat(wire.getReason())
                    .as("it looks for the sagas of this reason, and there is none of this name")
                    .isEmpty();
        }
        assertThat(BulkWire.wire(order("o")).getReason()).isEqualTo("FAILING");
    }

    @Test
    void the_largest_answer_fits_into_a_message() {
        String name = "語".repeat(250); // As long as a name may be, and each letter three bytes.
        List<Instance> instances = new ArrayList<>();
        for (int service = 0; service < 300; service++) {
            for (int i = 0; i < 60; i++) {
                instances.add(new Instance(
                        service + name,
                        i + name,
                        "1.0",
                        name,
                        Set.of(service + "a" + name, i + "b" + name),
                        1,
                        THEN,
                        THEN));
            }
        }
        List<Group> groups = new ArrayList<>();
        List<StuckSaga> sagas = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            groups.add(new Group(new Kind(Stuck.Reason.FAILING, "", i + name, Optional.of(name)), 1, THEN));
            sagas.add(saga("s" + i, name));
        }
        List<BulkStatus> bulk = new ArrayList<>();
        for (int i = 0; i < 300; i++) bulk.add(new BulkStatus(order(i + name), Optional.empty()));
        List<Totals> seconds = new ArrayList<>();
        for (int i = 0; i < Rates.SECONDS_MAX; i++) seconds.add(new Totals(50_000, 50_000, 50_000, 50_000));
        Insight insight = Insight.of(
                instances,
                service -> List.of(new Lack("a" + name, 1, false), new Lack("b" + name, 1, false)),
                new Rates(1, seconds),
                Waits.NONE,
                Waits.NONE,
                Optional.of(new StuckView(
                        THEN,
                        false,
                        false,
                        new SagaCounts(Map.of()),
                        Optional.empty(),
                        300,
                        groups,
                        sagas,
                        Optional.of(new StuckView.Weight(300, 0)),
                        groups,
                        0)),
                bulk,
                new Standing(Optional.of(THEN), 0, Map.of(), Optional.empty()));

        assertThat(bytes(insight)).hasSizeLessThan(MESSAGE_BYTES);
        assertThat(insight.services()).isNotEmpty();
        assertThat(insight.stuck()).hasValueSatisfying(stuck -> {
            assertThat(stuck.groups()).isNotEmpty();
            assertThat(stuck.sagas()).isNotEmpty();
        });
    }
}
