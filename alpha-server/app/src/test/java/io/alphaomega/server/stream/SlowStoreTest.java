package io.alphaomega.server.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.alphaomega.protocol.v1.Ack;
import io.alphaomega.protocol.v1.FromAlpha;
import io.alphaomega.protocol.v1.Input;
import io.alphaomega.server.saga.FaultyRepository;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A store that is so slow that more comes than it takes: what runs is finished, what is new is told when to come again. */
class SlowStoreTest {
    private static final int OMEGAS = 6;
    private static final int EACH = 1_000;
    private static final int RUNNING = 100;
    private static final int BATCH = 256;

    /** With more lanes their queues took more than an event loop tells sagas at a time: nothing would be refused. */
    private static final int LANES = 1;

    /** The half of the queue that begins may fill. */
    private static final int BEGINS_WAITING = 8 * BATCH;

    /** For the streams, so that they give up no input that a busy machine has not written within ten seconds. */
    private static final Clock TIMELESS = Clock.fixed(Instant.EPOCH, ZoneOffset.UTC);

    @Test
    void new_sagas_beyond_the_queue_are_refused_at_once_and_running_ones_overtake_those_that_wait() {
        FaultyRepository store = new FaultyRepository();
        try (TestAlpha alpha = new TestAlpha(store, LANES, TIMELESS);
                TestOmega first = omega(alpha, 0)) {
            first.send(inputs(RUNNING, i -> TestOmega.begin(i, "running-" + i)));
            assertThat(first.acks(RUNNING)).allMatch(Ack::hasAccepted);

            store.hold();
            List<TestOmega> omegas = IntStream.rangeClosed(1, OMEGAS)
                    .mapToObj(i -> omega(alpha, i))
                    .toList();
            for (TestOmega omega : omegas) {
                int number = omegas.indexOf(omega);
                omega.send(inputs(EACH, i -> TestOmega.begin(i, "new-" + number + "-" + i)));
            }
            await().until(() -> answered(omegas) >= OMEGAS * EACH - BEGINS_WAITING - BATCH);
            await().until(() -> alpha.node.repository.queuedItems() == BEGINS_WAITING);
            assertThat(answers(omegas))
                    .allSatisfy(ack -> assertThat(ack.getUnavailable().getRetryAfterMillis())
                            .isBetween(50L, 5_000L));
            first.send(inputs(RUNNING, i -> TestOmega.end(i, "running-" + i, true)));
            await().until(() -> alpha.node.repository.queuedItems() == BEGINS_WAITING + RUNNING);
            int before = store.appends.size();

            store.releaseAll();
            assertThat(first.acks(RUNNING)).allMatch(Ack::hasCommitted);
            await().until(() -> answered(omegas) == OMEGAS * EACH);
            List<String> written = store.appends.subList(before, store.appends.size()).stream()
                    .map(append -> append.id().value())
                    .toList();
            assertThat(written).filteredOn(SlowStoreTest::isRunning).hasSize(RUNNING);
            assertThat(written.reversed().stream().takeWhile(id -> !isRunning(id)))
                    .as("begins that waited and were overtaken")
                    .hasSize(BEGINS_WAITING);
            omegas.forEach(TestOmega::close);
        }
    }

    private static TestOmega omega(TestAlpha alpha, int number) {
        return TestOmega.welcomed(alpha.server.port(), "booking", "booking-" + number);
    }

    private static boolean isRunning(String id) {
        return id.startsWith("running-");
    }

    private static long answered(List<TestOmega> omegas) {
        return answers(omegas).size();
    }

    private static List<Ack> answers(List<TestOmega> omegas) {
        List<Ack> answers = new ArrayList<>();
        omegas.stream()
                .flatMap(omega -> Stream.of(omega.acks.toArray(new FromAlpha[0])))
                .forEach(message -> answers.addAll(message.getAcks().getAcksList()));
        return answers;
    }

    private interface Numbered {
        Input of(int number);
    }

    private static Input[] inputs(int count, Numbered input) {
        return IntStream.range(0, count).mapToObj(input::of).toArray(Input[]::new);
    }
}
