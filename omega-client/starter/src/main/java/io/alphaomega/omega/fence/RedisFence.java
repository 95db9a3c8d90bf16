package io.alphaomega.omega.fence;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The fence of a participant whose data is in Redis. No transaction of Redis could be rolled back, but Redis does one
 * thing at a time: the business of a step is a script in Lua, and runs inside the fence's own, which reads and writes the
 * row of the branch in the same breath. The answers are those of {@link Fence}.
 *
 * <p>The row is a hash beside the business's keys, with their hash tag, and so on their server in a cluster. It has a field
 * for each operation, and expires by itself. Redis 6 or newer.
 */
public final class RedisFence {
    /** Where the id of the fence is. */
    public static final String ID_KEY = "omega:fence:id";

    /** Kept for duplicates, as results are. */
    private static final String LIMIT = Integer.toString(Fence.RESULT_BYTES);

    private static final String NONE = "-1";

    /** On the line where the business's script begins, so that errors name its lines. */
    private static final String BEFORE = "local function omega_business(KEYS, ARGV, redis, server, ...) ";

    private static final String STEPS = "\nend\n" + resource("fence.lua");

    private static final String PLAINLY = """

            end
            local reply = omega_business(KEYS, ARGV, redis, redis)
            if type(reply) == 'table' and reply.err then return reply end
            return {'RUN', reply}
            """;

    private static final String NOTHING = BEFORE + STEPS;

    private final String lifetime;

    /** @param lifetime how long a row lives after it was last written */
    public RedisFence(Duration lifetime) {
        this.lifetime = Long.toString(lifetime.toMillis());
    }

    /** Whatever runs scripts, such as the connections of a client. */
    public interface Scripts {
        /**
         * Runs a script that answers with an array.
         *
         * @return its elements: strings as {@code byte[]}, integers as {@code Long}, arrays as lists, nothing as null
         */
        List<? extends @Nullable Object> run(String script, List<byte[]> keys, List<byte[]> arguments);
    }

    /**
     * The business of a step.
     *
     * @param script in Lua, as for {@code EVAL}, but without a line {@code #!}
     * @param keys all with the same hash tag; the first says where the row is
     */
    public record Work(String script, List<String> keys, List<byte[]> arguments) {
        /** @throws IllegalArgumentException if it cannot run beside a row */
        public Work {
            if (script.startsWith("#!")) {
                throw new IllegalArgumentException(
                        "A script behind the fence runs inside the fence's own: it has no line '#!'. Remove it.");
            }
            if (keys.isEmpty()) {
                throw new IllegalArgumentException(
                        "A script behind the fence needs a key: the fence's row is beside it. Name the keys that it writes.");
            }
            for (String key : keys) {
                if (tagOf(key).equals(tagOf(keys.get(0)))) continue;
                throw new IllegalArgumentException(
                        "The keys '%s' and '%s' of a script behind the fence have different hash tags, so a cluster might have them on two servers. Give all keys of the script the same, as in {7}:stock and {7}:holds."
                                .formatted(keys.get(0), key));
            }
        }

        /** The hash tag of all keys. */
        public String tag() {
            return tagOf(keys.get(0));
        }
    }

    /**
     * What became of a step.
     *
     * @param effect whether its business has run, now or before
     * @param reply of the business's script; null too if that said nothing, or nothing of it is kept
     */
    public record Answer<V>(
            V verdict, boolean effect, @Nullable Object reply) {}

    /** What the cluster hashes of a key. */
    static String tagOf(String key) {
        int open = key.indexOf('{');
        int close = key.indexOf('}', open + 1);
        if (open >= 0 && close > open + 1) return key.substring(open + 1, close);
        if (key.indexOf('}') < 0) return key;
        throw new IllegalArgumentException(
                "The key '%s' has braces that are no hash tag: no row could be beside it. Choose another name."
                        .formatted(key));
    }

    static String row(String tag, String saga, String branch) {
        return "omega:fence:{" + tag + "}:" + saga + ":" + branch;
    }

    /**
     * Runs the business of a branch, unless it has run, or a compensation or a failure has come.
     *
     * @param keepReply whether the row keeps the reply for duplicates; of a reply larger than {@link Fence#RESULT_BYTES} it
     *     cannot
     * @throws ScriptFailedException if the script raised an error
     */
    public Answer<Forward.Verdict> forward(Scripts redis, String saga, String branch, Work work, boolean keepReply) {
        List<? extends @Nullable Object> said =
                step(redis, "forward", saga, branch, work, keepReply ? LIMIT : NONE, false);
        return switch (word(said)) {
            case "RUN" -> new Answer<>(Forward.Verdict.RUN, true, second(said));
            case "AGAIN" -> new Answer<>(Forward.Verdict.DUPLICATE, true, second(said));
            case "REFUSED" -> new Answer<>(Forward.Verdict.REFUSED, false, null);
            default -> throw failure(said);
        };
    }

    /** As {@link Fence#bar}, of a branch whose business's keys have that hash tag. */
    public boolean bar(Scripts redis, String saga, String branch, String tag) {
        List<byte[]> keys = List.of(bytes(row(tag, saga, branch)));
        List<byte[]> arguments = List.of(bytes("bar"), bytes(lifetime), bytes(NONE), bytes("0"));
        return word(redis.run(NOTHING, keys, arguments)).equals("BARRED");
    }

    /**
     * Undoes the business of a branch, if there is something to undo; if not, a call that comes later is refused.
     *
     * @param rowExpected whether alpha has seen the forward call end, or its row may have expired
     * @throws ScriptFailedException if the script raised an error, or that of the forward call did after it had written
     */
    public Answer<Compensation> compensation(
            Scripts redis, String saga, String branch, Work work, boolean rowExpected) {
        List<? extends @Nullable Object> said = step(redis, "compensation", saga, branch, work, LIMIT, rowExpected);
        return switch (word(said)) {
            case "RUN" -> new Answer<>(Compensation.RUN, true, second(said));
            case "AGAIN" -> new Answer<>(Compensation.DONE_BEFORE, true, second(said));
            case "NOTHING" -> new Answer<>(Compensation.NOTHING_TO_UNDO, false, null);
            case "NOTHING_AGAIN" -> new Answer<>(Compensation.DONE_BEFORE, false, null);
            case "MISSING" -> new Answer<>(Compensation.FENCE_ROW_MISSING, false, null);
            default -> throw failure(said);
        };
    }

    /** Confirms the business of a branch; otherwise as {@link #compensation}. */
    public Answer<Confirmation> confirmation(Scripts redis, String saga, String branch, Work work) {
        List<? extends @Nullable Object> said = step(redis, "confirmation", saga, branch, work, LIMIT, true);
        return switch (word(said)) {
            case "RUN" -> new Answer<>(Confirmation.RUN, true, second(said));
            case "AGAIN" -> new Answer<>(Confirmation.DONE_BEFORE, true, second(said));
            case "MISSING" -> new Answer<>(Confirmation.FORWARD_MISSING, false, null);
            default -> throw failure(said);
        };
    }

    /** Runs a script as it would run behind the fence, but without one: the reply. */
    public static @Nullable Object plainly(Scripts redis, Work work) {
        List<byte[]> keys = work.keys().stream().map(RedisFence::bytes).toList();
        return second(redis.run(BEFORE + work.script() + PLAINLY, keys, work.arguments()));
    }

    /** Which fence this is: its id, if it has got one. */
    public static Optional<String> id(Scripts redis) {
        List<? extends @Nullable Object> said =
                redis.run("return {redis.call('GET', KEYS[1])}", List.of(bytes(ID_KEY)), List.of());
        return said.isEmpty() || said.get(0) == null ? Optional.empty() : Optional.of(word(said));
    }

    /** The same, given to a Redis that has none yet: once, also by several instances at a time. */
    public static String idOrNew(Scripts redis) {
        return word(redis.run(
                "redis.call('SET', KEYS[1], ARGV[1], 'NX') return {redis.call('GET', KEYS[1])}",
                List.of(bytes(ID_KEY)),
                List.of(bytes(FenceRow.newFenceId()))));
    }

    private List<? extends @Nullable Object> step(
            Scripts redis, String step, String saga, String branch, Work work, String limit, boolean rowExpected) {
        List<byte[]> keys = new ArrayList<>();
        keys.add(bytes(row(work.tag(), saga, branch)));
        work.keys().forEach(key -> keys.add(bytes(key)));
        List<byte[]> arguments =
                new ArrayList<>(List.of(bytes(step), bytes(lifetime), bytes(limit), bytes(rowExpected ? "1" : "0")));
        arguments.addAll(work.arguments());
        return redis.run(BEFORE + work.script() + STEPS, keys, arguments);
    }

    private static RuntimeException failure(List<? extends @Nullable Object> said) {
        String about = text(second(said));
        return switch (word(said)) {
            case "FAILED" -> new ScriptFailedException(about, false);
            case "TORN" -> new ScriptFailedException(about, true);
            case "LOST" ->
                new IllegalStateException(
                        "The script has run before, but its reply of %s bytes was not kept, at most %s are: return a key and keep the rest in a key of your own."
                                .formatted(about, LIMIT));
            default -> new IllegalStateException("The fence's script has answered " + word(said) + ".");
        };
    }

    private static String word(List<? extends @Nullable Object> said) {
        return text(said.get(0));
    }

    /** Clients may leave out what is nothing at the end. */
    private static @Nullable Object second(List<? extends @Nullable Object> said) {
        return said.size() > 1 ? said.get(1) : null;
    }

    private static String text(@Nullable Object element) {
        return element instanceof byte[] bytes ? new String(bytes, UTF_8) : String.valueOf(element);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(UTF_8);
    }

    private static String resource(String name) {
        try (InputStream stream = RedisFence.class.getResourceAsStream(name)) {
            if (stream == null) throw new IllegalStateException("omega's jar has no " + name);
            return new String(stream.readAllBytes(), UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
