package io.alphaomega.benchmark.report;

import java.util.ArrayList;
import java.util.List;

/** The report in a screenful. */
final class SummaryText {
    private final List<String> lines = new ArrayList<>();

    private SummaryText() {}

    static String of(Report report) {
        SummaryText text = new SummaryText();
        text.outcome(report);
        text.latency(report);
        text.cpu(report.cpu());
        if (!report.agents().isEmpty()) text.agents(report.agents());
        if (!report.nodes().isEmpty()) text.nodes(report.nodes());
        text.verdict(report);
        return String.join("\n", text.lines) + "\n";
    }

    private void outcome(Report report) {
        var sagas = report.sagas();
        lines.add(report.title());
        lines.add("  " + report.summary());
        lines.add("");
        lines.add("  %s sagas/s: %s ended in %s s"
                .formatted(
                        FigureText.whole(report.throughput()),
                        FigureText.whole(sagas.ended()),
                        FigureText.digits(report.seconds())));
        lines.add(
                "  %s started = %s committed + %s compensated + %s suspended + %s unknown; %s failed to begin; %s errors"
                        .formatted(
                                FigureText.whole(sagas.started()),
                                FigureText.whole(sagas.committed()),
                                FigureText.whole(sagas.compensated()),
                                FigureText.whole(sagas.suspended()),
                                FigureText.whole(sagas.unknown()),
                                FigureText.whole(sagas.failed()),
                                FigureText.whole(report.errors())));
    }

    private void latency(Report report) {
        TextTable table = new TextTable("ms", "mean", "p50", "p90", "p99", "p99.9", "max");
        Percentiles uncorrected = report.sagaUncorrectedMillis();
        table.row(row(uncorrected == null ? "saga, begin to end" : "saga, corrected", report.sagaMillis()));
        if (uncorrected != null) table.row(row("saga, uncorrected", uncorrected));
        table.row(row("acknowledgement", report.ackMillis()));
        add(table);
    }

    private static String[] row(String name, Percentiles of) {
        return new String[] {
            name,
            FigureText.digits(of.mean()),
            FigureText.digits(of.p50()),
            FigureText.digits(of.p90()),
            FigureText.digits(of.p99()),
            FigureText.digits(of.p999()),
            FigureText.digits(of.max())
        };
    }

    private void cpu(Cpu cpu) {
        TextTable table = new TextTable("CPU", "ms per saga", "cores in use", "memory");
        for (Cpu.Role role : cpu.processes()) {
            table.row(
                    role.role(),
                    FigureText.digits(role.millisPerSaga()),
                    FigureText.digits(role.cores()),
                    FigureText.mebibytes(role.residentBytes()));
        }
        table.row("coordinator", FigureText.digits(cpu.coordinatorMillisPerSaga()), "", "");
        add(table);
    }

    private void agents(List<Report.Agent> agents) {
        TextTable table =
                new TextTable("agent", "sagas", "failed", "sagas/s", "saga p50", "saga p99", "ack p99", "CPU ms");
        for (Report.Agent agent : agents) {
            table.row(
                    agent.name(),
                    FigureText.whole(agent.sagas().started()),
                    FigureText.whole(agent.sagas().failed()),
                    FigureText.whole(agent.throughput()),
                    FigureText.digits(agent.sagaMillis().p50()),
                    FigureText.digits(agent.sagaMillis().p99()),
                    FigureText.digits(agent.ackMillis().p99()),
                    FigureText.digits(agent.cpuMillisPerSaga()));
        }
        add(table);
    }

    private void nodes(List<Report.Node> nodes) {
        TextTable table = new TextTable("node", "CPU ms per saga", "cores in use", "memory");
        for (Report.Node node : nodes) {
            table.row(
                    node.address(),
                    FigureText.digits(node.cpuMillisPerSaga()),
                    FigureText.digits(node.cores()),
                    FigureText.mebibytes(node.residentBytes()));
        }
        add(table);
    }

    private void verdict(Report report) {
        lines.add("");
        lines.add("  " + report.generator().text());
        for (String warning : report.warnings()) lines.add("  " + warning);
        for (Threshold.Outcome outcome : report.thresholds()) {
            lines.add("  " + outcome.text());
        }
        for (Report.Check check : report.verification()) if (!check.ok()) lines.add("  MISMATCH: " + check.text());
        lines.add(
                report.verified()
                        ? "  Verified: what was counted, what alpha stored and what the services saw agree."
                        : "  NOT VERIFIED: see the mismatches.");
    }

    private void add(TextTable table) {
        lines.add("");
        for (String line : table.lines()) lines.add("  " + line);
    }
}
