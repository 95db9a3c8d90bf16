package io.alphaomega.omega.redis;

import io.alphaomega.omega.fence.RedisFence;
import org.jspecify.annotations.Nullable;

/** The forward call or the callback of a branch that runs on a thread, as its fence in Redis sees it. For omega itself. */
public interface RedisStep {
    /** Stands for a reply that was not kept. */
    enum NotKept {
        REPLY
    }

    String saga();

    String branch();

    /** Runs the script, or answers for it: its reply, or {@link NotKept}. */
    @Nullable
    Object run(FencedRedis redis, RedisFence.Work work);

    /** What {@link #open} opens. */
    interface Scope {
        void close();
    }

    /** Puts this thread into the step until the scope is closed; then it is where it was before. */
    static Scope open(RedisStep step) {
        return FencedRedis.within(step);
    }

    /** How scripts are run at that Redis, without a fence. */
    static RedisFence.Scripts scripts(FencedRedis redis) {
        return redis.scripts();
    }

    /** From now on that Redis refuses what is in a saga but in no step. */
    static void guard(FencedRedis redis) {
        redis.guard();
    }
}
