package io.alphaomega.repository.redis;

import io.alphaomega.repository.Append;
import io.alphaomega.repository.AppendResult;
import io.alphaomega.repository.AsyncAppends;
import io.alphaomega.repository.redis.ScriptCalls.Call;
import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.ScheduledFuture;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Appends to a single server on the event loop of its connection. Who needs a connection first, or meets a cluster, goes
 * the way that waits, on a thread of its own.
 */
final class LoopAppends implements AsyncAppends {
    private final RedisSagaRepository repository;
    private final EventLoop loop;

    /** Used on the loop only, where a SecureRandom would have to read a file. */
    private final SplittableRandom random = new SplittableRandom(new SecureRandom().nextLong());

    LoopAppends(RedisSagaRepository repository, EventLoop loop) {
        this.repository = repository;
        this.loop = loop;
    }

    @Override
    public Executor loop() {
        return loop;
    }

    @Override
    public CompletableFuture<List<AppendResult>> append(List<Append> batch) {
        Servers all = repository.serversAtHand();
        Server server = all == null ? null : all.single();
        RedisAsyncCommands<byte[], byte[]> commands =
                server == null ? null : server.writing().commandsAtHand();
        if (server == null || commands == null) {
            return CompletableFuture.supplyAsync(
                    () -> repository.append(batch), Thread.ofVirtual().name("alpha-redis-append")::start);
        }
        try {
            return new Sent(server.writing(), commands, AppendCalls.single(batch, random.nextLong())).sendAll();
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /** A batch under way. All of it happens on the event loop. */
    private final class Sent {
        private final ServerConnection connection;
        private final RedisAsyncCommands<byte[], byte[]> commands;
        private final AppendCalls appends;
        private final CompletableFuture<List<AppendResult>> answer = new CompletableFuture<>();
        private final List<Call> calls;
        private final List<List<Object>> answers;
        private final ScheduledFuture<?> late;
        private int missing;
        private boolean over;

        Sent(ServerConnection connection, RedisAsyncCommands<byte[], byte[]> commands, AppendCalls appends) {
            this.connection = connection;
            this.commands = commands;
            this.appends = appends;
            this.calls = appends.calls();
            this.answers = new ArrayList<>(Collections.nCopies(calls.size(), List.of()));
            this.missing = calls.size();
            this.late = loop.schedule(this::late, ServerConnection.ANSWER_WITHIN.toNanos(), TimeUnit.NANOSECONDS);
        }

        CompletableFuture<List<AppendResult>> sendAll() {
            try {
                for (int i = 0; i < calls.size(); i++) send(i, false);
            } catch (RuntimeException e) {
                failed(e, false);
            }
            return answer;
        }

        private void send(int number, boolean whole) {
            var unused = ScriptCalls.send(commands, LuaScript.APPEND, calls.get(number), whole)
                    .whenComplete((answered, failure) -> {
                        if (failure == null) answered(number, answered);
                        else if (failure instanceof RedisNoScriptException && !whole) sendWhole(number);
                        else unavailable(failure, Failures.isReplica(failure));
                    });
        }

        /** Unless the batch has failed by another call of it. */
        private void sendWhole(int number) {
            if (!over) send(number, true);
        }

        private void answered(int number, List<Object> answered) {
            answers.set(number, answered);
            if (--missing > 0 || over) return;
            List<AppendResult> results;
            try {
                results = appends.results(answers);
            } catch (RuntimeException e) { // Not what the script returns.
                failed(e, false);
                return;
            }
            end();
            repository.wrote(true);
            answer.complete(results);
        }

        /** Perhaps nobody is there any more: whoever comes next finds out by a connection of its own. */
        private void late() {
            unavailable(new TimeoutException(), true);
        }

        private void unavailable(Throwable failure, boolean drop) {
            failed(Failures.unavailable(connection.name(), failure), drop);
        }

        private void failed(RuntimeException failure, boolean drop) {
            if (over) return;
            end();
            repository.wrote(false);
            if (drop) connection.drop(commands);
            answer.completeExceptionally(failure);
        }

        private void end() {
            over = true;
            late.cancel(false);
        }
    }
}
