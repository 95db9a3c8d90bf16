package io.alphaomega.saga.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.alphaomega.saga.simulation.Deployment.History;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class SagaSimulationTest {
    private static final int HISTORIES = 30_000;
    private static final int MANY = 100_000;

    @Test
    void a_saga_keeps_its_promises_in_every_history() {
        simulate(HISTORIES);
    }

    @Test
    @Tag("long")
    void and_in_many_more() {
        simulate(MANY);
    }

    private static void simulate(int histories) {
        String only = System.getProperty("saga.seed");
        if (only != null) {
            System.out.println(Deployment.tell(Long.parseLong(only)));
            Deployment.live(Long.parseLong(only), new Reached());
            return;
        }
        Reached reached = new Reached();
        Map<History.End, LongAdder> ends = new ConcurrentHashMap<>();
        LongAdder suspended = new LongAdder();
        int[] inputs = LongStream.range(0, Integer.getInteger("saga.histories", histories))
                .parallel()
                .mapToInt(seed -> {
                    History history = Deployment.live(seed, reached);
                    ends.computeIfAbsent(history.end(), end -> new LongAdder()).increment();
                    if (history.suspended()) suspended.increment();
                    return history.inputs();
                })
                .toArray();
        Arrays.sort(inputs);
        int median = inputs[inputs.length / 2];
        System.out.println("saga simulation: %d histories, median %d inputs, %s, %d suspended on the way"
                .formatted(inputs.length, median, new EnumMap<>(ends), suspended.sum()));
        assertThat(median).isGreaterThanOrEqualTo(20);
        assertThat(reached.missing()).isEmpty();
    }
}
