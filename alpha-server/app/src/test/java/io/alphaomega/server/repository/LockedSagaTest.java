package io.alphaomega.server.repository;

import static org.assertj.core.api.Assertions.assertThat;

import io.alphaomega.repository.Append;
import io.alphaomega.repository.AppendResult;
import io.alphaomega.repository.AppendResult.Appended;
import io.alphaomega.repository.AppendResult.Conflict;
import io.alphaomega.repository.AppendResult.Locked;
import io.alphaomega.repository.Version;
import io.alphaomega.repository.campaign.Ledger;
import io.alphaomega.repository.jdbc.server.ServerRepository;
import io.alphaomega.repository.servers.DatabaseServer;
import io.alphaomega.repository.servers.MariaDbServer;
import io.alphaomega.repository.servers.MySqlServer;
import io.alphaomega.repository.servers.PostgreSqlServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Sagas whose rows somebody else holds, as an alpha does that was paused in the middle of a transaction, under load. */
@Timeout(600)
class LockedSagaTest {
    /** As long as a server leaves them to a node that is paused. */
    private static final Duration HELD = Duration.ofSeconds(8);

    private static final int WALKERS = 64;
    private static final int APPENDS_OF_A_SAGA = 6;
    private static final int HELD_SAGAS = 20;

    /** Who was refused comes again after some time. */
    private static final Duration AGAIN = Duration.ofMillis(250);

    static Stream<Named<Supplier<DatabaseServer>>> servers() {
        return Stream.of(
                Named.of("MariaDB", MariaDbServer::start),
                Named.of("MySQL", MySqlServer::start),
                Named.of("PostgreSQL", PostgreSqlServer::start));
    }

    /** How long each append of the others took. */
    private final Queue<Long> free = new ConcurrentLinkedQueue<>();

    private final Queue<Long> meanwhile = new ConcurrentLinkedQueue<>();
    private final AtomicInteger innocent = new AtomicInteger();
    private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
    private volatile boolean held;
    private volatile boolean over;

    @ParameterizedTest
    @MethodSource("servers")
    void sagas_that_somebody_holds_disturb_no_other(Supplier<DatabaseServer> starting) throws Exception {
        try (DatabaseServer server = starting.get();
                GroupCommit commits = new GroupCommit(
                        ServerRepository.at(server.url(), DatabaseServer.USER, DatabaseServer.PASSWORD),
                        GroupCommit.Limits.ofLanes(2));
                Connection holder = DriverManager.getConnection(
                        server.url().replace("jdbc:mysql:", "jdbc:mariadb:"),
                        DatabaseServer.USER,
                        DatabaseServer.PASSWORD)) {
            List<String> running = ids("running");
            List<String> beginning = ids("beginning");
            List<Append> next = new ArrayList<>();
            for (String id : running) {
                Appended begun = (Appended)
                        commits.submit(Ledger.item(id, Version.NONE, 1)).join();
                next.add(Ledger.item(id, begun.version(), 1));
            }
            for (String id : beginning) next.add(Ledger.item(id, Version.NONE, 1));
            Walker[] walkers = IntStream.range(0, WALKERS)
                    .mapToObj(i -> new Walker(commits))
                    .toArray(Walker[]::new);
            awaitEach(walkers, 3);

            hold(holder, running, beginning);
            held = true;
            long since = System.nanoTime();
            List<Refused> refused =
                    next.stream().map(item -> new Refused(commits, item)).toList();
            for (Walker walker : walkers) walker.sagas.set(0);
            awaitEach(walkers, 3);
            Awaitility.await().until(() -> System.nanoTime() - since > HELD.toNanos());
            assertThat(refused).noneMatch(each -> each.stored != null);
            held = false;
            holder.rollback();

            Awaitility.await()
                    .untilAsserted(() -> assertThat(refused).allMatch(each -> each.stored instanceof Appended));
            over = true;
            for (Walker walker : walkers) walker.thread.join();

            assertThat(failures).isEmpty();
            assertThat(innocent.get())
                    .as("told that they are held, though they are not: a few, as holding begins")
                    .isLessThanOrEqualTo(meanwhile.size() / 100);
            assertThat(commits.outages()).isZero();
            assertThat(refused).allMatch(each -> each.locked.get() > 0);
            for (Append item : next) {
                assertThat(commits.load(item.id()).events())
                        .hasSize((int) item.expected().sequence() + 1);
            }
            System.out.printf(
                    "== %s: of others, ms at p50 / p99 / p99.9 / most: %s; while %d sagas were held: %s%n",
                    server.url().replaceAll(":/.*", ""), text(free), next.size(), text(meanwhile));
        }
    }

    private static String text(Queue<Long> nanos) {
        long[] sorted = nanos.stream().mapToLong(Long::longValue).sorted().toArray();
        return DoubleStream.of(0.5, 0.99, 0.999, 1)
                .mapToObj(part -> "%.1f".formatted(sorted[(int) (part * (sorted.length - 1))] / 1e6))
                .collect(Collectors.joining(" / ", "", " of " + sorted.length));
    }

    private static List<String> ids(String kind) {
        return IntStream.range(0, HELD_SAGAS)
                .mapToObj(i -> kind + "-" + i + "-" + UUID.randomUUID())
                .toList();
    }

    private void awaitEach(Walker[] walkers, int sagas) {
        Awaitility.await()
                .failFast(() -> assertThat(failures).isEmpty())
                .until(() -> Stream.of(walkers).allMatch(walker -> walker.sagas.get() >= sagas));
    }

    /** Changes some sagas and begins others, as an alpha does, and does not get done. */
    private static void hold(Connection holder, List<String> running, List<String> beginning) throws SQLException {
        // MySQL's default would lock the gaps between the rows too, if it thought the table small enough to scan.
        holder.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
        holder.setAutoCommit(false);
        try (Statement statement = holder.createStatement()) {
            String columns;
            try (ResultSet none = statement.executeQuery("SELECT * FROM sagas WHERE id = ''")) {
                List<String> names = new ArrayList<>();
                for (int i = 2; i <= none.getMetaData().getColumnCount(); i++) {
                    names.add(none.getMetaData().getColumnName(i));
                }
                columns = String.join(", ", names);
            }
            for (String id : beginning) {
                statement.execute("INSERT INTO sagas (id, %1$s) SELECT '%2$s', %1$s FROM sagas WHERE id = '%3$s'"
                        .formatted(columns, id, running.getFirst()));
            }
            for (String id : running) {
                statement.execute("UPDATE sagas SET reason = 'held' WHERE id = '" + id + "'");
            }
        }
    }

    /** Somebody whose sagas nobody else knows, one after the other. */
    private final class Walker {
        private final GroupCommit commits;
        private final Thread thread;

        /** Sagas that it has begun and gone on with since this was set to 0. */
        private final AtomicInteger sagas = new AtomicInteger();

        private Walker(GroupCommit commits) {
            this.commits = commits;
            thread = Thread.ofVirtual().start(this::walk);
        }

        private void walk() {
            try {
                while (!over) {
                    Version version = Version.NONE;
                    String id = UUID.randomUUID().toString();
                    for (int i = 0; i < APPENDS_OF_A_SAGA; i++) {
                        boolean during = held;
                        long begun = System.nanoTime();
                        AppendResult result =
                                commits.submit(Ledger.item(id, version, 1)).join();
                        (during ? meanwhile : free).add(System.nanoTime() - begun);
                        switch (result) {
                            case Appended appended -> version = appended.version();
                            case Locked unlucky -> {
                                innocent.incrementAndGet();
                                i--;
                            }
                            case Conflict conflict -> throw new AssertionError(id + ": " + conflict);
                        }
                    }
                    sagas.incrementAndGet();
                }
            } catch (Throwable e) {
                failures.add(e);
            }
        }
    }

    /** Somebody whose saga is held, and who comes again as long as he is told so. */
    private final class Refused {
        private final AtomicInteger locked = new AtomicInteger();
        private volatile @Nullable AppendResult stored;

        private Refused(GroupCommit commits, Append item) {
            Thread.ofVirtual().start(() -> {
                try {
                    AppendResult result = commits.submit(item).join();
                    for (;
                            result instanceof Locked;
                            result = commits.submit(item).join()) {
                        locked.incrementAndGet();
                        LockSupport.parkNanos(AGAIN.toNanos());
                    }
                    stored = result;
                } catch (Throwable e) {
                    failures.add(e);
                }
            });
        }
    }
}
