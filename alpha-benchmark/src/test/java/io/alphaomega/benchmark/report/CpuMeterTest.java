package io.alphaomega.benchmark.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.alphaomega.benchmark.measure.Progress.Phase;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Processor time of real processes. */
class CpuMeterTest {
    @Test
    void the_time_of_a_process_has_that_of_its_children_also_of_those_that_have_ended() throws IOException {
        // The shell waits; a child counts and ends, another one goes on counting.
        Process shell = new ProcessBuilder(
                        "sh", "-c", "(i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done); (while :; do :; done) & wait")
                .start();
        try {
            ProcessTree tree = new ProcessTree(List.of(shell.pid()));
            tree.check();
            await().until(() -> shell.children().count() == 1 && tree.cpuSeconds() > 0.3);
            assertThat(tree.residentBytes()).isGreaterThan(ProcessTree.residentBytesOf(shell.pid()));
        } finally {
            shell.descendants().forEach(ProcessHandle::destroyForcibly);
            shell.destroyForcibly();
        }
    }

    @Test
    void a_process_that_is_not_there_is_refused_with_a_sentence() throws Exception {
        Process gone = new ProcessBuilder("true").start();
        gone.waitFor();
        assertThatThrownBy(() -> new ProcessTree(List.of(gone.pid())).check())
                .hasMessageStartingWith(
                        "--store-pid must be processes of this machine, but there is none with the id " + gone.pid());
    }

    @Test
    void readings_begin_with_the_measurement_and_end_with_it() {
        try (CpuMeter meter = new CpuMeter(
                List.of(), new ProcessTree(List.of(ProcessHandle.current().pid())))) {
            meter.entered(Phase.CONNECTING);
            meter.entered(Phase.WARMING_UP);
            meter.entered(Phase.MEASURING);
            long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(1_300);
            while (System.nanoTime() < until) Thread.onSpinWait();
            meter.entered(Phase.SETTLING);
            CpuUse use = new CpuUse(meter.readings());
            assertThat(use.readings()).hasSizeGreaterThanOrEqualTo(2);
            assertThat(use.of(Cpu.GENERATOR)).isPositive();
            assertThat(use.of(Cpu.STORE)).as("itself, in this test").isPositive();
            assertThat(use.of(Cpu.ALPHA)).isNull();
            assertThat(use.busiestThread()).isPositive();
            assertThat(use.machineBusy()).isBetween(0.1, 1.0);
            assertThat(use.cores(Cpu.GENERATOR)).isNotEmpty();
        }
    }

    @Test
    void the_generator_is_called_the_bottleneck_when_a_thread_or_its_machine_is_full() {
        assertThat(Generator.judged(use(0.97, 0.6), 0.9, 8).text())
                .startsWith("The generator was the bottleneck: one of its threads was busy 97 % of the time;");
        assertThat(Generator.judged(use(0.5, 0.99), 1.2, 2).text())
                .startsWith(
                        "The generator was the bottleneck: its machine was busy 99 % of the time and it used 1.20 of 2");
        assertThat(Generator.judged(use(0.3, 0.99), 0.6, 2).text())
                .startsWith("The generator was not the bottleneck: it used 0.600 of 2 cores")
                .endsWith("But its machine was full: if alpha or its store run there, they would do more without it.");
        assertThat(Generator.judged(use(0.3, 0.5), 0.6, 2).bottleneck()).isFalse();
        assertThat(Generator.judged(new CpuUse(List.of()), 1, 2).text())
                .isEqualTo("Nobody read how busy the generator was.");
    }

    @Test
    void what_others_took_of_the_machine_is_what_nobody_here_used() {
        assertThat(Samples.use(10).coresOfOthers()).isBetween(0.0, 0.2);
        assertThat(use(0.5, 0.9).coresOfOthers())
                .as("nobody here used anything")
                .isBetween(1.79, 1.81);
        Findings disturbed =
                new Findings(Samples.measured(10, false), Samples.AGREES, List.of(), use(0.5, 0.9), java.util.Map.of());
        assertThat(Samples.report(null, Samples.PLAN, disturbed, List.of()).warnings())
                .anyMatch(warning -> warning.startsWith(
                        "The machine was not quiet: what is not measured here took at least 1.80 of its 2"));
    }

    private static CpuUse use(double thread, double machine) {
        return new CpuUse(List.of(reading(0, 0, 0), reading(10, thread, machine)));
    }

    private static CpuMeter.Reading reading(long seconds, double thread, double machine) {
        long nanos = TimeUnit.SECONDS.toNanos(seconds);
        return new CpuMeter.Reading(
                nanos,
                List.of(),
                Double.NaN,
                0,
                java.util.Map.of(1L, Math.round(nanos * thread)),
                new Machine.Ticks(Math.round(seconds * 200 * machine), 0, seconds * 200));
    }
}
