package io.alphaomega.omega.fence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.alphaomega.omega.fence.Forward.Verdict;
import io.alphaomega.omega.redis.FencedRedis;
import io.alphaomega.omega.redis.RedisStep;
import io.alphaomega.repository.servers.RedisServer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** A script behind the fence that does not end, and what helps. */
@Timeout(120)
class LoopingScriptTest {
    private static final Duration LIMIT = Duration.ofMinutes(1);

    /** It only reads; its row is written all the same. */
    private static final String LOOP = "while true do redis.call('HGET', KEYS[1], 'hotel') end";

    @Test
    void cannot_be_killed_and_after_a_restart_nothing_of_it_is_there() {
        try (RedisServer server = RedisServer.start("lua-time-limit 1", "appendfsync always")) {
            LettuceConnectionFactory connections = connections(server);
            RedisParticipant participant = participant(connections);
            assertThat(participant.forward("car")).isEqualTo(Verdict.RUN);
            CompletableFuture<?> looping =
                    CompletableFuture.runAsync(() -> participant.forward("hotel", participant.work(LOOP)));
            await().until(() -> server.ask("PING").startsWith("BUSY"));
            assertThat(server.ask("SCRIPT", "KILL")).startsWith("UNKILLABLE");

            connections.destroy(); // Or it would send the script again.
            assertThat(looping).failsWithin(LIMIT);
            restart(server);

            LettuceConnectionFactory later = connections(server);
            RedisParticipant after = participant.through(scripts(later));
            assertThat(after.bookings("car")).isEqualTo(1);
            assertThat(after.fenceRows("hotel")).isZero();
            assertThat(after.compensate("hotel", false)).isEqualTo(Compensation.NOTHING_TO_UNDO);
            later.destroy();
        }
    }

    private static void restart(RedisServer server) {
        server.ask("SHUTDOWN", "NOSAVE");
        await().until(() -> !server.process().isRunning());
        server.process().start();
    }

    private static LettuceConnectionFactory connections(RedisServer server) {
        LettuceConnectionFactory connections =
                new LettuceConnectionFactory(new RedisStandaloneConfiguration("127.0.0.1", server.port()));
        connections.afterPropertiesSet();
        connections.start();
        return connections;
    }

    private static RedisFence.Scripts scripts(LettuceConnectionFactory connections) {
        return RedisStep.scripts(new FencedRedis(connections));
    }

    private static RedisParticipant participant(LettuceConnectionFactory connections) {
        return new RedisParticipant(scripts(connections));
    }
}
