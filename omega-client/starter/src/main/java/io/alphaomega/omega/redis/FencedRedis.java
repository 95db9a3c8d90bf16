package io.alphaomega.omega.redis;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.alphaomega.omega.SagaException;
import io.alphaomega.omega.context.SagaContext;
import io.alphaomega.omega.fence.RedisFence;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.core.script.RedisScript;

/**
 * A Redis behind omega's fence: runs scripts there in branches that say so ({@code @Compensable(fence = "redis")}) and in their
 * callbacks: each takes effect at most once, and none after its compensation. In a service with one Redis it is a bean to
 * inject; one with several defines one for each, and branches name them.
 *
 * <p>Each method of a branch, and each callback, executes <strong>one</strong> script, on its own thread. Outside of sagas
 * a script runs as it is.
 */
public final class FencedRedis {
    private static final ThreadLocal<@Nullable RedisStep> STEP = new ThreadLocal<>();

    private final RedisScripts scripts;
    private volatile boolean guarded;

    public FencedRedis(RedisConnectionFactory connections) {
        this.scripts = new RedisScripts(connections);
    }

    /**
     * Runs the script of this branch, or answers for it. If it has run before, the reply is that of then.
     *
     * <p>It does not return where the script must not run: in a branch that is over
     * ({@link io.alphaomega.omega.SagaAbortedException}), and in a callback that has nothing to do. What is thrown there is
     * omega's: let it pass.
     *
     * @param script in Lua; its result is a {@code String}, {@code Long}, {@code Boolean}, {@code List} or nothing. A script
     *     that cannot do its work raises an error ({@code return redis.error_reply('…')}) <strong>before it writes</strong>:
     *     then it has left nothing. One that returns is done
     * @param keys at least one, all with the same hash tag. The fence's row is beside them, so a callback's keys have the hash
     *     tag of its branch's
     * @param arguments {@code byte[]} as they are, all others as text
     * @return what the script returned, strings decoded as UTF-8
     * @throws org.springframework.data.redis.RedisSystemException if the script raised an error and has left nothing
     * @throws SagaException if it raised one after it had written, or did not run: outside of a branch, or as the second of it
     * @throws IllegalArgumentException if the keys or arguments are not possible; nothing has run
     */
    public <T> @Nullable T execute(RedisScript<T> script, List<String> keys, Object... arguments) {
        Class<T> type = script.getResultType();
        ScriptReplies.requireKnown(type);
        RedisFence.Work work = new RedisFence.Work(script.getScriptAsString(), List.copyOf(keys), encoded(arguments));
        RedisStep step = STEP.get();
        SagaContext saga = SagaContext.current().orElse(null);
        if (step != null && saga != null && isIn(saga, step)) return ScriptReplies.as(type, step.run(this, work));
        if (saga == null || !guarded) return ScriptReplies.as(type, RedisFence.plainly(scripts, work));
        throw new SagaException(
                "A script was executed in saga %s, but not on the thread of a branch that is behind a fence in Redis, nor of its callback; it did not run. Say fence = \"redis\" on the branch's method, or use a StringRedisTemplate for what needs no fence."
                        .formatted(saga.saga()));
    }

    /** What a method calls may have begun another branch, or another saga. */
    private static boolean isIn(SagaContext context, RedisStep step) {
        return context.saga().equals(step.saga()) && context.branch().equals(step.branch());
    }

    private static List<byte[]> encoded(Object... arguments) {
        List<byte[]> encoded = new ArrayList<>();
        for (Object each : arguments) {
            Objects.requireNonNull(each, "A script of Redis takes no null: pass an empty string instead.");
            encoded.add(each instanceof byte[] bytes ? bytes : each.toString().getBytes(UTF_8));
        }
        return encoded;
    }

    static RedisStep.Scope within(RedisStep step) {
        RedisStep before = STEP.get();
        STEP.set(step);
        return () -> {
            if (before == null) STEP.remove();
            else STEP.set(before);
        };
    }

    RedisFence.Scripts scripts() {
        return scripts;
    }

    void guard() {
        guarded = true;
    }
}
