package io.alphaomega.omega.fence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.alphaomega.omega.Compensable;
import io.alphaomega.omega.SagaStart;
import io.alphaomega.omega.redis.FencedRedis;
import io.alphaomega.omega.test.OmegaTest;
import io.alphaomega.repository.servers.RedisServer;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.data.redis.core.script.RedisScript;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

/** A Redis that could not be asked at the start is asked before the first branch. */
@SpringBootTest(classes = RedisAwayAtStartTest.Shop.class, properties = "spring.application.name=shop")
@OmegaTest
class RedisAwayAtStartTest {
    private static final RedisServer SERVER = RedisServer.start();

    @Autowired
    private Trips trips;

    @Configuration(proxyBeanMethods = false)
    @EnableWithout.Database
    @Import({Seats.class, Trips.class})
    static class Shop {}

    static class Seats {
        private final FencedRedis redis;

        Seats(FencedRedis redis) {
            this.redis = redis;
        }

        @Compensable(compensationMethod = "release", fence = "redis")
        public void take() {
            redis.execute(RedisScript.of("redis.call('DECR', KEYS[1])"), List.of("seats"));
        }

        public void release() {
            redis.execute(RedisScript.of("redis.call('INCR', KEYS[1])"), List.of("seats"));
        }
    }

    static class Trips {
        private final Seats seats;

        Trips(Seats seats) {
            this.seats = seats;
        }

        @SagaStart
        public void book() {
            seats.take();
        }
    }

    @DynamicPropertySource
    static void redis(DynamicPropertyRegistry properties) {
        SERVER.ask("SET", "seats", "5");
        SERVER.ask("CONFIG", "SET", "maxmemory", "1gb");
        SERVER.ask("CONFIG", "SET", "maxmemory-policy", "allkeys-lru");
        SERVER.ask("REPLICAOF", "127.0.0.1", "1"); // Whose data nobody may read before it has any.
        SERVER.ask("CONFIG", "SET", "replica-serve-stale-data", "no");
        properties.add("spring.data.redis.port", SERVER::port);
    }

    @AfterAll
    static void stop() {
        SERVER.close();
    }

    @Test
    void its_settings_are_checked_before_a_branch_runs() {
        SERVER.ask("REPLICAOF", "NO", "ONE");

        assertThatThrownBy(trips::book).hasMessageContaining("has maxmemory-policy allkeys-lru");
        SERVER.ask("CONFIG", "SET", "maxmemory-policy", "noeviction");
        trips.book();

        assertThat(SERVER.ask("GET", "seats")).isEqualTo("4");
    }
}
