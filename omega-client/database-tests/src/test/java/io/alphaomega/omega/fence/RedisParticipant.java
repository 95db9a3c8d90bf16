package io.alphaomega.omega.fence;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A service's data in Redis in a test: a hash of bookings by branch, empty, under a hash tag of its own. */
final class RedisParticipant implements Guarded {
    static final Duration LIFETIME = Duration.ofDays(90);

    private static final String BOOK = "return redis.call('HINCRBY', KEYS[1], ARGV[1], 1)";

    private static final String CANCEL = """
            local booked = tonumber(redis.call('HGET', KEYS[1], ARGV[1]) or 0)
            if booked < 1 then return redis.error_reply('NOT_BOOKED ' .. ARGV[1]) end
            return redis.call('HINCRBY', KEYS[1], ARGV[1], -1)
            """;

    private final String tag;
    private final RedisFence.Scripts redis;
    private final RedisFence fence;

    RedisParticipant(RedisFence.Scripts redis) {
        this(redis, LIFETIME);
    }

    RedisParticipant(RedisFence.Scripts redis, Duration lifetime) {
        this(redis, new RedisFence(lifetime), "desk-" + UUID.randomUUID());
    }

    private RedisParticipant(RedisFence.Scripts redis, RedisFence fence, String tag) {
        this.redis = redis;
        this.fence = fence;
        this.tag = tag;
    }

    /** The same data, through another connection. */
    RedisParticipant through(RedisFence.Scripts other) {
        return new RedisParticipant(other, fence, tag);
    }

    RedisFence fence() {
        return fence;
    }

    /** A script whose first key is that of the bookings. */
    RedisFence.Work work(String script, String... arguments) {
        List<byte[]> encoded =
                Arrays.stream(arguments).map(each -> each.getBytes(UTF_8)).toList();
        return new RedisFence.Work(script, List.of("{" + tag + "}:bookings"), encoded);
    }

    @Override
    public Forward.Verdict forward(String branch) {
        return forward("saga", branch);
    }

    @Override
    public Forward.Verdict forward(String saga, String branch) {
        return fence.forward(redis, saga, branch, work(BOOK, branch), true).verdict();
    }

    /** With another script than that of a booking. */
    RedisFence.Answer<Forward.Verdict> forward(String branch, RedisFence.Work work) {
        return fence.forward(redis, "saga", branch, work, true);
    }

    @Override
    public boolean bar(String branch) {
        return fence.bar(redis, "saga", branch, tag);
    }

    @Override
    public Compensation compensate(String branch, boolean forwardEnded) {
        return compensate(branch, forwardEnded, work(CANCEL, branch)).verdict();
    }

    RedisFence.Answer<Compensation> compensate(String branch, boolean forwardEnded, RedisFence.Work work) {
        return fence.compensation(redis, "saga", branch, work, forwardEnded);
    }

    @Override
    public Confirmation confirm(String branch, boolean fenced) {
        if (!fenced) throw new IllegalArgumentException("Nobody asks this fence about other branches.");
        return confirm(branch, work("return 1"));
    }

    Confirmation confirm(String branch, RedisFence.Work work) {
        return fence.confirmation(redis, "saga", branch, work).verdict();
    }

    @Override
    public int bookings(String branch) {
        return (int) number(plainly(work("return tonumber(redis.call('HGET', KEYS[1], ARGV[1]) or 0)", branch)));
    }

    /** Its operations: replies are beside them. */
    @Override
    public int fenceRows(String branch) {
        String script = """
                local rows = 0
                for _, field in ipairs(redis.call('HKEYS', KEYS[1])) do
                  if not string.find(field, ':') then rows = rows + 1 end
                end
                return rows
                """;
        return (int) number(plainly(onRow(script, branch)));
    }

    /** How long the row will live; -2 if there is none. */
    Duration life(String branch) {
        return Duration.ofMillis(number(plainly(onRow("return redis.call('PTTL', KEYS[1])", branch))));
    }

    /** A script whose only key is the row. */
    RedisFence.Work onRow(String script, String branch) {
        return new RedisFence.Work(script, List.of(RedisFence.row(tag, "saga", branch)), List.of());
    }

    @Nullable
    Object plainly(RedisFence.Work work) {
        return RedisFence.plainly(redis, work);
    }

    private static long number(@Nullable Object reply) {
        return reply instanceof Long number ? number : -1;
    }
}
