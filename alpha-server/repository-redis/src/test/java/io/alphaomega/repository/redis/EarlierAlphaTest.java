package io.alphaomega.repository.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.alphaomega.repository.AppendResult.Appended;
import io.alphaomega.repository.Attribute;
import io.alphaomega.repository.Cursor;
import io.alphaomega.repository.SagaQuery;
import io.alphaomega.repository.SagaRepository;
import io.alphaomega.repository.SagaSummary;
import io.alphaomega.repository.SagaSummary.State;
import io.alphaomega.repository.Version;
import io.alphaomega.repository.campaign.Ledger;
import io.alphaomega.repository.redis.RedisSagaRepository.Settings;
import io.alphaomega.repository.servers.Patience;
import io.alphaomega.repository.servers.RedisServer;
import io.alphaomega.saga.SagaId;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What an alpha leaves that knows less of the index, orders and attributes, while it works beside one that knows. */
final class EarlierAlphaTest {
    private static final Instant ORDERED = Instant.parse("2031-05-06T07:08:09.123Z");
    private static final SagaId SAGA = new SagaId("saga");
    private static final SagaQuery OF_ACME = SagaQuery.ALL.attribute(new Attribute("tenant", "acme"));

    private RedisServer server;
    private SagaRepository repository;
    private Version version = Version.NONE;

    @BeforeEach
    void a_saga_with_an_order_and_an_attribute() {
        server = RedisServer.start();
        repository = Patience.opened(new RedisSagaRepository(Settings.of("redis://127.0.0.1:" + server.port())));
        append(ORDERED);
    }

    @AfterEach
    void stop() {
        repository.close();
        server.close();
    }

    private void append(Instant orderedAt) {
        version = ((Appended) repository
                        .append(List.of(Ledger.marked(SAGA.value(), version, orderedAt)))
                        .getFirst())
                .version();
    }

    private List<SagaSummary> ordered() {
        return repository.ordered(Instant.EPOCH, Cursor.START, 10).items();
    }

    private List<SagaSummary> found() {
        return repository.find(OF_ACME, Cursor.START, 10).items();
    }

    private static String text(byte[] key) {
        return new String(key, StandardCharsets.US_ASCII);
    }

    /** As its append does: with the flags that it knows, and nothing behind what they are about. */
    private void forgetMarks() {
        String script = """
                local last = redis.call('LINDEX', KEYS[1], '-1')
                local flags = string.char(bit.band(string.byte(last, 61), 7))
                redis.call('LSET', KEYS[1], '-1', string.sub(last, 1, 60) .. flags .. string.sub(last, 62))""";
        server.ask("EVAL", script, "1", text(Bucket.of(SAGA).saga(SAGA)));
    }

    @Test
    void a_saga_that_it_has_appended_to_is_listed_again_from_the_next_change_on() {
        forgetMarks();
        assertThat(ordered()).as("an order that the saga itself does not tell").isEmpty();

        append(ORDERED.plusSeconds(1));

        assertThat(ordered())
                .as("once, though the index still has the order that was forgotten")
                .extracting(SagaSummary::orderedAt)
                .containsExactly(Optional.of(ORDERED.plusSeconds(1)));
        assertThat(found()).hasSize(1);
    }

    /** It looks for it elsewhere in the index than where it has been since it ended. */
    @Test
    void a_saga_that_it_has_reopened_is_found_once_and_stays() {
        String script = """
                local last, id = redis.call('LINDEX', KEYS[1], '-1'), string.sub(KEYS[1], 13)
                local ended = 'f5' .. string.sub(last, 28, 34) .. id .. string.rep('\\0', 9)
                redis.call('ZADD', string.sub(KEYS[1], 1, 11) .. '/index', '0', ended)""";
        server.ask("EVAL", script, "1", text(Bucket.of(SAGA).saga(SAGA)));
        assertThat(repository.find(SagaQuery.ALL, Cursor.START, 10).items()).hasSize(1);
        assertThat(repository.counts().in(State.COMMITTED)).isEqualTo(1);

        assertThat(repository.purge(ORDERED.plusSeconds(1), 10)).isZero();

        assertThat(repository.find(SagaQuery.ALL, Cursor.START, 10).items()).hasSize(1);
        assertThat(repository.counts().in(State.COMMITTED)).isZero();
        assertThat(repository.load(SAGA).events()).isNotEmpty();
    }

    @Test
    void what_it_has_purged_is_found_by_nothing() {
        server.ask("DEL", text(Bucket.of(SAGA).saga(SAGA)));

        assertThat(ordered()).isEmpty();
        assertThat(found()).isEmpty();
        assertThat(repository.find(SagaQuery.ALL.id(SAGA), Cursor.START, 10).items())
                .isEmpty();
    }
}
