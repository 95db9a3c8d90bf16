package io.alphaomega.omega.fence;

import static io.alphaomega.omega.test.OmegaAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.ByteString;
import io.alphaomega.omega.Compensable;
import io.alphaomega.omega.Participate;
import io.alphaomega.omega.SagaAbortedException;
import io.alphaomega.omega.SagaException;
import io.alphaomega.omega.SagaStart;
import io.alphaomega.omega.context.SagaContext;
import io.alphaomega.omega.redis.FencedRedis;
import io.alphaomega.omega.spring.MisusePage;
import io.alphaomega.omega.stream.CallbackHandler;
import io.alphaomega.omega.test.OmegaTest;
import io.alphaomega.omega.test.TestAlpha;
import io.alphaomega.protocol.v1.Callback;
import io.alphaomega.protocol.v1.CallbackFailure;
import io.alphaomega.protocol.v1.CallbackKind;
import io.alphaomega.protocol.v1.CallbackResult;
import io.alphaomega.repository.servers.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.data.redis.RedisSystemException;
import org.springframework.data.redis.core.script.RedisScript;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

/** A service whose data is in Redis: its branches are fenced by what they execute there. */
@SpringBootTest(classes = RedisBranchesTest.Shop.class, properties = "spring.application.name=shop")
@OmegaTest
class RedisBranchesTest {
    private static final String STOCK = "RedisBranchesTest.Stock.";
    private static final RedisServer SERVER = RedisServer.start();
    private static final MisusePage PAGE = MisusePage.read();

    /** What the callbacks were told that the branch has returned. */
    private static final List<String> TOLD = new CopyOnWriteArrayList<>();

    @Autowired
    private Stock stock;

    @Autowired
    private Orders orders;

    @Autowired
    private TestAlpha alpha;

    @Autowired
    private CallbackHandler callbacks;

    @Configuration(proxyBeanMethods = false)
    @EnableWithout.Database
    @Import({Stock.class, Orders.class})
    static class Shop {}

    static class Stock {
        private static final RedisScript<Long> TAKE = RedisScript.of("""
                local left = tonumber(redis.call('GET', KEYS[1]) or 0)
                if left < tonumber(ARGV[1]) then return redis.error_reply('SOLD_OUT ' .. left) end
                return redis.call('DECRBY', KEYS[1], ARGV[1])
                """, Long.class);

        private static final RedisScript<Long> GIVE_BACK =
                RedisScript.of("return redis.call('INCRBY', KEYS[1], ARGV[1])", Long.class);

        private static final RedisScript<Long> TAKE_UNSEEN =
                RedisScript.of("redis.call('DECR', KEYS[1]) return redis.error_reply('TOO_LATE')", Long.class);

        private final FencedRedis redis;

        Stock(FencedRedis redis) {
            this.redis = redis;
        }

        @Compensable(compensationMethod = "giveBack", fence = "redis")
        public String take(String item, int count) {
            return item + " of " + redis.execute(TAKE, List.of("stock:" + item), count);
        }

        public void giveBack(String item, int count, @Nullable String taken) {
            long now = Objects.requireNonNull(redis.execute(GIVE_BACK, List.of("stock:" + item), count));
            TOLD.add(taken + ", now " + now);
        }

        @Participate(confirmMethod = "sell", cancelMethod = "release", fence = "fencedRedis")
        public String hold(String item) {
            redis.execute(TAKE, List.of("stock:" + item), 1);
            return "ticket";
        }

        public void sell(String item, String ticket) {
            RedisScript<Long> script = RedisScript.of("return redis.call('INCR', KEYS[1]..':sold')", Long.class);
            TOLD.add(ticket + " " + redis.execute(script, List.of("{stock:" + item + "}")));
        }

        public void release(String item) {
            redis.execute(GIVE_BACK, List.of("stock:" + item), 1);
        }

        @Compensable(compensationMethod = "giveOneBack", fence = "redis", name = "lose")
        public void lose(String item) {
            redis.execute(TAKE, List.of("stock:" + item), 1);
            throw new IllegalStateException("it fell down");
        }

        @Compensable(compensationMethod = "giveOneBack", fence = "redis", name = "tear")
        public void tear(String item) {
            redis.execute(TAKE_UNSEEN, List.of("stock:" + item));
        }

        @Compensable(compensationMethod = "giveOneBack", fence = "redis", name = "twice")
        public void takeTwice(String item) {
            redis.execute(TAKE, List.of("stock:" + item), 1);
            redis.execute(TAKE, List.of("stock:" + item), 1);
        }

        @Compensable(compensationMethod = "giveOneBack", fence = "redis", storeResult = false, name = "reserve")
        public void reserve(String item) {
            RedisScript<Boolean> script = RedisScript.of("redis.call('DECR', KEYS[1]) return true", Boolean.class);
            TOLD.add("reserved: " + redis.execute(script, List.of("stock:" + item)));
        }

        @Compensable(compensationMethod = "giveOneBack", fence = "redis", name = "another")
        public void takeAsAnother(String item) {
            SagaContext another = SagaContext.current().orElseThrow().within("another");
            assertThatThrownBy(() -> another.run(() -> redis.execute(TAKE, List.of("stock:" + item), 1)))
                    .hasMessageContaining("but not on the thread of a branch");
            redis.execute(TAKE, List.of("stock:" + item), 1);
        }

        @Compensable(compensationMethod = "giveOneBack", fence = "redis", name = "idle")
        public void idle(String item) {}

        @Compensable(compensationMethod = "giveOneBack", fenced = false, name = "unfenced")
        public void unfenced(String item) {
            redis.execute(TAKE, List.of("stock:" + item), 1);
        }

        public void giveOneBack(String item) {
            redis.execute(GIVE_BACK, List.of("stock:" + item), 1);
        }

        @Compensable(compensationMethod = "forget", fence = "redis", name = "forget", reverseRetries = 0)
        public void keep(String item) {
            redis.execute(TAKE, List.of("stock:" + item), 1);
        }

        public void forget(String item) {}
    }

    static class Orders {
        @SagaStart
        public void place(Runnable work) {
            work.run();
        }
    }

    @DynamicPropertySource
    static void redis(DynamicPropertyRegistry properties) {
        properties.add("spring.data.redis.port", SERVER::port);
    }

    @AfterAll
    static void stop() {
        SERVER.close();
    }

    @BeforeEach
    void deliver() {
        SERVER.ask("SET", "stock:pen", "5");
        TOLD.clear();
    }

    private static String left() {
        return SERVER.ask("GET", "stock:pen");
    }

    /** Of what may have run or not alpha waits for the end, as long as a branch may take. */
    private void waitForBranch() {
        alpha.advance(Duration.ofSeconds(31));
    }

    private void failAfter(Runnable work) {
        assertThatThrownBy(() -> orders.place(() -> {
                    work.run();
                    throw new IllegalStateException("no paper");
                }))
                .hasMessage("no paper");
    }

    /** The caller is told what that entry of docs/misuse says. */
    private void assertRefused(String entry, Runnable work) {
        Throwable thrown = catchThrowable(() -> orders.place(work));
        assertThat(thrown).isInstanceOf(SagaException.class);
        PAGE.assertSays(entry, List.of(String.valueOf(thrown.getMessage())));
    }

    @Test
    void what_a_script_did_is_undone_once_however_often_alpha_asks() {
        alpha.repeat(STOCK + "giveBack");

        failAfter(() -> assertThat(stock.take("pen", 2)).isEqualTo("pen of 3"));

        assertThat(alpha.saga()).compensated(STOCK + "take");
        await().untilAsserted(() -> assertThat(TOLD).containsExactly("pen of 3, now 5", "pen of 3, now 5"));
        assertThat(left()).isEqualTo("5");
    }

    /** Its row is beside the keys of the business, which only the business knows. */
    @Test
    void what_became_of_a_branch_its_fence_cannot_tell_and_says_where_to_look() {
        orders.place(() -> stock.take("pen", 2));

        CallbackResult said = callbacks.handle(Callback.newBuilder()
                .setSaga("saga")
                .setBranch("branch")
                .setKind(CallbackKind.INQUIRY)
                .setAttempt(1)
                .setInquired(STOCK + "giveBack")
                .setArguments(ByteString.copyFromUtf8("[\"pen\",2]"))
                .setFenced(true)
                .build());

        assertThat(said.getFailure().getCode()).isEqualTo(CallbackFailure.Code.FENCE_ROW_MISSING);
        assertThat(said.getFailure().getCause())
                .isEqualTo("a fence in Redis keeps its row beside the keys of the business, which nobody knows without"
                        + " running it: look at those keys");
        assertThat(left()).isEqualTo("3");
    }

    @Test
    void what_was_held_is_sold_once() {
        alpha.repeat(STOCK + "sell");

        orders.place(() -> stock.hold("pen"));

        assertThat(alpha.saga()).confirmed(STOCK + "hold");
        await().untilAsserted(() -> assertThat(TOLD).containsExactly("ticket 1", "ticket 1"));
        assertThat(left()).isEqualTo("4");
    }

    @Test
    void what_was_held_is_released() {
        failAfter(() -> stock.hold("pen"));
        assertThat(alpha.saga()).compensated(STOCK + "hold");
        assertThat(left()).isEqualTo("5");
    }

    @Test
    void a_repeated_call_gets_the_reply_of_the_first_and_takes_nothing() {
        List<String> returned = new ArrayList<>();
        orders.place(() -> {
            SagaContext saga = SagaContext.current().orElseThrow();
            for (int i = 0; i < 2; i++) saga.within("").run(() -> returned.add(stock.take("pen", 2)));
        });

        assertThat(alpha.saga()).committed();
        assertThat(returned).containsExactly("pen of 3", "pen of 3");
        assertThat(left()).isEqualTo("3");
    }

    @Test
    void alpha_hears_of_the_end_before_the_saga_goes_on() {
        orders.place(() -> {
            stock.take("pen", 1);
            assertThat(alpha.saga()).history().contains(STOCK + "take ended");
        });
        assertThat(alpha.saga()).committed();
    }

    @Test
    void a_script_that_refuses_has_left_nothing_and_nothing_is_undone() {
        assertThatThrownBy(() -> orders.place(() -> stock.take("pen", 6)))
                .isInstanceOf(RedisSystemException.class)
                .hasMessageContaining("The script of " + STOCK + "take has failed and left nothing: SOLD_OUT 5");

        assertThat(alpha.saga()).compensatedNothing();
        assertThat(left()).isEqualTo("5");
    }

    @Test
    void a_method_that_throws_after_its_script_is_undone() {
        assertThatThrownBy(() -> orders.place(() -> stock.lose("pen"))).hasMessage("it fell down");
        waitForBranch();
        assertThat(alpha.saga()).compensated(STOCK + "lose");
        assertThat(left()).isEqualTo("5");
    }

    @Test
    void a_script_that_fails_half_way_is_for_a_person() {
        assertRefused("redis-half", () -> stock.tear("pen"));

        waitForBranch();
        assertThat(alpha.saga()).suspended().history().contains("suspended: FENCE_ROW_MISSING");
        assertThat(left()).isEqualTo("4");
    }

    @Test
    void a_second_script_does_not_run_and_the_first_is_undone() {
        assertRefused("redis-twice", () -> stock.takeTwice("pen"));
        waitForBranch();
        assertThat(alpha.saga()).compensated(STOCK + "takeTwice");
        assertThat(left()).isEqualTo("5");
    }

    @Test
    void a_branch_that_executes_no_script_fails_and_its_compensation_has_nothing_to_undo() {
        assertRefused("redis-nothing", () -> stock.idle("pen"));
        waitForBranch();
        assertThat(alpha.saga()).compensated();
        assertThat(left()).isEqualTo("5");
    }

    @Test
    void a_compensation_that_executes_no_script_is_never_taken_for_done() {
        failAfter(() -> stock.keep("pen"));
        assertThat(alpha.saga()).suspended();
        assertThat(left()).isEqualTo("4");
    }

    @Test
    void in_a_saga_nothing_runs_without_a_fence() {
        assertRefused("redis-elsewhere", () -> stock.unfenced("pen"));
        assertThat(left()).isEqualTo("5");
    }

    @Test
    void what_a_branch_calls_as_another_one_is_not_behind_its_fence() {
        orders.place(() -> stock.takeAsAnother("pen"));
        assertThat(alpha.saga()).committed();
        assertThat(left()).isEqualTo("4");
    }

    @Test
    void of_a_reply_that_is_not_kept_nothing_is_told() {
        orders.place(() -> {
            SagaContext saga = SagaContext.current().orElseThrow();
            for (int i = 0; i < 2; i++) saga.within("").run(() -> stock.reserve("pen"));
        });

        assertThat(alpha.saga()).committed();
        assertThat(TOLD).containsExactly("reserved: true", "reserved: null");
        assertThat(left()).isEqualTo("4");
    }

    @Test
    void outside_of_sagas_a_script_runs_as_it_is() {
        assertThat(stock.take("pen", 1)).isEqualTo("pen of 4");
        assertThat(stock.take("pen", 1)).isEqualTo("pen of 3");
        assertThat(alpha.sagas()).isEmpty();
    }

    @Test
    void a_call_that_comes_after_its_compensation_does_not_run() throws Exception {
        alpha.delay(STOCK + "take", Duration.ofSeconds(40));
        try (var threads = Executors.newSingleThreadExecutor()) {
            CompletableFuture<Void> late =
                    CompletableFuture.runAsync(() -> orders.place(() -> stock.take("pen", 1)), threads);
            alpha.awaitSagas(1);
            alpha.advance(Duration.ofSeconds(35)); // Beyond the time that the branch has.
            assertThat(alpha.saga()).compensated(STOCK + "take");
            alpha.advance(Duration.ofSeconds(10));

            assertThatThrownBy(late::join)
                    .isInstanceOf(CompletionException.class)
                    .cause()
                    .isInstanceOf(SagaAbortedException.class)
                    .hasMessageContaining("it has failed or been compensated before, so it did not run");
        }
        assertThat(left()).isEqualTo("5");
        assertThat(TOLD).isEmpty();
    }

    @Test
    void a_row_that_is_lost_is_never_taken_for_a_call_that_never_was() {
        failAfter(() -> {
            stock.take("pen", 1);
            String rows = "omega:fence:{stock:pen}:" + alpha.saga().id() + ":*";
            assertThat(SERVER.ask("DEL", SERVER.ask("KEYS", rows))).isEqualTo("1");
        });
        assertThat(alpha.saga()).suspended().history().contains("suspended: FENCE_ROW_MISSING");
        assertThat(left()).isEqualTo("4");
    }

    @Test
    void a_redis_that_has_lost_its_data_says_so() {
        failAfter(() -> {
            stock.take("pen", 1);
            SERVER.ask("FLUSHALL");
        });
        assertThat(alpha.saga()).suspended();
        assertThat(alpha.saga().toString()).contains("it is another Redis, or has lost its data");

        deliver(); // What begins now is behind another fence.
        failAfter(() -> stock.take("pen", 1));
        assertThat(alpha.sagas().get(1)).compensated(STOCK + "take");
        assertThat(left()).isEqualTo("5");
    }
}
