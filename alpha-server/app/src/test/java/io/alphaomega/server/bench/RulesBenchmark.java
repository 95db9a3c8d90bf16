package io.alphaomega.server.bench;

import io.alphaomega.repository.SagaSummary;
import io.alphaomega.saga.CallbackKind;
import io.alphaomega.saga.Decision;
import io.alphaomega.saga.SagaEffect;
import io.alphaomega.saga.SagaEvent;
import io.alphaomega.saga.SagaId;
import io.alphaomega.saga.SagaInput;
import io.alphaomega.saga.SagaRules;
import io.alphaomega.saga.SagaState;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.Blackhole;

/** What the rules cost for one whole saga, by its number of branches. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class RulesBenchmark {
    @Param({"1", "3", "10", "100", "500"})
    public int branches;

    private final SagaId id = Life.newId();
    private List<SagaInput> forward = List.of();
    private List<SagaInput> committed = List.of();
    private List<SagaEvent> journal = List.of();

    @Setup
    public void live() {
        forward = Life.forward(branches);
        committed = Life.committed(branches);
        journal = Life.events(committed);
    }

    /** Decisions and their events, nothing else. */
    @Benchmark
    public SagaState decideAndEvolve() {
        SagaState state = new SagaState.Absent(id);
        for (SagaInput input : committed) {
            for (SagaEvent event : SagaRules.decide(state, input, Life.AT).events()) {
                state = SagaRules.evolve(state, event);
            }
        }
        return state;
    }

    /** As well all that the shell asks for after each: what is to be done, when to wake up, the summary to store. */
    @Benchmark
    public SagaState asTheShellDoes(Blackhole blackhole) {
        SagaState state = new SagaState.Absent(id);
        for (SagaInput input : committed) state = step(state, input, blackhole);
        return state;
    }

    /** Every branch ends, the initiator aborts, and each compensation answers at once. */
    @Benchmark
    public SagaState compensated(Blackhole blackhole) {
        SagaState state = new SagaState.Absent(id);
        for (SagaInput input : forward) state = step(state, input, blackhole);
        Queue<SagaInput> answers = new ArrayDeque<>();
        answers.add(new SagaInput.Abort("changed my mind"));
        Set<SagaEffect> asked = Set.of();
        while (!answers.isEmpty()) {
            state = step(state, answers.remove(), blackhole);
            Set<SagaEffect> owed = SagaRules.effects(state);
            for (SagaEffect effect : owed) {
                if (effect instanceof SagaEffect.Call call && !asked.contains(call)) {
                    answers.add(new SagaInput.SucceedCallback(
                            call.branch(), CallbackKind.COMPENSATION, call.attempt(), call.service()));
                }
            }
            asked = owed;
        }
        if (!(state instanceof SagaState.Ended)) throw new IllegalStateException("the saga is still " + state);
        return state;
    }

    /** The journal read again, as after a restart. */
    @Benchmark
    public SagaState replay() {
        SagaState state = new SagaState.Absent(id);
        for (SagaEvent event : journal) state = SagaRules.evolve(state, event);
        return state;
    }

    private static SagaState step(SagaState state, SagaInput input, Blackhole blackhole) {
        Decision decision = SagaRules.decide(state, input, Life.AT);
        SagaState next = state;
        for (SagaEvent event : decision.events()) next = SagaRules.evolve(next, event);
        blackhole.consume(decision.reply());
        blackhole.consume(SagaRules.effects(next));
        blackhole.consume(SagaRules.wakeUpAt(next));
        if (!decision.events().isEmpty()) blackhole.consume(SagaSummary.of((SagaState.Known) next, Life.AT));
        return next;
    }
}
