package io.alphaomega.server.bench;

import io.alphaomega.repository.Attribute;
import io.alphaomega.repository.Cursor;
import io.alphaomega.repository.Page;
import io.alphaomega.repository.RepositoryUnavailableException;
import io.alphaomega.repository.SagaQuery;
import io.alphaomega.repository.SagaSummary;
import io.alphaomega.repository.SagaSummary.State;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Measures how long the first page of a search takes in a store of very many sagas, by hand: {@code scripts/bench
 * searches}. Each store is a server of its own, filled anew.
 */
public final class FindSpeed {
    private static final int PAGE = 50;
    private static final int SAGAS = 1_000_000;

    /** What is looked through takes seconds: then a few times must do. */
    private static final int TIMES = 40;

    private static final int TIMES_MIN = 3;
    private static final Duration LONG = Duration.ofSeconds(5);

    private static final String NOBODYS = "nobody has this";

    private FindSpeed() {}

    /** Arguments: stores, by their names; and how many sagas. */
    public static void main(String[] arguments) {
        int sagas = Stream.of(arguments)
                .filter(argument -> argument.matches("\\d+"))
                .map(Integer::parseInt)
                .findFirst()
                .orElse(SAGAS);
        List<FilledStore.Kind> wanted = Stream.of(arguments)
                .filter(argument -> !argument.matches("\\d+"))
                .map(name -> FilledStore.Kind.valueOf(name.toUpperCase(Locale.ROOT)))
                .toList();
        for (FilledStore.Kind kind : wanted.isEmpty() ? List.of(FilledStore.Kind.values()) : wanted) {
            try (FilledStore store = kind.start()) {
                System.out.printf(
                        Locale.ROOT,
                        "== %s: %d sagas in %d s%n",
                        kind,
                        sagas,
                        store.fill(sagas).toSeconds());
                queries(new Population(sagas)).forEach(query -> measure(kind, store, query));
            }
        }
    }

    private record Asked(String name, Function<Random, SagaQuery> query) {}

    private static List<Asked> queries(Population sagas) {
        SagaQuery all = SagaQuery.ALL;
        return List.of(
                new Asked("everything", random -> all),
                new Asked("id", random -> all.id(sagas.any(random).id())),
                new Asked(
                        "business key",
                        random -> all.businessKey(sagas.any(random).businessKey())),
                new Asked("business key, nobody's", random -> all.businessKey(NOBODYS)),
                new Asked(
                        "business key, committed",
                        random -> all.in(State.COMMITTED)
                                .businessKey(sagas.any(random).businessKey())),
                new Asked("attribute of 1 in 1,000", random -> all.attribute(Population.RARE_ATTRIBUTE)),
                new Asked("attribute, nobody's", random -> all.attribute(new Attribute("tenant", NOBODYS))),
                new Asked("state SUSPENDED", random -> all.in(State.SUSPENDED)),
                new Asked("state COMMITTED", random -> all.in(State.COMMITTED)),
                new Asked("service of all", random -> all.of(Population.EVERYWHERE)),
                new Asked("service of 1 in 1,000", random -> all.of(Population.RARE_SERVICE)),
                new Asked("begun in an hour", random -> {
                    SagaSummary any = sagas.any(random);
                    return all.from(any.begunAt()).to(any.begunAt().plus(Duration.ofHours(1)));
                }),
                new Asked("operation of half", random -> all.operation(Population.OPERATION)),
                new Asked("operation of 1 in 1,000", random -> all.operation(Population.RARE_OPERATION)),
                new Asked("operation, nobody's", random -> all.operation(NOBODYS)),
                new Asked("reason of 1 in 50", random -> all.reason("NONE LEFT")),
                new Asked("reason of 1 in 10,000", random -> all.reason(Population.RARE_REASON)),
                new Asked(
                        "text: most of a key",
                        random -> all.text(sagas.any(random).businessKey().substring(3))),
                new Asked(
                        "changed in the last hour",
                        random -> all.changedSince(sagas.last().begunAt().minus(Duration.ofHours(1)))),
                new Asked(
                        "changed just now: nothing",
                        random -> all.changedSince(sagas.last().begunAt().plus(Duration.ofDays(1)))),
                new Asked(
                        "ended, took 19 min: 1 in 20,000",
                        random -> all.in(State.COMMITTED, State.COMPENSATED)
                                .lasting(Duration.ofMinutes(19), sagas.last().begunAt())),
                new Asked(
                        "rare reason in a day",
                        random -> all.reason(Population.RARE_REASON)
                                .from(sagas.last().begunAt().minus(Duration.ofDays(1)))));
    }

    private static void measure(FilledStore.Kind kind, FilledStore store, Asked asked) {
        Random random = new Random(4711);
        List<Long> micros = new ArrayList<>();
        long begun = System.nanoTime();
        int found = 0;
        int givenUp = 0;
        // The first one is of code and pages that nobody has needed yet.
        for (int i = -1; i < TIMES && (i < TIMES_MIN || System.nanoTime() - begun < LONG.toNanos()); i++) {
            SagaQuery query = asked.query().apply(random);
            long asking = System.nanoTime();
            try {
                Page<SagaSummary> page = store.find(query, Cursor.START, PAGE);
                found = page.items().size();
            } catch (RepositoryUnavailableException e) {
                givenUp++;
            }
            if (i >= 0) micros.add((System.nanoTime() - asking) / 1_000);
        }
        Collections.sort(micros);
        System.out.printf(
                Locale.ROOT,
                "%-14s | %-32s | p50 %8.1f ms | p95 %8.1f ms | of %2d, given up %d | %2d found%n",
                kind,
                asked.name(),
                micros.get(micros.size() / 2) / 1e3,
                micros.get(Math.min(micros.size() - 1, micros.size() * 95 / 100)) / 1e3,
                micros.size(),
                givenUp,
                found);
    }
}
