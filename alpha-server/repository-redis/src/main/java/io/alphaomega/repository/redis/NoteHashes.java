package io.alphaomega.repository.redis;

import io.alphaomega.repository.RepositoryUnavailableException;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.api.async.RedisAsyncCommands;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * What nodes note about the store: a hash. In a cluster each bucket has one, so that no server can be set back to an
 * earlier time without its notes, wherever its buckets have moved.
 */
final class NoteHashes {
    private NoteHashes() {}

    private static List<Bucket> places(Operation operation) {
        return operation.isCluster() ? Bucket.ALL : List.of(Bucket.ALL.getFirst());
    }

    static Map<String, String> all(Operation operation) {
        Map<String, String> notes = null;
        for (Bucket bucket : places(operation)) {
            Map<String, String> here = in(operation, bucket);
            if (notes == null) {
                notes = here;
                continue;
            }
            notes.keySet().retainAll(here.keySet());
            notes.replaceAll((name, text) -> first(text, here.getOrDefault(name, text)));
        }
        return notes == null ? Map.of() : notes;
    }

    private static String first(String one, String other) {
        return one.compareTo(other) <= 0 ? one : other;
    }

    private static Map<String, String> in(Operation operation, Bucket bucket) {
        Map<String, String> notes = new HashMap<>();
        ScriptCalls.one(operation, bucket, commands -> commands.hgetall(bucket.notes()))
                .forEach((name, text) -> notes.put(text(name), text(text)));
        return notes;
    }

    /** @param replicas how many must have it before this returns */
    static void put(Operation operation, String name, String text, int replicas) {
        byte[] field = name.getBytes(StandardCharsets.US_ASCII);
        byte[] value = text.getBytes(StandardCharsets.US_ASCII);
        for (Bucket bucket : places(operation)) {
            if (text.isEmpty()) write(operation, bucket, commands -> commands.hdel(bucket.notes(), field));
            else write(operation, bucket, commands -> commands.hset(bucket.notes(), field, value));
            if (replicas > 0) ScriptCalls.copied(operation, operation.of(bucket), bucket, replicas);
        }
    }

    /** Once: a bucket that has moved meanwhile is found where it is the next time. */
    private static <T> void write(
            Operation operation, Bucket bucket, Function<RedisAsyncCommands<byte[], byte[]>, RedisFuture<T>> command) {
        try {
            T unused = ScriptCalls.one(operation, operation.of(bucket).writing(), command);
        } catch (RepositoryUnavailableException e) {
            operation.forgetRoutes();
            throw e;
        }
    }

    private static String text(byte[] ascii) {
        return new String(ascii, StandardCharsets.US_ASCII);
    }
}
