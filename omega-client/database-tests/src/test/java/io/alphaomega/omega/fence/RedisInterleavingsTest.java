package io.alphaomega.omega.fence;

import static org.assertj.core.api.Assertions.assertThat;

import io.alphaomega.omega.fence.Forward.Verdict;
import io.alphaomega.repository.servers.RedisServer;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Phaser;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Calls, their repetitions and their compensations race over connections of their own. */
class RedisInterleavingsTest {
    /** Of those that race for one branch: a call and a compensation, each of them twice. */
    private static final int RACERS = 4;

    private static final Random ORDER = new Random(7);

    private static final RedisServer SERVER = RedisServer.start();
    private static RedisClient client;

    private final AtomicInteger ranFirst = new AtomicInteger();

    @BeforeAll
    static void start() {
        client = RedisClient.create(RedisURI.create("127.0.0.1", SERVER.port()));
    }

    @AfterAll
    static void stop() {
        client.shutdown();
        SERVER.close();
    }

    @Test
    void each_of_some_hundreds_ends_with_nothing_booked_and_all_told_the_truth() throws Exception {
        race(400);
    }

    @Test
    @Tag("long")
    void each_of_10_000_ends_with_nothing_booked_and_all_told_the_truth() throws Exception {
        race(10_000);
    }

    private void race(int rounds) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(RACERS);
        RedisParticipant last = new RedisParticipant(new Connection(client));
        try {
            List<RedisFence.Scripts> connections = new ArrayList<>();
            for (int racer = 0; racer < RACERS; racer++) connections.add(new Connection(client));
            for (int round = 0; round < rounds; round++) {
                round(pool, last, connections, "branch-" + round);
            }
        } finally {
            pool.shutdownNow();
        }
        System.out.println("== Redis: forward was first in " + ranFirst + " of " + rounds + " rounds");
        assertThat(ranFirst.get()).as("each order wins often").isBetween(rounds / 20, rounds * 19 / 20);
    }

    private void round(
            ExecutorService pool, RedisParticipant participant, List<RedisFence.Scripts> connections, String branch)
            throws Exception {
        Phaser start = new Phaser(RACERS);
        List<Future<Object>> calls = new ArrayList<>();
        List<Future<Object>> callbacks = new ArrayList<>();
        List<RedisFence.Scripts> anyhow = new ArrayList<>(connections);
        Collections.shuffle(anyhow, ORDER);
        for (RedisFence.Scripts each : anyhow) {
            RedisParticipant its = participant.through(each);
            boolean forward = connections.indexOf(each) % 2 == 0;
            Callable<Object> call = forward ? () -> its.forward("saga", branch) : () -> its.compensate(branch, false);
            (forward ? calls : callbacks).add(pool.submit(() -> {
                int unused = start.arriveAndAwaitAdvance();
                return call.call();
            }));
        }
        List<Object> forwards = List.of(get(calls.get(0)), get(calls.get(1)));
        List<Object> compensations = List.of(get(callbacks.get(0)), get(callbacks.get(1)));
        if (forwards.contains(Verdict.RUN)) {
            ranFirst.incrementAndGet();
            assertThat(forwards)
                    .as(branch)
                    .containsAnyOf(Verdict.DUPLICATE, Verdict.REFUSED)
                    .doesNotHaveDuplicates();
            assertThat(compensations).as(branch).containsExactlyInAnyOrder(Compensation.RUN, Compensation.DONE_BEFORE);
        } else {
            assertThat(forwards).as(branch).containsOnly(Verdict.REFUSED);
            assertThat(compensations)
                    .as(branch)
                    .containsExactlyInAnyOrder(Compensation.NOTHING_TO_UNDO, Compensation.DONE_BEFORE);
        }
        assertThat(participant.bookings(branch)).as(branch).isZero();
    }

    private static Object get(Future<Object> told) throws Exception {
        return told.get(2, TimeUnit.MINUTES);
    }

    /** One connection, for one thread at a time. */
    private static final class Connection implements RedisFence.Scripts {
        private final StatefulRedisConnection<byte[], byte[]> connection;

        Connection(RedisClient client) {
            this.connection = client.connect(ByteArrayCodec.INSTANCE);
        }

        @Override
        public List<? extends @Nullable Object> run(String script, List<byte[]> keys, List<byte[]> arguments) {
            byte[][] itsKeys = keys.toArray(new byte[0][]);
            byte[][] itsArguments = arguments.toArray(new byte[0][]);
            String digest = connection.sync().digest(script);
            List<Object> said;
            try {
                said = connection.sync().evalsha(digest, ScriptOutputType.MULTI, itsKeys, itsArguments);
            } catch (RedisNoScriptException unknown) {
                said = connection.sync().eval(script, ScriptOutputType.MULTI, itsKeys, itsArguments);
            }
            return Objects.requireNonNull(said);
        }
    }
}
