package io.alphaomega.benchmark.figures;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * A published table, made again: a preset of {@code alpha-benchmark} on alpha with a store, with rounds of its own.
 *
 * @param business whether the preset's business keeps its books in the store's database
 */
record Table(String name, Store store, List<String> preset, boolean business) {
    static final List<Table> ALL = Stream.of(
                    Stream.of(Store.MARIADB, Store.MARIADB_BINLOG, Store.MYSQL)
                            .map(store -> new Table("dtm-" + store.label(), store, List.of("dtm"), true)),
                    Stream.of(Store.REDIS_EVERYSEC, Store.REDIS_ALWAYS)
                            .map(store ->
                                    new Table("dtm-" + store.label(), store, List.of("dtm", "--empty-only"), false)),
                    Stream.of(
                                    Store.REDIS_EVERYSEC,
                                    Store.REDIS_SEARCH,
                                    Store.EMBEDDED,
                                    Store.MARIADB,
                                    Store.ELASTICSEARCH)
                            .map(store -> new Table("pack-" + store.label(), store, List.of("pack"), false)))
            .flatMap(tables -> tables)
            .toList();

    /** The arguments of {@code alpha-benchmark}. */
    List<String> arguments(Store.Running running, Node node) {
        List<String> arguments = new ArrayList<>(List.of("preset"));
        arguments.addAll(preset);
        arguments.addAll(List.of("--address", node.address()));
        if (preset.getFirst().equals("pack")) arguments.addAll(List.of("--http", node.http()));
        if (business) {
            // As root, who has no password there: alpha's user may not drop the tables of an earlier round.
            arguments.addAll(List.of("--mysql-url", running.url()));
        }
        return arguments;
    }
}
