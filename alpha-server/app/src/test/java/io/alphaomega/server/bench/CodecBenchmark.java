package io.alphaomega.server.bench;

import io.alphaomega.repository.StoredEvent;
import io.alphaomega.saga.SagaEvent;
import io.alphaomega.server.journal.JournalCodec;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.Blackhole;

/** What the journal's format costs for the ten events of a committed saga of three branches. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class CodecBenchmark {
    private final List<SagaEvent> events = Life.events(Life.committed(3));
    private final List<StoredEvent> stored = new ArrayList<>();

    public CodecBenchmark() {
        for (SagaEvent event : events) stored.add(JournalCodec.encode(event));
    }

    @Benchmark
    public void encode(Blackhole blackhole) {
        for (SagaEvent event : events) blackhole.consume(JournalCodec.encode(event));
    }

    @Benchmark
    public void decode(Blackhole blackhole) {
        for (StoredEvent event : stored) blackhole.consume(JournalCodec.decode(event));
    }
}
