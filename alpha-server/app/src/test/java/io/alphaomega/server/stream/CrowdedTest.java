package io.alphaomega.server.stream;

import static io.alphaomega.server.stream.TestOmega.begin;
import static io.alphaomega.server.stream.TestOmega.beginBranch;
import static io.alphaomega.server.stream.TestOmega.end;
import static io.alphaomega.server.stream.TestOmega.endBranch;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.alphaomega.protocol.v1.Ack;
import io.alphaomega.protocol.v1.AlphaGrpc;
import io.alphaomega.protocol.v1.FromAlpha;
import io.alphaomega.protocol.v1.FromOmega;
import io.alphaomega.protocol.v1.Hello;
import io.alphaomega.protocol.v1.Input;
import io.alphaomega.server.saga.FaultyRepository;
import io.alphaomega.server.saga.ShiftedClock;
import io.alphaomega.server.saga.TestNode;
import io.grpc.ConnectivityState;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.time.Clock;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Streams that together hold as much as their node has memory for. */
class CrowdedTest {
    private final FaultyRepository store = new FaultyRepository();
    private final ShiftedClock clock = new ShiftedClock(Duration.ZERO);
    private final String saga = UUID.randomUUID().toString();

    /** With nothing to lend: each stream has its own. */
    private TestAlpha alpha(int streams) {
        return new TestAlpha(store, TestNode.alone(), true, new Budget(streams, 0), clock);
    }

    private static Input[] inputs(int count, Numbered input) {
        return IntStream.range(0, count).mapToObj(input::of).toArray(Input[]::new);
    }

    private interface Numbered {
        Input of(int number);
    }

    private static double refused(TestAlpha alpha, String what) {
        return alpha.node.count("alpha.stream.refused", "what", what);
    }

    @Test
    void a_stream_for_which_there_is_no_room_is_refused_with_a_sentence_until_another_has_gone() {
        try (TestAlpha alpha = alpha(2);
                TestOmega first = TestOmega.welcomed(alpha.server.port(), "hotel", "h-1");
                TestOmega second = TestOmega.welcomed(alpha.server.port(), "hotel", "h-2");
                TestOmega third = new TestOmega(alpha.server.port(), true)) {
            assertThat(third.status().getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
            assertThat(third.status().getDescription())
                    .contains("has 2 streams")
                    .contains("connect to another");
            assertThat(refused(alpha, "stream")).isEqualTo(1);
            assertThat(first.ask(begin(1, saga)).hasAccepted()).isTrue();

            second.vanish();

            await().until(() -> {
                try (TestOmega fourth = new TestOmega(alpha.server.port(), true)) {
                    fourth.hello("hotel", "h-4");
                    await().until(() -> !fourth.others.isEmpty() || fourth.ended.isDone());
                    return !fourth.ended.isDone();
                }
            });
        }
    }

    @Test
    void a_connection_whose_streams_are_refused_opens_no_more_until_there_may_be_room() {
        try (TestAlpha alpha = alpha(1);
                TestOmega only = TestOmega.welcomed(alpha.server.port(), "hotel", "h-1")) {
            ManagedChannel one = channel(alpha);
            for (int i = 0; i < RefusedStreams.REFUSED_MOST; i++) {
                TestOmega refused = new TestOmega(one, true);
                assertThat(refused.status().getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
            }

            TestOmega waits = new TestOmega(one, true);
            waits.hello("hotel", "h-2");
            only.vanish();

            assertThat(waits.welcome().getNode()).isNotEmpty();
            assertThat(waits.ask(begin(1, saga)).hasAccepted()).isTrue();
            assertThat(refused(alpha, "stream")).isEqualTo(RefusedStreams.REFUSED_MOST);
            one.shutdownNow();
        }
    }

    @Test
    void who_holds_all_that_it_may_is_to_send_again_and_others_go_on() {
        try (TestAlpha alpha = alpha(10);
                TestOmega greedy = TestOmega.welcomed(alpha.server.port(), "hotel", "h-1");
                TestOmega modest = TestOmega.welcomed(alpha.server.port(), "hotel", "h-2")) {
            store.hold();
            greedy.send(inputs(500, i -> begin(i, saga + "-" + i)));
            Ack refused = greedy.acks(1).getFirst();
            assertThat(refused.getUnavailable().getText()).contains("no memory").contains("send it again");
            assertThat(refused.getUnavailable().getRetryAfterMillis()).isPositive();
            int taken = 500 - (int) refused(alpha, "input");
            assertThat(taken).isBetween(10, 40);
            modest.send(inputs(10, i -> begin(i, "modest-" + i)));
            greedy.send(begin(1_000, saga)); // Read when there is room again.
            await().until(() -> alpha.node.repository.queuedItems() > 0);

            store.releaseAll();

            assertThat(modest.acks(10)).allMatch(Ack::hasAccepted);
            assertThat(greedy.acks(taken + 1)).filteredOn(Ack::hasAccepted).hasSizeGreaterThan(10);
            await().until(() -> greedy.ask(begin(1_001, saga)).hasAccepted());
        }
    }

    @Test
    void one_input_does_not_wait_behind_the_backlogs_of_busy_streams() {
        int each = 1_000;
        int streams = FairShare.UNDER_WAY / each + 1;
        try (TestAlpha alpha = new TestAlpha(store, TestNode.alone())) {
            ManagedChannel oneLoop = channel(alpha);
            List<TestOmega> busy = IntStream.range(0, streams)
                    .mapToObj(stream -> welcomed(oneLoop, "busy-" + stream))
                    .toList();
            TestOmega modest = welcomed(oneLoop, "modest");
            store.hold();
            for (int stream = 0; stream < streams; stream++) {
                String name = "busy-" + stream + "-";
                busy.get(stream).send(inputs(each, i -> begin(i, name + i)));
            }
            await().until(() -> alpha.node.count("alpha.stream.inputs", "kind", "well-formed") == streams * each);
            modest.send(begin(1, saga));

            await().until(() -> alpha.node.sagasInMemory() == FairShare.UNDER_WAY + 1);
            store.releaseAll();

            assertThat(modest.acks(1)).allMatch(Ack::hasAccepted);
            for (TestOmega omega : busy) assertThat(omega.acks(each)).hasSize(each);
            oneLoop.shutdownNow();
        }
    }

    @Test
    void one_input_does_not_wait_behind_a_busy_stream_either_once_a_stream_was_refused() {
        Clock still = Clock.fixed(clock.instant(), ZoneOffset.UTC); // So it stays crowded.
        Budget two = new Budget(2, Integer.MAX_VALUE);
        try (TestAlpha alpha = new TestAlpha(store, TestNode.alone(), true, two, still)) {
            ManagedChannel oneLoop = channel(alpha);
            TestOmega busy = welcomed(oneLoop, "busy");
            TestOmega modest = welcomed(oneLoop, "modest");
            TestOmega refused = new TestOmega(oneLoop, true);
            assertThat(refused.status().getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
            store.hold();
            modest.send(begin(1, saga));
            await().until(() -> alpha.node.sagasInMemory() == 1);

            busy.send(inputs(1_000, i -> begin(i, "busy-" + i)));
            await().until(() -> alpha.node.count("alpha.stream.inputs", "kind", "well-formed") == 1_001);

            await().until(() -> alpha.node.sagasInMemory() == 1 + FairShare.UNDER_WAY_PACED);
            store.releaseAll();
            assertThat(modest.acks(1)).allMatch(Ack::hasAccepted);
            assertThat(busy.acks(1_000)).hasSize(1_000).allMatch(Ack::hasAccepted);
            oneLoop.shutdownNow();
        }
    }

    private static TestOmega welcomed(ManagedChannel channel, String instance) {
        TestOmega omega = new TestOmega(channel, true);
        omega.hello("hotel", instance);
        assertThat(omega.welcome().getNode()).isNotEmpty();
        return omega;
    }

    @Test
    void who_waits_for_decisions_does_not_keep_out_what_they_wait_for() {
        try (TestAlpha alpha = alpha(10);
                TestOmega omega = TestOmega.welcomed(alpha.server.port(), "hotel", "h-1")) {
            int sagas = 100;
            for (int i = 0; i < sagas; i++) {
                omega.send(begin(1, saga + "-" + i), beginBranch(2, saga + "-" + i, "b"));
                assertThat(omega.acks(2)).allMatch(Ack::hasAccepted);
            }
            omega.send(inputs(sagas, i -> end(i, saga + "-" + i, true)));
            await().until(() -> refused(alpha, "input") > 0);

            List<Ack> acks = new ArrayList<>();
            for (int i = 0; i < sagas; i++) {
                int number = 1_000 + i;
                omega.send(endBranch(number, saga + "-" + i, "b"));
                while (acks.stream().noneMatch(ack -> ack.getCorrelation() == number)) acks.addAll(omega.acks(1));
            }
            acks.addAll(omega.acks(2 * sagas - acks.size()));
            assertThat(acks).filteredOn(ack -> ack.getCorrelation() >= 1_000).allMatch(Ack::hasAccepted);
            assertThat(acks)
                    .filteredOn(ack -> ack.getCorrelation() < 1_000)
                    .allMatch(ack -> ack.hasCommitted() || ack.hasUnavailable())
                    .anyMatch(Ack::hasCommitted);
        }
    }

    @Test
    void who_reads_nothing_for_long_is_not_waited_for_and_its_place_is_free() {
        try (TestAlpha alpha = alpha(1);
                TestOmega deaf = new TestOmega(alpha.server.port(), false)) {
            deaf.hello("hotel", "h-1");
            AtomicInteger sent = new AtomicInteger();
            await().until(() -> {
                while (deaf.out.isReady()) {
                    String another = UUID.randomUUID().toString();
                    deaf.send(inputs(100, i -> begin(sent.incrementAndGet(), another)));
                }
                clock.shift(clock.ahead().plus(Conversation.READ_WITHIN));
                return refused(alpha, "unread") == 1;
            });
            await().until(() -> {
                try (TestOmega next = new TestOmega(alpha.server.port(), true)) {
                    next.hello("hotel", "h-2");
                    await().until(() -> !next.others.isEmpty() || next.ended.isDone());
                    return !next.ended.isDone();
                }
            });
        }
    }

    @Test
    void one_connection_has_so_many_streams_and_a_further_one_waits_in_the_client() {
        try (TestAlpha alpha = alpha(1_000)) {
            ManagedChannel channel = channel(alpha);
            List<StreamObserver<FromOmega>> streams = new ArrayList<>();
            AtomicInteger welcomed = new AtomicInteger();
            for (int i = 0; i <= GrpcServer.CONNECTION_STREAMS; i++) streams.add(said(channel, "h-" + i, welcomed));
            await().until(() -> welcomed.get() == GrpcServer.CONNECTION_STREAMS);

            streams.getFirst().onCompleted();

            await().until(() -> welcomed.get() == GrpcServer.CONNECTION_STREAMS + 1);
            channel.shutdownNow();
        }
    }

    @Test
    void a_connection_without_a_stream_is_closed() {
        try (TestAlpha alpha = alpha(10)) {
            ManagedChannel channel = channel(alpha);
            channel.getState(true);
            await().until(() -> channel.getState(false) == ConnectivityState.READY);

            await().until(() -> channel.getState(false) == ConnectivityState.IDLE);
            channel.shutdownNow();
        }
    }

    private static ManagedChannel channel(TestAlpha alpha) {
        return ManagedChannelBuilder.forAddress("127.0.0.1", alpha.server.port())
                .usePlaintext()
                .build();
    }

    private static StreamObserver<FromOmega> said(ManagedChannel channel, String instance, AtomicInteger welcomed) {
        StreamObserver<FromOmega> out = AlphaGrpc.newStub(channel).connect(new StreamObserver<>() {
            @Override
            public void onNext(FromAlpha message) {
                if (message.hasWelcome()) welcomed.incrementAndGet();
            }

            @Override
            public void onError(Throwable failure) {}

            @Override
            public void onCompleted() {}
        });
        out.onNext(FromOmega.newBuilder()
                .setHello(Hello.newBuilder().setService("hotel").setInstance(instance))
                .build());
        return out;
    }
}
