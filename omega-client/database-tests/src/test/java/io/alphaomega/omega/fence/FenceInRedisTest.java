package io.alphaomega.omega.fence;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.alphaomega.omega.fence.Forward.Verdict;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The fence in Redis, on a server and in a cluster. */
@ParameterizedClass
@EnumSource
final class FenceInRedisTest extends EffectContract<RedisParticipant> {
    private final Redises kind;

    FenceInRedisTest(Redises kind) {
        this.kind = kind;
    }

    @AfterAll
    static void stop() throws Exception {
        Redises.stop();
    }

    @Override
    RedisParticipant emptyDatabase() {
        return new RedisParticipant(kind.scripts());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "'booking 7'",
                "7",
                "{'a', 1, {'b', false, 2}}",
                "false",
                "nil",
                "redis.status_reply('DONE')",
                "'\\0\\255binary'"
            })
    void a_repeated_call_gets_the_same_reply_and_has_no_effect(String reply) {
        RedisFence.Work work =
                participant.work("redis.call('HINCRBY', KEYS[1], ARGV[1], 1)\nreturn " + reply + " -- said", "car");

        RedisFence.Answer<Verdict> first = participant.forward("car", work);
        RedisFence.Answer<Verdict> again = participant.forward("car", work);

        assertThat(first.verdict()).isEqualTo(Verdict.RUN);
        assertThat(again.verdict()).isEqualTo(Verdict.DUPLICATE);
        assertThat(again.effect()).isTrue();
        assertThat(again.reply()).usingRecursiveComparison().isEqualTo(first.reply());
        assertThat(participant.bookings("car")).isEqualTo(1);
    }

    @Test
    void a_repeated_compensation_gets_the_same_reply() {
        participant.forward("car");
        RedisFence.Work work = participant.work("return redis.call('HINCRBY', KEYS[1], ARGV[1], -1) + 40", "car");

        assertThat(participant.compensate("car", true, work).reply()).isEqualTo(40L);
        assertThat(participant.compensate("car", true, work).reply()).isEqualTo(40L);
        assertThat(participant.bookings("car")).isZero();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "return redis.error_reply('NO_CARS left')",
                "error({err = 'NO_CARS left'})",
                "if redis.call('HGET', KEYS[1], 'car') then return 1 end return {err = 'NO_CARS left'}",
                "redis.pcall('INCR', KEYS[1]..'x', 'too', 'many') error('NO_CARS left')"
            })
    void a_script_that_fails_before_it_writes_leaves_no_row_and_another_may_run(String script) {
        assertFails(() -> participant.forward("car", participant.work(script)), false);

        assertThat(participant.fenceRows("car")).isZero();
        assertThat(participant.forward("saga", "car")).isEqualTo(Verdict.RUN);
        assertThat(participant.bookings("car")).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "redis.call('HINCRBY', KEYS[1], 'car', 1) return redis.error_reply('NO_CARS left')",
                "redis.pcall('HINCRBY', KEYS[1], 'car', 1) error('NO_CARS left')",
                "server.call('HINCRBY', KEYS[1], 'car', 1) return {err = 'NO_CARS left'}"
            })
    void a_script_that_fails_after_it_wrote_is_half_done_and_nobody_takes_it_for_anything_else(String script) {
        assertFails(() -> participant.forward("car", participant.work(script)), true);

        assertFails(() -> participant.forward("saga", "car"), true);
        assertFails(() -> participant.compensate("car", false), true);
        assertFails(() -> participant.confirm("car", true), true);
        assertThat(participant.bar("car")).isFalse();
        assertThat(participant.bookings("car")).isEqualTo(1);
    }

    @Test
    void a_command_that_fails_after_another_has_written_is_half_done_too() {
        RedisFence.Work work =
                participant.work("redis.call('HSET', KEYS[1], 'car', 'red') redis.call('INCR', KEYS[1])");

        assertThatThrownBy(() -> participant.forward("car", work))
                .isInstanceOfSatisfying(
                        ScriptFailedException.class, e -> assertThat(e.wrote()).isTrue())
                .hasMessageContaining("WRONGTYPE");
    }

    @Test
    void a_compensation_that_fails_before_it_writes_is_done_the_next_time() {
        participant.forward("car");
        RedisFence.Work closed = participant.work("return redis.error_reply('NO_CARS, closed')");
        assertFails(() -> participant.compensate("car", true, closed), false);

        assertThat(participant.bookings("car")).isEqualTo(1);
        assertThat(participant.compensate("car", true)).isEqualTo(Compensation.RUN);
    }

    @Test
    void a_compensation_that_fails_after_it_wrote_is_never_taken_for_done() {
        participant.forward("car");
        RedisFence.Work half = participant.work("redis.call('HSET', KEYS[1], 'car', 0) error('NO_CARS')");
        assertFails(() -> participant.compensate("car", true, half), true);
        assertFails(() -> participant.compensate("car", true), true);
    }

    private static void assertFails(Runnable call, boolean wrote) {
        assertThatThrownBy(call::run)
                .isInstanceOfSatisfying(
                        ScriptFailedException.class, e -> assertThat(e.wrote()).isEqualTo(wrote))
                .hasMessageContaining("NO_CARS");
    }

    @Test
    void an_error_names_the_line_of_the_script() {
        RedisFence.Work work = participant.work("local cars = nil\nreturn cars.red");
        assertThatThrownBy(() -> participant.forward("car", work)).hasMessageContaining(":2:");
    }

    @Test
    void a_reply_that_is_too_large_is_told_once_and_a_repeated_call_is_told_why() {
        RedisFence.Work large = participant.work("return string.rep('x', 65536)");

        assertThat((byte[])
                        Objects.requireNonNull(participant.forward("car", large).reply()))
                .hasSize(65_536);
        assertThatThrownBy(() -> participant.forward("car", large))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("bytes was not kept, at most 65536 are");
        assertThat(participant
                        .compensate("car", true, participant.work("return 1"))
                        .verdict())
                .isEqualTo(Compensation.RUN);
    }

    @Test
    void a_reply_that_nobody_needs_is_not_kept() {
        assertThat(forwardWithoutReply()).isEqualTo(new RedisFence.Answer<>(Verdict.RUN, true, 1L));
        assertThat(forwardWithoutReply()).isEqualTo(new RedisFence.Answer<>(Verdict.DUPLICATE, true, null));
    }

    private RedisFence.Answer<Verdict> forwardWithoutReply() {
        return participant.fence().forward(kind.scripts(), "saga", "car", participant.work("return 1"), false);
    }

    @Test
    void a_row_lives_as_long_as_those_of_other_fences_and_its_loss_is_told() {
        participant.forward("car");
        assertThat(participant.life("car")).isBetween(Duration.ofDays(89), RedisParticipant.LIFETIME);

        RedisParticipant brief = new RedisParticipant(kind.scripts(), Duration.ofMillis(1));
        brief.forward("saga", "car");
        await().until(() -> brief.fenceRows("car") == 0);
        assertThat(brief.compensate("car", true)).isEqualTo(Compensation.FENCE_ROW_MISSING);
        assertThat(brief.confirm("car", true)).isEqualTo(Confirmation.FORWARD_MISSING);
        assertThat(brief.bookings("car")).isEqualTo(1);
    }

    @Test
    void the_row_is_beside_the_keys_of_the_script() {
        assertThat(RedisFence.row(RedisFence.tagOf("stock:{7}:held"), "s", "b")).isEqualTo("omega:fence:{7}:s:b");
        assertThat(RedisFence.tagOf("stock:7")).isEqualTo("stock:7");
        assertThat(RedisFence.tagOf("a}b{c}d")).isEqualTo("c");
        assertThatThrownBy(() -> RedisFence.tagOf("{}stock")).hasMessageContaining("braces that are no hash tag");
    }

    @Test
    void a_script_that_cannot_run_beside_a_row_is_refused() {
        assertThatThrownBy(() -> new RedisFence.Work("return 1", List.of("stock:7", "holds:7"), List.of()))
                .hasMessageContaining("'stock:7' and 'holds:7'")
                .hasMessageContaining("different hash tags");
        assertThatThrownBy(() -> new RedisFence.Work("return 1", List.of(), List.of()))
                .hasMessageContaining("needs a key");
        assertThatThrownBy(() -> new RedisFence.Work("#!lua\nreturn 1", List.of("stock"), List.of()))
                .hasMessageContaining("no line '#!'");
    }

    @Test
    void the_id_is_given_once() {
        String id = RedisFence.idOrNew(kind.scripts());
        assertThat(id).hasSize(16);
        assertThat(RedisFence.idOrNew(kind.scripts())).isEqualTo(id);
        assertThat(RedisFence.id(kind.scripts())).hasValue(id);
    }

    @Test
    void without_a_fence_a_script_runs_as_it_is() {
        RedisFence.Work work = participant.work("return {KEYS[1], ARGV[1]}", "car");
        List<?> said = (List<?>) Objects.requireNonNull(participant.plainly(work));
        assertThat(new String((byte[]) said.get(1), UTF_8)).isEqualTo("car");
        assertThat(participant.fenceRows("car")).isZero();
        assertThatThrownBy(() -> participant.plainly(participant.work("return redis.error_reply('NO_CARS')")))
                .hasStackTraceContaining("NO_CARS");
    }
}
