package io.alphaomega.benchmark;

import io.alphaomega.benchmark.agent.AgentFailedException;
import io.alphaomega.benchmark.agent.AgentOptions;
import io.alphaomega.benchmark.agent.Agents;
import io.alphaomega.benchmark.load.Load;
import io.alphaomega.benchmark.load.SagaCountCheck;
import io.alphaomega.benchmark.measure.Measurements;
import io.alphaomega.benchmark.measure.Verification;
import io.alphaomega.benchmark.plan.LoadPlan;
import io.alphaomega.benchmark.report.Report;
import io.alphaomega.benchmark.report.ReportOptions;
import io.alphaomega.benchmark.report.RunRecorder;
import java.io.IOException;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The command {@code run}: one load, its figures, and whether they are true. */
@Command(
        name = "run",
        mixinStandardHelpOptions = true,
        description = {
            "Runs sagas, measures them, and checks what became of each.",
            "Ends with 0; 1 for options that make no sense or an alpha that is not there; 2 if a --threshold is missed; "
                    + "3 if what alpha says of the sagas is not what was seen of them."
        })
final class RunCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // By picocli.
    private CommandSpec spec;

    @Mixin
    private LoadOptions load = new LoadOptions();

    @Mixin
    private AgentOptions agents = new AgentOptions();

    @Mixin
    private ReportOptions options = new ReportOptions();

    @Override
    public Integer call() throws IOException, AgentFailedException, InterruptedException {
        LoadPlan plan = load.plan();
        Optional<Agents> others = agents.agents();
        try (RunRecorder recorder = options.open(plan, arguments())) {
            Report report = others.isPresent() ? together(others.get(), plan, recorder) : alone(plan, recorder);
            return report.exitCode();
        }
    }

    /** As they were typed. */
    private List<String> arguments() {
        return spec.root().commandLine().getParseResult().originalArgs();
    }

    private Report alone(LoadPlan plan, RunRecorder recorder) throws IOException {
        try (Load load = Load.connect(plan, Clock.systemUTC(), recorder.progress())) {
            Measurements measured = load.run();
            Verification verification = load.verify(true);
            return recorder.finish(
                    measured, verification, Map.of(), spec.commandLine().getOut());
        }
    }

    private Report together(Agents agents, LoadPlan plan, RunRecorder recorder)
            throws IOException, AgentFailedException, InterruptedException {
        SagaCountCheck census = SagaCountCheck.before(plan.http());
        Agents.Together all = agents.run(plan, recorder.progress());
        return recorder.finish(
                all.measurements(),
                all.verification().and(census.compare(all.books())),
                all.byAgent(),
                spec.commandLine().getOut());
    }
}
