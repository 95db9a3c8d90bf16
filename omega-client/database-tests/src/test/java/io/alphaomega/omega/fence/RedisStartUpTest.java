package io.alphaomega.omega.fence;

import static org.assertj.core.api.Assertions.assertThat;

import io.alphaomega.omega.AfterAbort;
import io.alphaomega.omega.Compensable;
import io.alphaomega.omega.redis.FencedRedis;
import io.alphaomega.omega.spring.MisusePage;
import io.alphaomega.repository.servers.RedisServer;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.script.RedisScript;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;
import reactor.core.publisher.Mono;

/** What the fence in Redis cannot do keeps a service from starting. */
@ExtendWith(OutputCaptureExtension.class)
class RedisStartUpTest {
    private static final RedisServer SERVER = RedisServer.start();
    private static final MisusePage PAGE = MisusePage.read();

    @AfterAll
    static void stop() {
        SERVER.close();
    }

    @AfterEach
    void asItWas() {
        SERVER.ask("CONFIG", "SET", "maxmemory", "0");
        SERVER.ask("CONFIG", "SET", "maxmemory-policy", "noeviction");
    }

    @Configuration(proxyBeanMethods = false)
    @EnableWithout.Database
    @EnableTransactionManagement
    static class Application {}

    static class Desk {
        @Compensable(compensationMethod = "cancel", fence = "redis")
        public void book(String guest) {}

        public void cancel(String guest) {}
    }

    static class Monos {
        @Compensable(compensationMethod = "cancel", fence = "redis")
        public Mono<String> book(String guest) {
            return Mono.just(guest);
        }

        public Mono<Void> cancel(String guest) {
            return Mono.empty();
        }
    }

    static class Transactions extends Desk {
        @Override
        @Transactional
        @Compensable(compensationMethod = "cancel", fence = "redis")
        public void book(String guest) {}
    }

    static class TransactionalCallback extends Desk {
        @Override
        @Transactional
        public void cancel(String guest) {}
    }

    static class Letters {
        @AfterAbort("RedisStartUpTest.Desk.book")
        public void apologize(String guest) {}
    }

    static class Remote {
        @Compensable(compensationMethod = "cancel", fence = "redis", compensateOnException = true)
        public void book(String guest) {}

        public void cancel(String guest) {}
    }

    static class Primitive {
        @Compensable(compensationMethod = "cancel", fence = "redis")
        public int book(String guest) {
            return 1;
        }

        public void cancel(String guest, int booked) {}
    }

    /** A result that could not be read again, which nobody needs to. */
    static class Unreadable {
        @Compensable(compensationMethod = "cancel", fence = "redis")
        public Runnable book(String guest) {
            return () -> {};
        }

        public void cancel(String guest) {}
    }

    @Configuration(proxyBeanMethods = false)
    static class TwoOfThem {
        @Bean
        FencedRedis stock() {
            return new FencedRedis(connections());
        }

        @Bean
        FencedRedis seats() {
            return new FencedRedis(connections());
        }

        private static LettuceConnectionFactory connections() {
            LettuceConnectionFactory made =
                    new LettuceConnectionFactory(new RedisStandaloneConfiguration("127.0.0.1", SERVER.port()));
            made.afterPropertiesSet();
            made.start();
            return made;
        }
    }

    static class Seats {
        @Compensable(compensationMethod = "cancel", fence = "seats")
        public void book(String guest) {}

        public void cancel(String guest) {}
    }

    private static ApplicationContextRunner with(Class<?>... beans) {
        return new ApplicationContextRunner()
                .withUserConfiguration(Application.class)
                .withUserConfiguration(beans)
                .withPropertyValues(
                        "spring.application.name=hotel",
                        "spring.data.redis.port=" + SERVER.port(),
                        "omega.alpha.addresses=127.0.0.1:1",
                        "omega.drain-timeout=100ms");
    }

    private static void assertRefused(ApplicationContextRunner service, String... sentences) {
        service.run(context -> assertThat(context).getFailure().hasMessageContainingAll(sentences));
    }

    @Test
    void a_publisher_is_not_behind_it() {
        PAGE.assertSays("redis-later", MisusePage.refusal(with(Monos.class)));
    }

    @Test
    void neither_a_branch_nor_its_callback_is_in_a_transaction() {
        PAGE.assertSays("redis-transaction", MisusePage.refusal(with(Transactions.class)));
        assertRefused(with(TransactionalCallback.class), "TransactionalCallback.cancel(String) is @Transactional");
    }

    @Test
    void nothing_follows_its_callbacks() {
        assertRefused(with(Desk.class, Letters.class), "Letters.apologize(String) is @AfterAbort of", "done already");
    }

    @Test
    void that_a_method_begins_is_noted_nowhere() {
        assertRefused(
                with(Remote.class), "Remote.book(String) says compensateOnException, but is behind the fence 'redis'");
    }

    @Test
    void a_result_that_it_does_not_keep_may_be_missing() {
        assertRefused(with(Primitive.class), "Primitive.cancel(String, int) takes a result of the primitive type int");
        with(Unreadable.class).run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void a_redis_that_throws_rows_away_is_refused() {
        SERVER.ask("CONFIG", "SET", "maxmemory", "1gb");
        SERVER.ask("CONFIG", "SET", "maxmemory-policy", "volatile-lru");
        assertRefused(with(Desk.class), "The Redis 'fencedRedis' has maxmemory-policy volatile-lru");
        with().run(context -> assertThat(context).hasNotFailed()); // Nobody needs a fence there.
    }

    @Test
    void of_several_the_one_that_is_named_is_meant() {
        assertRefused(with(TwoOfThem.class, Desk.class), "'redis', but this service has several (stock, seats)");
        with(TwoOfThem.class, Seats.class).run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void a_redis_that_is_away_at_the_start_is_warned_of(CapturedOutput log) {
        with(Desk.class)
                .withPropertyValues("spring.data.redis.port=1")
                .run(context -> assertThat(context).hasNotFailed());
        assertThat(log.getOut()).contains("Whether the Redis 'fencedRedis' can have a fence could not be found out");
    }

    @Test
    void without_omega_and_without_fences_scripts_run_as_they_are() {
        for (String off : List.of("omega.enabled=false", "omega.fence.enabled=false")) {
            with(Desk.class).withPropertyValues(off).run(context -> {
                FencedRedis redis = context.getBean(FencedRedis.class);
                assertThat(redis.execute(RedisScript.of("return ARGV[1]", String.class), List.of("key"), "said"))
                        .isEqualTo("said");
            });
        }
    }
}
