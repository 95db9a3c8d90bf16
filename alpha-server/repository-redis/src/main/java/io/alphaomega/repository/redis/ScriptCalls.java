package io.alphaomega.repository.redis;

import io.alphaomega.repository.RepositoryUnavailableException;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.NestedMultiOutput;
import io.lettuce.core.protocol.CommandType;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;

/**
 * Calls of scripts: sent together, answered together, each executed once at most. Sent again is only what a server has
 * refused to begin: a script that it does not know yet, or keys that another server has.
 */
final class ScriptCalls {
    /** Not known, moved, not known there either, done: more is a cluster in disorder. */
    private static final int ROUNDS = 4;

    /** Shorter than {@link ServerConnection#ANSWER_WITHIN}: Redis must be able to say that the replicas have not answered. */
    private static final long REPLICAS_WITHIN_MILLIS = 3_000;

    /** One call of a script. In a cluster all keys are in one bucket; otherwise that of the first stands for all. */
    record Call(Bucket bucket, CommandArguments keys, CommandArguments arguments) {}

    /** A call on its way. */
    private static final class Pending {
        final int number;
        final Call call;
        boolean unknownScript;

        Pending(int number, Call call) {
            this.number = number;
            this.call = call;
        }
    }

    /** A connection in use. */
    private record Line(ServerConnection connection, RedisAsyncCommands<byte[], byte[]> commands) {}

    private record Sent(Pending pending, Line line, RedisFuture<List<Object>> answer) {}

    private final Operation operation;
    private final LuaScript script;

    /** How many replicas must have what the calls wrote; -1 for calls that write nothing that matters. */
    private final int replicas;

    private ScriptCalls(Operation operation, LuaScript script, int replicas) {
        this.operation = operation;
        this.script = script;
        this.replicas = replicas;
    }

    /** What the script returns for each call. */
    static List<List<Object>> reading(Operation operation, LuaScript script, List<Call> calls) {
        return new ScriptCalls(operation, script, -1).run(calls);
    }

    /** What the script returns for each call, once as many replicas have what it wrote. */
    static List<List<Object>> writing(Operation operation, LuaScript script, List<Call> calls, int replicas) {
        return new ScriptCalls(operation, script, replicas).run(calls);
    }

    private List<List<Object>> run(List<Call> calls) {
        List<Pending> pending = new ArrayList<>(calls.size());
        for (Call call : calls) pending.add(new Pending(pending.size(), call));
        List<List<Object>> answers = new ArrayList<>(Collections.nCopies(calls.size(), List.of()));
        for (int round = 0; round < ROUNDS; round++) {
            pending = round(pending, answers);
            if (pending.isEmpty()) return answers;
        }
        throw new RepositoryUnavailableException(
                "%s redirects alpha from one server to another. The cluster is being changed."
                        .formatted(operation.name()));
    }

    /** Returns what was refused. */
    private List<Pending> round(List<Pending> pending, List<List<Object>> answers) {
        Map<ServerConnection, Line> lines = new LinkedHashMap<>();
        // All are connected to before anything is sent to one.
        for (Pending each : pending) lines.computeIfAbsent(connection(each.call), this::connected);
        List<Sent> sent = new ArrayList<>(pending.size());
        for (Pending each : pending) {
            Line line = lines.computeIfAbsent(connection(each.call), this::connected);
            sent.add(new Sent(each, line, send(line.commands(), each)));
        }
        Map<Line, RedisFuture<Long>> copies = new LinkedHashMap<>();
        if (replicas > 0) {
            for (Line line : lines.values()) copies.put(line, waitForCopies(line.commands(), replicas));
        }
        List<Pending> refused = new ArrayList<>();
        for (Sent each : sent) receive(each, answers, refused);
        copies.forEach((line, count) -> requireCopies(line.connection(), await(operation, line, count), replicas));
        return refused;
    }

    private ServerConnection connection(Call call) {
        Server server = operation.of(call.bucket());
        return replicas < 0 ? server.asking() : server.writing();
    }

    private Line connected(ServerConnection connection) {
        try {
            return new Line(connection, connection.commands(operation));
        } catch (RepositoryUnavailableException e) {
            operation.forgetRoutes();
            throw e;
        }
    }

    private RedisFuture<List<Object>> send(RedisAsyncCommands<byte[], byte[]> to, Pending pending) {
        return send(to, script, pending.call, pending.unknownScript);
    }

    /** @param whole whether the script goes along, because the server does not know it */
    static RedisFuture<List<Object>> send(
            RedisAsyncCommands<byte[], byte[]> to, LuaScript script, Call call, boolean whole) {
        String which = whole ? script.source() : script.digest();
        CommandArguments arguments = new CommandArguments(
                        which.length() + call.keys().bytes() + call.arguments().bytes() + 64)
                .add(which)
                .add(call.keys().count())
                .addAll(call.keys())
                .addAll(call.arguments());
        return to.dispatch(
                whole ? CommandType.EVAL : CommandType.EVALSHA,
                new NestedMultiOutput<>(ByteArrayCodec.INSTANCE),
                arguments.all());
    }

    private void receive(Sent sent, List<List<Object>> answers, List<Pending> refused) {
        try {
            answers.set(sent.pending().number, await(operation, sent.line(), sent.answer()));
        } catch (RepositoryUnavailableException e) {
            if (e.getCause() instanceof RedisNoScriptException) {
                sent.pending().unknownScript = true;
            } else if (Failures.isMoved(e) && operation.isCluster()) {
                operation.forgetRoutes();
                sent.pending().unknownScript = false;
            } else {
                operation.forgetRoutes();
                throw e;
            }
            refused.add(sent.pending());
        }
    }

    private static RedisFuture<Long> waitForCopies(RedisAsyncCommands<byte[], byte[]> to, int replicas) {
        return to.waitForReplication(replicas, REPLICAS_WITHIN_MILLIS);
    }

    private static void requireCopies(ServerConnection connection, long copies, int replicas) {
        if (copies >= replicas) return;
        throw new RepositoryUnavailableException(
                "%s has stored it, but only %d of %d replicas (alpha.repository.redis.wait-replicas) have confirmed that within %d ms."
                        .formatted(connection.name(), copies, replicas, REPLICAS_WITHIN_MILLIS));
    }

    /** Returns once so many replicas have all that a server had when this was called, whoever wrote it. */
    static void copied(Operation operation, Server server, Bucket bucket, int replicas) {
        Line line = new Line(server.writing(), server.writing().commands(operation));
        // Redis waits for what this connection has written, and for all that came before it.
        RedisFuture<String> written = line.commands().set(bucket.probe(), new byte[0]);
        RedisFuture<Long> copies = waitForCopies(line.commands(), replicas);
        await(operation, line, written);
        requireCopies(line.connection(), await(operation, line, copies), replicas);
    }

    /** The answer to one command that changes nothing. */
    static <T> T one(
            Operation operation,
            ServerConnection connection,
            Function<RedisAsyncCommands<byte[], byte[]>, RedisFuture<T>> command) {
        Line line = new Line(connection, connection.commands(operation));
        return await(operation, line, command.apply(line.commands()));
    }

    /** The answer to one command that reads in one bucket. */
    static <T> T one(
            Operation operation, Bucket bucket, Function<RedisAsyncCommands<byte[], byte[]>, RedisFuture<T>> command) {
        try {
            return one(operation, operation.of(bucket).loading(), command);
        } catch (RepositoryUnavailableException e) {
            operation.forgetRoutes();
            if (!Failures.isMoved(e)) throw e;
        }
        return one(operation, operation.of(bucket).loading(), command);
    }

    private static <T> T await(Operation operation, Line line, RedisFuture<T> answer) {
        ServerConnection connection = line.connection();
        long nanos = operation.nanosLeft(ServerConnection.ANSWER_WITHIN);
        try {
            return answer.get(nanos, TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            if (Failures.isReplica(e)) connection.drop(line.commands());
            throw Failures.unavailable(connection.name(), e);
        } catch (CancellationException e) {
            throw Failures.unavailable(connection.name(), e);
        } catch (TimeoutException e) {
            // Perhaps nobody is there any more: whoever comes next finds out by a connection of its own. Unless it was
            // the caller who had no more time.
            if (nanos == ServerConnection.ANSWER_WITHIN.toNanos()) connection.drop(line.commands());
            throw Failures.unavailable(connection.name(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw Failures.unavailable(connection.name(), e);
        }
    }
}
