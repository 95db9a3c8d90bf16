package io.alphaomega.benchmark;

import io.alphaomega.benchmark.load.Counts;
import io.alphaomega.benchmark.load.Load;
import io.alphaomega.benchmark.load.Measurements;
import io.alphaomega.benchmark.load.Plan;
import io.alphaomega.benchmark.load.Verification;
import io.alphaomega.benchmark.report.Recorder;
import io.alphaomega.benchmark.report.ReportOptions;
import java.io.PrintWriter;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The command {@code run}: one load, its figures, and whether they are true. */
@Command(name = "run", mixinStandardHelpOptions = true, description = "Runs sagas and measures them.")
final class RunCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // By picocli.
    private CommandSpec spec;

    @Mixin
    private LoadOptions load = new LoadOptions();

    @Mixin
    private ReportOptions report = new ReportOptions();

    @Override
    public Integer call() throws Exception {
        Plan plan = load.plan();
        PrintWriter out = spec.commandLine().getOut();
        List<String> arguments = spec.root().commandLine().getParseResult().originalArgs();
        try (Recorder recorder = report.open(plan, arguments);
                Load running = Load.connect(plan, Clock.systemUTC(), recorder.progress())) {
            Measurements measured = running.run();
            return recorder.finish(measured, verification(measured, running.troubles()), Map.of(), out)
                    .exitCode();
        }
    }

    private static Verification verification(Measurements measured, List<String> troubles) {
        Counts counts = measured.counts();
        List<String> mismatches = new ArrayList<>(troubles);
        if (counts.started() != counts.settled()) {
            mismatches.add("%d sagas were started, but %d have a known or unknown end."
                    .formatted(counts.started(), counts.settled()));
        }
        return new Verification(List.of("started = committed + compensated + suspended + unknown"), mismatches);
    }
}
