package io.alphaomega.repository.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.alphaomega.repository.RepositoryUnavailableException;
import io.alphaomega.repository.servers.RedisServer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollIoHandler;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** When the connections to a server are renewed. */
final class ServerConnectionTest {
    private final EventLoopGroup loops = new MultiThreadIoEventLoopGroup(1, EpollIoHandler.newFactory());
    private RedisServer redis;
    private Servers servers;
    private Operation operation;
    private Server server;

    @BeforeEach
    void start() {
        redis = RedisServer.start();
        servers = new Servers(Address.of("redis://127.0.0.1:" + redis.port()), Optional.empty(), loops.next());
        operation = Operation.on(servers);
        server = operation.of(Bucket.ALL.getFirst());
    }

    @AfterEach
    void stop() {
        servers.close();
        redis.close();
        loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
    }

    @Test
    void whoever_gives_one_up_gives_up_all_that_there_were() {
        var writing = server.writing().commands(operation);
        var loading = server.loading().commands(operation);
        assertThat(server.loading().commands(operation)).isSameAs(loading);
        server.writing().drop(writing);
        assertThat(server.writing().commands(operation)).isNotSameAs(writing);
        assertThat(server.loading().commands(operation)).isNotSameAs(loading);
    }

    @Test
    void whoever_comes_late_does_not_give_up_what_has_been_renewed() {
        var before = server.writing().commands(operation);
        server.writing().drop(before);
        var after = server.writing().commands(operation);
        var loading = server.loading().commands(operation);
        server.writing().drop(before);
        assertThat(server.writing().commands(operation)).isSameAs(after);
        assertThat(server.loading().commands(operation)).isSameAs(loading);
    }

    @Test
    void a_replica_is_asked_but_not_read_from_nor_written_to() {
        redis.ask("REPLICAOF", "127.0.0.1", "1");
        for (ServerConnection connection : List.of(server.writing(), server.loading())) {
            assertThatExceptionOfType(RepositoryUnavailableException.class)
                    .isThrownBy(() -> connection.commands(operation))
                    .withMessageContainingAll("127.0.0.1:" + redis.port(), "is a replica");
        }
        String answer = ScriptCalls.one(operation, server.asking(), commands -> commands.ping());
        assertThat(answer).isEqualTo("PONG");
    }
}
