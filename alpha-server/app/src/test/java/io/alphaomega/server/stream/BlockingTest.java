package io.alphaomega.server.stream;

import static org.assertj.core.api.Assertions.assertThat;

import akka.actor.typed.ActorRef;
import akka.actor.typed.Props;
import akka.actor.typed.javadsl.Behaviors;
import io.alphaomega.repository.redis.RedisSagaRepository;
import io.alphaomega.repository.redis.RedisSagaRepository.Settings;
import io.alphaomega.repository.servers.Patience;
import io.alphaomega.repository.servers.RedisServer;
import io.alphaomega.server.turn.Turn;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** Sagas run on the threads of the network and of the store, so nothing that they do may wait. */
class BlockingTest extends OnOneNode {
    private static final long A_WHILE = 1_000_000;

    private static final int SAGAS = 2_000;

    private void work() throws InterruptedException {
        work(omega("one"), omega("two"), omega("three"));
    }

    /** Sagas of several connections, from begin to end. */
    private void work(TestOmega... omegas) throws InterruptedException {
        for (int i = 0; i < SAGAS; i++) {
            TestOmega omega = omegas[i % omegas.length];
            String id = UUID.randomUUID().toString();
            omega.send(TestOmega.begin(2L * i, id));
            omega.send(TestOmega.end(2L * i + 1, id, true));
            assertThat(omega.acks.poll(Patience.LIMIT.toMillis(), TimeUnit.MILLISECONDS))
                    .isNotNull();
        }
    }

    @Test
    void nothing_waits_in_the_threads_of_the_network_nor_in_a_turn_nor_in_an_actor() throws Exception {
        work(); // Classes are loaded, which reads files.
        try (Blocking blocking = new Blocking()) {
            work();
            assertThat(blocking.found()).isEmpty();
        }
    }

    @Test
    void nor_does_anything_where_redis_answers_on_the_threads_of_the_network() throws Exception {
        try (RedisServer redis = RedisServer.start();
                TestAlpha onRedis = new TestAlpha(loops ->
                        new RedisSagaRepository(Settings.of("redis://127.0.0.1:" + redis.port()), loops.next()))) {
            TestOmega one = closedLater(TestOmega.welcomed(onRedis.server.port(), service, "one"));
            TestOmega two = closedLater(TestOmega.welcomed(onRedis.server.port(), service, "two"));
            work(one, two);
            try (Blocking blocking = new Blocking()) {
                work(one, two);
                assertThat(blocking.found()).isEmpty();
            }
        }
    }

    @Test
    void what_waits_in_a_turn_is_found() {
        try (Blocking blocking = new Blocking()) {
            Turn.take(() -> LockSupport.parkNanos(A_WHILE));
            assertThat(blocking.found()).anyMatch(found -> found.startsWith("jdk.ThreadPark"));
        }
    }

    @Test
    void what_waits_in_an_actor_is_found() throws Exception {
        CountDownLatch over = new CountDownLatch(1);
        try (Blocking blocking = new Blocking()) {
            ActorRef<String> planted = alpha.node
                    .cluster
                    .system()
                    .systemActorOf(
                            Behaviors.receiveMessage(message -> {
                                LockSupport.parkNanos(A_WHILE);
                                over.countDown();
                                return Behaviors.stopped();
                            }),
                            "planted",
                            Props.empty());
            planted.tell("wait");
            assertThat(over.await(Patience.LIMIT.toMillis(), TimeUnit.MILLISECONDS))
                    .isTrue();
            assertThat(blocking.found())
                    .anyMatch(found -> found.startsWith("jdk.ThreadPark") && found.contains("BlockingTest"));
        }
    }
}
