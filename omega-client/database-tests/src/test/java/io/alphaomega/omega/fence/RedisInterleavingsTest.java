package io.alphaomega.omega.fence;

import io.alphaomega.repository.servers.RedisServer;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** In Redis, over connections of their own. */
class RedisInterleavingsTest {
    private static final RedisServer SERVER = RedisServer.start();
    private static final RedisClient CLIENT = RedisClient.create(RedisURI.create("127.0.0.1", SERVER.port()));

    private final RedisParticipant participant = new RedisParticipant(new Connection(CLIENT));
    private final Interleavings interleavings =
            new Interleavings("Redis", () -> participant.through(new Connection(CLIENT)));

    @AfterAll
    static void stop() {
        CLIENT.shutdown();
        SERVER.close();
    }

    @Test
    void each_of_some_hundreds_ends_with_nothing_booked_and_all_told_the_truth() throws Exception {
        interleavings.withCompensations(400);
    }

    @Test
    void each_of_some_hundreds_is_booked_and_confirmed_once() throws Exception {
        interleavings.withConfirmations(400);
    }

    @Test
    @Tag("long")
    void each_of_10_000_ends_with_nothing_booked_and_all_told_the_truth() throws Exception {
        interleavings.withCompensations(10_000);
    }

    @Test
    @Tag("long")
    void each_of_2_000_is_booked_and_confirmed_once() throws Exception {
        interleavings.withConfirmations(2_000);
    }

    /** One connection, for one thread at a time. */
    private static final class Connection implements RedisFence.Scripts {
        private final StatefulRedisConnection<byte[], byte[]> connection;

        Connection(RedisClient client) {
            this.connection = client.connect(ByteArrayCodec.INSTANCE);
        }

        @Override
        public List<? extends @Nullable Object> run(String script, List<byte[]> keys, List<byte[]> arguments) {
            byte[][] itsKeys = keys.toArray(new byte[0][]);
            byte[][] itsArguments = arguments.toArray(new byte[0][]);
            String digest = connection.sync().digest(script);
            List<Object> said;
            try {
                said = connection.sync().evalsha(digest, ScriptOutputType.MULTI, itsKeys, itsArguments);
            } catch (RedisNoScriptException unknown) {
                said = connection.sync().eval(script, ScriptOutputType.MULTI, itsKeys, itsArguments);
            }
            return Objects.requireNonNull(said);
        }
    }
}
