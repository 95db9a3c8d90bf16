package io.alphaomega.omega.redis;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.alphaomega.omega.fence.RedisFence;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisScriptingCommands;
import org.springframework.data.redis.connection.ReturnType;
import org.springframework.data.redis.core.script.RedisScript;

/**
 * Runs scripts through a connection of its own, never through one that Spring has bound to the thread's transaction: what
 * is queued there has no answer yet.
 */
final class RedisScripts implements RedisFence.Scripts {
    private final RedisConnectionFactory connections;

    RedisScripts(RedisConnectionFactory connections) {
        this.connections = connections;
    }

    @Override
    public List<? extends @Nullable Object> run(String script, List<byte[]> keys, List<byte[]> arguments) {
        List<byte[]> all = new ArrayList<>(keys);
        all.addAll(arguments);
        byte[][] keysAndArguments = all.toArray(new byte[0][]);
        try (RedisConnection connection = connections.getConnection()) {
            RedisScriptingCommands scripting = connection.scriptingCommands();
            return said(sent(scripting, script, keys.size(), keysAndArguments));
        }
    }

    private static @Nullable Object sent(
            RedisScriptingCommands scripting, String script, int keys, byte[][] keysAndArguments) {
        try {
            return scripting.evalSha(RedisScript.of(script).getSha1(), ReturnType.MULTI, keys, keysAndArguments);
        } catch (RuntimeException e) {
            if (!isUnknown(e)) throw e;
            return scripting.eval(script.getBytes(UTF_8), ReturnType.MULTI, keys, keysAndArguments);
        }
    }

    /** Whether this Redis, or this node of it, has not seen the script since it was started. */
    private static boolean isUnknown(Throwable thrown) {
        Throwable each = thrown;
        for (int depth = 0; each != null && depth < 10; depth++, each = each.getCause()) {
            String message = each.getMessage();
            if (message != null && message.contains("NOSCRIPT")) return true;
        }
        return false;
    }

    private static List<? extends @Nullable Object> said(@Nullable Object answer) {
        if (answer instanceof List<?> elements) return elements;
        throw new IllegalStateException(
                "Redis has answered the fence's script with " + answer + ", not with an array.");
    }
}
