package io.alphaomega.saga.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class NestingSimulationTest {
    private static final int HISTORIES = 15_000;

    @Test
    void a_nested_saga_ends_as_the_one_that_it_is_in_unless_it_was_undone_alone() {
        Long only = Long.getLong("saga.seed");
        Set<Object> reached = ConcurrentHashMap.newKeySet();
        LongStream seeds = only == null
                ? LongStream.range(0, Integer.getInteger("saga.histories", HISTORIES))
                : LongStream.of(only);
        seeds.parallel().forEach(seed -> reached.addAll(NestingWorld.live(seed)));
        if (only == null) assertThat(reached).containsAll(Reached.NESTING);
    }
}
