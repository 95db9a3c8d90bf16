package io.alphaomega.benchmark.figures;

import java.util.List;
import java.util.stream.Stream;

/**
 * A row of a table: a load on alpha with a store.
 *
 * @param arguments of {@code alpha-benchmark run}
 */
record Row(String name, Store store, List<String> arguments) {
    static final List<Row> ALL = Stream.of(
                    Stream.of(Store.REDIS_EVERYSEC, Store.REDIS_ALWAYS)
                            .flatMap(redis -> Stream.of(of(redis, 3, 200), of(redis, 3, 50), of(redis, 3, 10))),
                    Stream.of(of(Store.REDIS_EVERYSEC, 2, 200), of(Store.REDIS_EVERYSEC, 2, 50)),
                    Stream.of(Store.EMBEDDED, Store.MARIADB, Store.MARIADB_BINLOG, Store.ELASTICSEARCH)
                            .flatMap(store -> Stream.of(of(store, 3, 200), of(store, 3, 50))),
                    // The same with reports that travel, in turns with those that do not.
                    Stream.of(Store.REDIS_EVERYSEC, Store.EMBEDDED, Store.MARIADB)
                            .flatMap(store -> Stream.of(200, 50, 10).map(c -> of(store, 3, c)))
                            .map(Row::carried),
                    // What a branch costs in sagas of all sizes, and a saga beside few and many that are open.
                    Stream.of(1, 10, 100, 500).map(branches -> of(Store.REDIS_EVERYSEC, branches, 20)),
                    Stream.of(1, 1_000_000).map(Row::besideOpen))
            .flatMap(rows -> rows)
            .toList();

    private static Row of(Store store, int branches, int concurrency) {
        return new Row(
                "%s-b%d-c%d".formatted(store.label(), branches, concurrency),
                store,
                List.of("--branches", Integer.toString(branches), "-c", Integer.toString(concurrency)));
    }

    private Row carried() {
        return new Row(
                name + "-carried",
                store,
                Stream.concat(arguments.stream(), Stream.of("--carried")).toList());
    }

    private static Row besideOpen(int sagas) {
        return new Row(
                "open-" + sagas, Store.REDIS_EVERYSEC, List.of("-c", "50", "--keep-open", Integer.toString(sagas)));
    }
}
