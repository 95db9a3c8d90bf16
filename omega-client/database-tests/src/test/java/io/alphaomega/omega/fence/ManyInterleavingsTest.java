package io.alphaomega.omega.fence;

import static org.assertj.core.api.Assertions.assertThat;

import io.alphaomega.omega.fence.Forward.Verdict;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactory;
import io.r2dbc.spi.IsolationLevel;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.util.function.Tuple2;
import reactor.util.function.Tuples;
import reactor.util.retry.Retry;

/** Many calls race with their compensations over real connections. */
@Tag("long")
class ManyInterleavingsTest {
    private static final int ROUNDS = 10_000;

    /** Pairs of connections that race at a time. */
    private static final int RACERS = 8;

    private static final Duration LIMIT = Duration.ofMinutes(5);

    private static final ReactiveFence FENCE = new ReactiveFence(Clock.systemUTC());

    private final AtomicInteger ranFirst = new AtomicInteger();
    private final AtomicInteger lost = new AtomicInteger();

    @AfterAll
    static void stop() {
        Databases.stop();
    }

    @ParameterizedTest
    @EnumSource
    void each_of_10_000_ends_with_nothing_booked_and_both_told_the_truth(Databases database) throws Exception {
        ConnectionFactory connections = database.connections();
        new R2dbcParticipant(connections, IsolationLevel.READ_COMMITTED);
        List<Tuple2<Connection, Connection>> pairs = new ArrayList<>();
        for (int racer = 0; racer < RACERS; racer++) {
            pairs.add(Tuples.of(connected(connections), connected(connections)));
        }

        Flux.range(0, RACERS)
                .flatMap(racer -> racing(pairs.get(racer), racer), RACERS)
                .blockLast(LIMIT);

        System.out.println("== " + database + ": forward was first in " + ranFirst + " of " + ROUNDS + " rounds; "
                + lost + " transactions lost to another and were repeated");
        assertThat(ranFirst.get()).as("each order wins often").isBetween(ROUNDS / 20, ROUNDS * 19 / 20);
        assertThat(left(pairs.get(0).getT1())).as("bookings").isZero();
        for (Tuple2<Connection, Connection> both : pairs) {
            Mono.when(both.getT1().close(), both.getT2().close()).block(LIMIT);
        }
    }

    private Mono<Void> racing(Tuple2<Connection, Connection> both, int racer) {
        return Flux.range(0, ROUNDS / RACERS)
                .concatMap(round -> round(both, "branch-" + racer + "-" + round))
                .then();
    }

    private Mono<Void> round(Tuple2<Connection, Connection> both, String branch) {
        Mono<Verdict> forward = within(both.getT1(), connection -> R2dbcParticipant.forward(FENCE, connection, branch));
        Mono<Compensation> compensation =
                within(both.getT2(), connection -> R2dbcParticipant.compensate(FENCE, connection, branch));
        // Each is first to begin as often as the other.
        boolean swapped = branch.hashCode() % 2 == 0;
        Mono<Void> pause = Mono.<Void>empty().subscribeOn(Schedulers.parallel());
        return Mono.zip(swapped ? pause.then(forward) : forward, swapped ? compensation : pause.then(compensation))
                .doOnNext(told -> {
                    if (told.getT1() == Verdict.RUN) {
                        ranFirst.incrementAndGet();
                        assertThat(told.getT2()).as(branch).isEqualTo(Compensation.RUN);
                    } else {
                        assertThat(List.of(told.getT1(), told.getT2()))
                                .as(branch)
                                .isEqualTo(List.of(Verdict.REFUSED, Compensation.NOTHING_TO_UNDO));
                    }
                })
                .then();
    }

    private <T> Mono<T> within(Connection connection, Function<Connection, Mono<T>> work) {
        return Mono.usingWhen(
                        Mono.from(connection.beginTransaction()).thenReturn(connection),
                        work,
                        Connection::commitTransaction,
                        (open, failure) -> open.rollbackTransaction(),
                        Connection::rollbackTransaction)
                .retryWhen(Retry.max(20).filter(R2dbcParticipant::lost).doBeforeRetry(again -> lost.incrementAndGet()));
    }

    private static Connection connected(ConnectionFactory connections) {
        return Objects.requireNonNull(
                Mono.<Connection>from(connections.create()).block(LIMIT));
    }

    private static long left(Connection connection) {
        return Objects.requireNonNull(Flux.from(connection
                        .createStatement("SELECT COUNT(*) FROM booking")
                        .execute())
                .concatMap(result -> result.map((row, columns) -> Objects.requireNonNull(row.get(0, Long.class))))
                .single()
                .block(LIMIT));
    }
}
