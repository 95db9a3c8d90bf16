package io.alphaomega.server.bench;

import io.alphaomega.repository.Append;
import io.alphaomega.repository.AppendResult.Appended;
import io.alphaomega.repository.Cursor;
import io.alphaomega.repository.Page;
import io.alphaomega.repository.SagaQuery;
import io.alphaomega.repository.SagaRepository;
import io.alphaomega.repository.SagaSummary;
import io.alphaomega.repository.elasticsearch.ElasticsearchSagaIndex;
import io.alphaomega.repository.elasticsearch.ElasticsearchSagaIndex.Entry;
import io.alphaomega.repository.elasticsearch.ElasticsearchSagaRepository;
import io.alphaomega.repository.elasticsearch.ElasticsearchSettings;
import io.alphaomega.repository.jdbc.embedded.EmbeddedRepository;
import io.alphaomega.repository.jdbc.server.ServerRepository;
import io.alphaomega.repository.redis.RedisSagaRepository;
import io.alphaomega.repository.servers.DatabaseServer;
import io.alphaomega.repository.servers.ElasticsearchServer;
import io.alphaomega.repository.servers.MariaDbServer;
import io.alphaomega.repository.servers.MySqlServer;
import io.alphaomega.repository.servers.PostgreSqlServer;
import io.alphaomega.repository.servers.RedisServer;
import io.alphaomega.repository.servers.ServerProcess;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;

/** A store that is filled and searched, and the server that it needs. */
final class FilledStore implements AutoCloseable {
    private static final int AT_ONCE = 1_000;
    private static final Duration SHOWN_WITHIN = Duration.ofMinutes(2);

    /** Which store. */
    enum Kind {
        EMBEDDED,
        MARIADB,
        MYSQL,
        POSTGRESQL,
        REDIS,
        ELASTICSEARCH,
        SEARCH_INDEX;

        FilledStore start() {
            return switch (this) {
                case EMBEDDED -> {
                    Path directory = ServerProcess.newDirectory("embedded");
                    yield of(EmbeddedRepository.in(directory.resolve("store")), () -> ServerProcess.delete(directory));
                }
                case MARIADB -> of(MariaDbServer.start("--innodb_buffer_pool_size=1G", "--innodb_log_file_size=512M"));
                case MYSQL -> of(MySqlServer.start("--innodb_buffer_pool_size=1G", "--innodb_redo_log_capacity=512M"));
                case POSTGRESQL ->
                    of(PostgreSqlServer.start("shared_buffers=1GB", "max_wal_size=4GB", "autovacuum_naptime=5s"));
                case REDIS -> {
                    RedisServer server = RedisServer.start("appendfsync everysec");
                    yield of(
                            new RedisSagaRepository(
                                    RedisSagaRepository.Settings.of("redis://127.0.0.1:" + server.port())),
                            server);
                }
                case ELASTICSEARCH -> {
                    ElasticsearchServer server = elasticsearch();
                    yield of(new ElasticsearchSagaRepository(settings(server)), server);
                }
                case SEARCH_INDEX -> {
                    ElasticsearchServer server = elasticsearch();
                    ElasticsearchSagaIndex index = new ElasticsearchSagaIndex(settings(server));
                    yield new FilledStore(FilledStore.into(index), index::find, index, server);
                }
            };
        }

        /** Set up as for work, unlike that of the tests. */
        private static ElasticsearchServer elasticsearch() {
            return ElasticsearchServer.start(ElasticsearchServer.V9, "-Xms1g", "-Xmx1g", "-XX:TieredStopAtLevel=4");
        }

        private static ElasticsearchSettings settings(ElasticsearchServer server) {
            return new ElasticsearchSettings(
                    List.of(URI.create("http://127.0.0.1:" + server.port())),
                    Optional.empty(),
                    Optional.empty(),
                    "alpha",
                    1,
                    0);
        }

        private static FilledStore of(DatabaseServer server) {
            return of(ServerRepository.at(server.url(), DatabaseServer.USER, DatabaseServer.PASSWORD), server);
        }

        private static FilledStore of(SagaRepository repository, AutoCloseable... servers) {
            return new FilledStore(FilledStore.into(repository), repository::find, repository, servers);
        }
    }

    /** As of a repository. */
    interface Finding {
        Page<SagaSummary> find(SagaQuery query, Cursor cursor, int limit);
    }

    private final Consumer<List<Append>> putting;
    private final Finding finding;
    private final Deque<AutoCloseable> toClose = new ArrayDeque<>();

    /** @param servers are closed last */
    private FilledStore(
            Consumer<List<Append>> putting, Finding finding, AutoCloseable client, AutoCloseable... servers) {
        this.putting = putting;
        this.finding = finding;
        toClose.add(client);
        toClose.addAll(List.of(servers));
    }

    private static Consumer<List<Append>> into(SagaRepository repository) {
        return batch -> {
            if (!repository.append(batch).stream().allMatch(Appended.class::isInstance)) {
                throw new IllegalStateException("The store is to be filled, but has some of these sagas already.");
            }
        };
    }

    private static Consumer<List<Append>> into(ElasticsearchSagaIndex index) {
        return batch -> index.put(
                batch.stream().map(append -> new Entry(append.summary(), 1)).toList());
    }

    /** Returns once all can be found. */
    Duration fill(int sagas) {
        Population population = new Population(sagas);
        long begun = System.nanoTime();
        for (int from = 0; from < sagas; from += AT_ONCE) {
            putting.accept(IntStream.range(from, Math.min(sagas, from + AT_ONCE))
                    .mapToObj(population::append)
                    .toList());
        }
        Duration took = Duration.ofNanos(System.nanoTime() - begun);
        SagaQuery last = SagaQuery.ALL.id(population.last().id());
        Awaitility.await()
                .atMost(SHOWN_WITHIN)
                .until(() -> !find(last, Cursor.START, 1).items().isEmpty());
        return took;
    }

    Page<SagaSummary> find(SagaQuery query, Cursor cursor, int limit) {
        return finding.find(query, cursor, limit);
    }

    @Override
    public void close() {
        try {
            for (AutoCloseable each : toClose) each.close();
        } catch (Exception e) {
            throw new IllegalStateException("A store that was measured could not be stopped.", e);
        }
    }
}
