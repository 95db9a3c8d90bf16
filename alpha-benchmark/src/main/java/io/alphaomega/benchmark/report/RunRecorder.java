package io.alphaomega.benchmark.report;

import io.alphaomega.benchmark.measure.Measurements;
import io.alphaomega.benchmark.measure.Progress;
import io.alphaomega.benchmark.measure.Verification;
import io.alphaomega.benchmark.plan.LoadPlan;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A report in the making: shows progress, reads processor time, and writes at the end what was asked for. */
public final class RunRecorder implements AutoCloseable {
    private static final Duration CONNECT_WITHIN = Duration.ofSeconds(3);

    private final LoadPlan plan;
    private final List<String> arguments;
    private final ReportOptions options;
    private final List<Threshold> thresholds;
    private final @Nullable ProcessTree store;
    private final Machine machine = Machine.now();
    private final HttpClient client =
            HttpClient.newBuilder().connectTimeout(CONNECT_WITHIN).build();
    private final List<Actuator> alphas;
    private final CpuMeter meter;
    private final Progress view;

    RunRecorder(
            LoadPlan plan,
            List<String> arguments,
            ReportOptions options,
            List<Threshold> thresholds,
            @Nullable ProcessTree store) {
        this.plan = plan;
        this.arguments = List.copyOf(arguments);
        this.options = options;
        this.thresholds = thresholds;
        this.store = store;
        this.alphas = Actuator.of(client, plan.http());
        this.meter = new CpuMeter(alphas, store);
        Terminal terminal = Terminal.standardError();
        String title = Objects.requireNonNullElse(options.label(), PlanText.brief(plan));
        this.view = terminal.interactive() ? new LiveView(terminal, title) : new PlainLines(terminal.out());
    }

    /** Whom the load tells how far it is. */
    public Progress progress() {
        return new Progress() {
            @Override
            public void show(Snapshot snapshot) {
                view.show(snapshot);
            }

            @Override
            public void entered(Phase phase) {
                meter.entered(phase);
                view.entered(phase);
            }
        };
    }

    /**
     * Prints the summary and writes the files.
     *
     * @param byAgent what each machine with a generator measured; empty where this process was the only one
     * @throws IOException with a sentence, if one of them could not be written
     */
    public Report finish(
            Measurements measured, Verification verification, Map<String, Measurements> byAgent, PrintWriter out)
            throws IOException {
        CpuUse use = new CpuUse(meter.readings());
        List<AlphaNode> nodes = alphas.stream().map(Actuator::info).toList();
        Report.Setup setup = new Report.Setup(measured.firstBegin(), CommandText.of(arguments), plan, machine, nodes);
        List<Report.Agent> agents = byAgent.entrySet().stream()
                .map(agent -> Report.Agent.of(agent.getKey(), agent.getValue()))
                .toList();
        Findings found = new Findings(measured, verification, agents, use, resident(nodes, agents.isEmpty()));
        Report report = Report.of(options.label(), setup, found, thresholds);
        closeView();
        out.print(SummaryText.of(report));
        out.flush();
        write(report, measured, out);
        return report;
    }

    /** Each, also if one of them cannot be written. */
    private void write(Report report, Measurements measured, PrintWriter out) throws IOException {
        IOException failed = null;
        for (Output output : options.outputs()) {
            try {
                output.write(
                        switch (output.form()) {
                            case JSON -> report.json();
                            case HTML -> ReportPage.of(report);
                            case CSV -> Csv.of(report);
                            case HDR -> HdrLog.of(report, measured);
                        });
                out.println("  Written: " + output.path());
            } catch (IOException e) {
                if (failed == null) failed = e;
                else failed.addSuppressed(e);
            }
        }
        out.flush();
        if (failed != null) throw failed;
    }

    private Map<String, Long> resident(List<AlphaNode> nodes, boolean here) {
        Map<String, Long> resident = new HashMap<>();
        if (!nodes.isEmpty() && nodes.stream().allMatch(node -> node.residentBytes() != null)) {
            resident.put(
                    Cpu.ALPHA,
                    nodes.stream()
                            .mapToLong(node -> Objects.requireNonNullElse(node.residentBytes(), 0L))
                            .sum());
        }
        if (store != null) resident.put(Cpu.STORE, store.residentBytes());
        long own = ProcessTree.residentBytesOf(ProcessHandle.current().pid());
        if (here && own > 0) resident.put(Cpu.GENERATOR, own);
        return resident;
    }

    private void closeView() {
        if (view instanceof LiveView live) live.close();
    }

    @Override
    public void close() {
        closeView();
        meter.close();
        client.close();
    }
}
