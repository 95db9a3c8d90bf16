package io.alphaomega.server.stream;

import static io.alphaomega.server.stream.TestOmega.abort;
import static io.alphaomega.server.stream.TestOmega.begin;
import static io.alphaomega.server.stream.TestOmega.beginBranch;
import static io.alphaomega.server.stream.TestOmega.endBranch;
import static io.alphaomega.server.stream.TestOmega.input;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import akka.actor.typed.javadsl.Behaviors;
import akka.cluster.typed.Cluster;
import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.google.protobuf.ByteString;
import io.alphaomega.protocol.v1.AbortSaga;
import io.alphaomega.protocol.v1.Ack;
import io.alphaomega.protocol.v1.AskOutcome;
import io.alphaomega.protocol.v1.BeginBranch;
import io.alphaomega.protocol.v1.BeginOnce;
import io.alphaomega.protocol.v1.BeginSaga;
import io.alphaomega.protocol.v1.Callback;
import io.alphaomega.protocol.v1.CallbackOffer;
import io.alphaomega.protocol.v1.CallbackPolicy;
import io.alphaomega.protocol.v1.EndBranch;
import io.alphaomega.protocol.v1.FailBranch;
import io.alphaomega.protocol.v1.Input;
import io.alphaomega.protocol.v1.Policy;
import io.alphaomega.protocol.v1.Shards;
import io.alphaomega.repository.servers.Patience;
import io.alphaomega.repository.servers.ServerProcess;
import io.alphaomega.saga.Limits;
import io.alphaomega.saga.SagaEvent;
import io.alphaomega.saga.SagaId;
import io.alphaomega.server.properties.ClusterProperties;
import io.alphaomega.server.properties.RefusedPropertyException;
import io.alphaomega.server.saga.FaultyRepository;
import io.alphaomega.server.saga.TestNode;
import io.grpc.Status;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** Nodes that come, go and work together on one store. */
class NodesTest {
    private final FaultyRepository store = new FaultyRepository();
    private final String saga = UUID.randomUUID().toString();

    private static ConditionFactory soon() {
        return await();
    }

    private boolean hasEnded(String id) {
        return store.journal(new SagaId(id)).stream().anyMatch(SagaEvent.Ended.class::isInstance);
    }

    @Test
    void a_saga_whose_deadline_passed_while_no_node_ran_is_compensated_by_the_next() {
        Duration timeout = Duration.ofSeconds(10);
        long begun;
        try (TestAlpha before = new TestAlpha(store, TestNode.alone());
                TestOmega omega = TestOmega.welcomed(before.server.port(), "hotel", "h-1")) {
            Policy impatient =
                    Policy.newBuilder().setTimeoutMillis(timeout.toMillis()).build();
            omega.ask(input(1, saga)
                    .setBegin(BeginSaga.newBuilder().setPolicy(impatient))
                    .build());
            begun = System.nanoTime();
            omega.run(saga, "b");
        }
        assertThat(store.journal(new SagaId(saga))).noneMatch(SagaEvent.Aborted.class::isInstance);
        soon().until(() -> System.nanoTime() - begun > timeout.toNanos());

        try (TestAlpha after = new TestAlpha(store, TestNode.alone());
                TestOmega omega = TestOmega.welcomed(after.server.port(), "hotel", "h-2")) {
            omega.succeed(omega.callback());
            soon().until(() -> hasEnded(saga));
        }
    }

    @Test
    void a_node_that_stops_says_goodbye_answers_what_it_has_read_and_takes_nothing_new() {
        TestAlpha alpha = new TestAlpha(store, TestNode.alone());
        try (TestOmega omega = TestOmega.welcomed(alpha.server.port(), "hotel", "h-1")) {
            int port = alpha.server.port();
            store.hold();
            omega.send(begin(1, saga));
            soon().until(() -> !store.appends.isEmpty());

            CompletableFuture<Void> stopped = CompletableFuture.runAsync(alpha::close);
            assertThat(TestOmega.next(omega.others).hasGoAway()).isTrue();
            try (TestOmega late = new TestOmega(port, true)) {
                assertThat(late.status().getCode()).isEqualTo(Status.Code.UNAVAILABLE);
            }
            assertThat(omega.acks).isEmpty();
            store.releaseAll();

            assertThat(omega.acks(1).getFirst().hasAccepted()).isTrue();
            assertThat(omega.status().isOk()).isTrue();
            assertThat(stopped).succeedsWithin(Patience.LIMIT);
        }
    }

    @Test
    void omegas_hear_which_shards_a_node_has_at_once_and_when_that_changes() {
        try (TestAlpha alpha = new TestAlpha(store, TestNode.alone());
                TestOmega early = TestOmega.welcomed(alpha.server.port(), "hotel", "h-1")) {
            alpha.server.shards(Set.of("99", "7"));
            alpha.server.shards(Set.of("7", "99"));
            assertThat(TestOmega.next(early.others).getShards()).isEqualTo(shards(7, 99));
            try (TestOmega late = TestOmega.welcomed(alpha.server.port(), "hotel", "h-2")) {
                assertThat(TestOmega.next(late.others).getShards()).isEqualTo(shards(7, 99));
                alpha.server.shards(Set.of());
                assertThat(TestOmega.next(early.others).getShards()).isEqualTo(shards());
                assertThat(TestOmega.next(late.others).getShards()).isEqualTo(shards());
            }
        }
    }

    private static Shards shards(Integer... here) {
        return Shards.newBuilder().setCount(100).addAllHere(List.of(here)).build();
    }

    @Test
    void a_port_that_is_taken_stops_the_start_and_is_named() throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            assertThatThrownBy(idle(TestNode.at(taken.getLocalPort())).cluster::start)
                    .hasStackTraceContaining(BindException.class.getName())
                    .hasStackTraceContaining(Integer.toString(taken.getLocalPort()));
        }
    }

    @Test
    void nodes_that_look_for_each_other_become_one_cluster() {
        int first = ServerProcess.freePort();
        int second = ServerProcess.freePort();
        try (TestNode one = idle(TestNode.discovering(first, second));
                TestNode two = idle(TestNode.discovering(second, first))) {
            // Each start waits until the other node is there.
            CompletableFuture.allOf(
                            CompletableFuture.runAsync(one.cluster::start),
                            CompletableFuture.runAsync(two.cluster::start))
                    .join();
            soon().until(() ->
                    Cluster.get(one.cluster.system()).state().members().size() == 2);
            assertThat(Cluster.get(one.cluster.system()).state().getMembers())
                    .contains(Cluster.get(two.cluster.system()).selfMember());
        }
    }

    private TestNode idle(ClusterProperties place) {
        return new TestNode(store, place, new SimpleMeterRegistry(), self -> Behaviors.empty());
    }

    @Test
    void a_port_for_discovery_that_is_taken_stops_the_start_and_is_named() throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            assertThatThrownBy(idle(TestNode.discovering(taken.getLocalPort())).cluster::start)
                    .isInstanceOf(RefusedPropertyException.class)
                    .hasMessageContaining("alpha.cluster.discovery.port")
                    .hasMessageContaining(Integer.toString(taken.getLocalPort()));
        }
    }

    @Test
    void a_node_that_differs_in_what_all_must_have_in_common_is_refused_and_told_in_what() {
        int port = ServerProcess.freePort();
        try (TestAlpha one = new TestAlpha(store, TestNode.at(port, port))) {
            ClusterProperties other = TestNode.otherwise(0, port);
            ListAppender<ILoggingEvent> log = new ListAppender<>();
            Logger logger = (Logger) LoggerFactory.getLogger(akka.cluster.Cluster.class);
            log.start();
            logger.addAppender(log);
            assertThatThrownBy(() -> new TestAlpha(store, other))
                    .isInstanceOf(RefusedPropertyException.class)
                    .hasMessageContaining("alpha.cluster.name is other here but alpha in the cluster")
                    .hasMessageContaining("alpha.cluster.resolver is keep-oldest here but keep-majority in the cluster")
                    .hasMessageContaining("alpha.cluster.stable-after is 2000ms here but 1000ms in the cluster")
                    .hasMessageContaining("Start it with what the cluster has");
            logger.detachAppender(log);
            assertThat(log.list)
                    .as("Akka's own words, which recommend to join without the check")
                    .noneMatch(event -> event.getLevel().equals(Level.ERROR));
            assertThat(one.node.cluster.isRunning()).isTrue();
        }
    }

    @Test
    void two_clusters_on_one_store_decide_a_saga_once_and_both_notice_each_other() {
        try (TestAlpha one = new TestAlpha(store, TestNode.alone());
                TestAlpha two = new TestAlpha(store, TestNode.alone());
                TestOmega here = TestOmega.welcomed(one.server.port(), "booking", "b-1");
                TestOmega there = TestOmega.welcomed(two.server.port(), "booking", "b-2")) {
            assertThat(here.ask(begin(1, saga)).hasAccepted()).isTrue();
            for (int i = 0; i < 4; i++) {
                there.run(saga, "there-" + i);
                here.run(saga, "here-" + i);
            }
            assertThat(here.ask(TestOmega.end(1, saga, true)).hasCommitted()).isTrue();
            assertThat(there.ask(abort(1, saga)).hasCommitted()).isTrue();

            assertThat(one.node.cluster.hasRivals()).isTrue();
            assertThat(two.node.cluster.hasRivals()).isTrue();
            assertThat(store.journal(new SagaId(saga)))
                    .filteredOn(SagaEvent.Ended.class::isInstance)
                    .hasSize(1);
        }
    }

    @Test
    void sagas_of_all_nodes_that_wait_for_a_service_go_on_when_it_connects_to_one() {
        int first = ServerProcess.freePort();
        Policy patient = Policy.newBuilder()
                .setCallbacks(CallbackPolicy.newBuilder()
                        .setFirstDelayMillis(Duration.ofHours(1).toMillis())
                        .setMaxDelayMillis(Duration.ofHours(1).toMillis()))
                .build();
        List<String> ids = IntStream.range(0, 20).mapToObj(i -> saga + "-" + i).toList();
        try (TestAlpha one = new TestAlpha(store, TestNode.at(first, first));
                TestAlpha two = new TestAlpha(store, TestNode.at(ServerProcess.freePort(), first));
                TestOmega booking = TestOmega.welcomed(one.server.port(), "booking", "b-1")) {
            try (TestOmega hotel = TestOmega.welcomed(one.server.port(), "hotel", "h-1")) {
                for (String id : ids) {
                    assertThat(booking.ask(input(1, id)
                                            .setBegin(BeginSaga.newBuilder().setPolicy(patient))
                                            .build())
                                    .hasAccepted())
                            .isTrue();
                    hotel.run(id, "b");
                }
            }
            for (String id : ids)
                assertThat(booking.ask(abort(1, id)).hasAborted()).isTrue();
            soon().until(() -> ids.stream()
                    .allMatch(id -> store.journal(new SagaId(id)).stream()
                            .anyMatch(SagaEvent.ParticipantMissed.class::isInstance)));
            assertThat(one.node.sagasInMemory()).isPositive();
            assertThat(two.node.sagasInMemory()).isPositive();

            try (TestOmega hotel = TestOmega.welcomed(two.server.port(), "hotel", "h-2")) {
                for (int i = 0; i < ids.size(); i++) hotel.succeed(hotel.callback());
                soon().until(() -> ids.stream().allMatch(this::hasEnded));
            }
        }
    }

    @Test
    void sagas_and_callbacks_find_their_way_between_two_nodes() {
        int first = ServerProcess.freePort();
        int second = ServerProcess.freePort();
        try (TestAlpha one = new TestAlpha(store, TestNode.at(first, first));
                TestAlpha two = new TestAlpha(store, TestNode.at(second, first));
                TestOmega booking = TestOmega.welcomed(one.server.port(), "booking", "b-1");
                TestOmega hotel = TestOmega.welcomed(two.server.port(), "hotel", "h-1");
                TestOmega car = TestOmega.welcomed(two.server.port(), "car", "c-1")) {
            soon().untilAsserted(() -> assertThat(one.node.sagasInMemory() + two.node.sagasInMemory())
                    .isZero());
            for (int i = 0; i < 40; i++) {
                String id = saga + "-" + i;
                assertThat(booking.ask(begin(1, id)).hasAccepted()).isTrue();
                hotel.run(id, "b");
                assertThat(car.ask(endBranch(1, id, "b")).getRejected().getReason())
                        .as("of another service's branch, on whichever node the saga is")
                        .isEqualTo("OTHER_SERVICE");
            }
            assertThat(one.node.sagasInMemory()).isPositive();
            assertThat(two.node.sagasInMemory()).isPositive();

            for (int i = 0; i < 40; i++) {
                booking.send(abort(i, saga + "-" + i));
            }
            assertThat(booking.acks(40)).allMatch(ack -> ack.hasAborted());
            for (int i = 0; i < 40; i++) {
                Callback callback = hotel.callback();
                hotel.succeed(callback);
            }

            for (int i = 0; i < 40; i++) {
                String id = saga + "-" + i;
                soon().until(() -> hasEnded(id));
            }
        }
    }

    @Test
    void whoever_asks_any_node_is_told_how_a_saga_is_decided_and_nothing_is_stored_by_asking() {
        int first = ServerProcess.freePort();
        try (TestAlpha one = new TestAlpha(store, TestNode.at(first, first));
                TestAlpha two = new TestAlpha(store, TestNode.at(ServerProcess.freePort(), first));
                TestOmega trips = TestOmega.welcomed(one.server.port(), "trips", "t-1");
                TestOmega cars = TestOmega.welcomed(one.server.port(), "cars", "c-1");
                TestOmega hotel = TestOmega.welcomed(two.server.port(), "hotel", "h-1")) {
            String aborted = UUID.randomUUID().toString();
            for (TestOmega each : List.of(cars, hotel)) {
                Ack unknown = each.ask(askOutcome(1, saga));
                assertThat(unknown.getRejected().getReason()).isEqualTo("UNKNOWN_SAGA");
            }
            trips.ask(begin(1, saga));
            trips.ask(begin(2, aborted));
            for (TestOmega each : List.of(cars, hotel)) {
                assertThat(each.ask(askOutcome(2, saga)).hasPending()).isTrue();
            }
            trips.ask(TestOmega.end(3, saga, true));
            trips.ask(abort(4, aborted));
            int stored = store.journal(new SagaId(saga)).size();
            for (TestOmega each : List.of(cars, hotel)) {
                assertThat(each.ask(askOutcome(3, saga)).hasCommitted()).isTrue();
                assertThat(each.ask(askOutcome(4, aborted)).getAborted().getText())
                        .isEqualTo("changed my mind");
            }
            assertThat(store.journal(new SagaId(saga))).hasSize(stored);
        }
    }

    @Test
    void of_two_starts_on_two_nodes_one_begins_the_saga_and_the_other_is_told_how_it_is_decided() {
        int first = ServerProcess.freePort();
        try (TestAlpha one = new TestAlpha(store, TestNode.at(first, first));
                TestAlpha two = new TestAlpha(store, TestNode.at(ServerProcess.freePort(), first));
                TestOmega here = TestOmega.welcomed(one.server.port(), "trips", "t-1");
                TestOmega there = TestOmega.welcomed(two.server.port(), "trips", "t-2")) {
            assertThat(here.ask(beginOnce(1, "monday")).hasAccepted()).isTrue();
            assertThat(there.ask(beginOnce(1, "tuesday")).hasPending()).isTrue();
            assertThat(there.ask(beginOnce(2, "monday")).hasAccepted())
                    .as("sent again")
                    .isTrue();
            here.ask(TestOmega.end(2, saga, true));
            assertThat(there.ask(beginOnce(3, "tuesday")).hasCommitted()).isTrue();
        }
    }

    private Input beginOnce(long correlation, String start) {
        return input(correlation, saga)
                .setBeginOnce(BeginOnce.newBuilder()
                        .setBegin(BeginSaga.newBuilder().setOperation("Trips.book"))
                        .setStart(start))
                .build();
    }

    private static Input askOutcome(long correlation, String saga) {
        return input(correlation, saga)
                .setAskOutcome(AskOutcome.getDefaultInstance())
                .build();
    }

    @Test
    void an_input_that_is_too_large_is_refused_alike_wherever_its_saga_is_and_the_largest_arrives() {
        int first = ServerProcess.freePort();
        try (TestAlpha one = new TestAlpha(store, TestNode.at(first, first));
                TestAlpha two = new TestAlpha(store, TestNode.at(ServerProcess.freePort(), first));
                TestOmega hotel = TestOmega.welcomed(one.server.port(), "hotel", "h-1")) {
            List<String> ids =
                    IntStream.range(0, 20).mapToObj(i -> saga + "-" + i).toList();
            for (String id : ids) hotel.ask(begin(1, id));
            assertThat(one.node.sagasInMemory()).isPositive();
            assertThat(two.node.sagasInMemory()).isPositive();

            for (String id : ids) {
                Input largest = failing(2, id, Admission.INPUT_BYTES);
                assertThat(largest.getSerializedSize()).isEqualTo(Admission.INPUT_BYTES);
                assertThat(hotel.ask(beginBranch(1, id, "b")).hasAccepted()).isTrue();
                Ack refused = hotel.ask(failing(2, id, Admission.INPUT_BYTES + 1));
                assertThat(refused.getRejected().getReason()).isEqualTo("INVALID");
                assertThat(refused.getRejected().getText())
                        .contains("may have 81920 bytes but has 81921")
                        .contains("pass its key");
                assertThat(hotel.ask(largest).hasAccepted()).isTrue();
            }
        }
    }

    private static Input failing(long correlation, String saga, int bytes) {
        String cause = "x".repeat(bytes - 100);
        Input shorter = failing(correlation, saga, cause);
        return failing(correlation, saga, cause + "x".repeat(bytes - shorter.getSerializedSize()));
    }

    private static Input failing(long correlation, String saga, String cause) {
        return input(correlation, saga)
                .setFailBranch(
                        FailBranch.newBuilder().setBranch("b").setCause(cause).setRolledBack(true))
                .build();
    }

    @Test
    void the_largest_callback_and_the_longest_answer_find_their_way_between_two_nodes() {
        int first = ServerProcess.freePort();
        String name = "ä".repeat(Limits.NAME_CHARS);
        ByteString payload = ByteString.copyFrom(new byte[Limits.PAYLOAD_BYTES]);
        try (TestAlpha one = new TestAlpha(store, TestNode.at(first, first));
                TestAlpha two = new TestAlpha(store, TestNode.at(ServerProcess.freePort(), first));
                TestOmega booking = TestOmega.welcomed(one.server.port(), "booking", "b-1");
                TestOmega hotel = TestOmega.welcomed(two.server.port(), "hotel", "h-1")) {
            List<String> ids =
                    IntStream.range(0, 10).mapToObj(i -> saga + "-" + i).toList();
            for (String id : ids) booking.ask(begin(1, id));
            assertThat(one.node.sagasInMemory()).isPositive();
            assertThat(two.node.sagasInMemory()).isPositive();
            for (String id : ids) {
                assertThat(hotel.ask(input(2, id)
                                        .setBeginBranch(BeginBranch.newBuilder()
                                                .setBranch("b")
                                                .setOperation(name)
                                                .setCompensation(CallbackOffer.newBuilder()
                                                        .setName(name))
                                                .setFence(name)
                                                .setTraceparent(name)
                                                .setArguments(payload))
                                        .build())
                                .hasAccepted())
                        .isTrue();
                assertThat(hotel.ask(input(3, id)
                                        .setEndBranch(EndBranch.newBuilder()
                                                .setBranch("b")
                                                .setResult(payload))
                                        .build())
                                .hasAccepted())
                        .isTrue();
                Ack aborted = booking.ask(input(4, id)
                        .setAbort(AbortSaga.newBuilder().setCause("ä".repeat(10_000)))
                        .build());
                assertThat(aborted.getAborted().getText()).hasSize(Limits.REASON_CHARS);
                Callback callback = hotel.callback();
                assertThat(callback.getArguments()).isEqualTo(payload);
                assertThat(callback.getResult()).isEqualTo(payload);
                hotel.succeed(callback);
            }
            soon().until(() -> ids.stream().allMatch(this::hasEnded));
        }
    }
}
