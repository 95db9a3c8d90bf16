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
                        Figures.whole(report.throughput()),
                        Figures.whole(sagas.ended()),
                        Figures.digits(report.seconds())));
        lines.add(
                "  %s started = %s committed + %s compensated + %s suspended + %s unknown; %s failed to begin; %s errors"
                        .formatted(
                                Figures.whole(sagas.started()),
                                Figures.whole(sagas.committed()),
                                Figures.whole(sagas.compensated()),
                                Figures.whole(sagas.suspended()),
                                Figures.whole(sagas.unknown()),
                                Figures.whole(sagas.failed()),
                                Figures.whole(report.errors())));
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
            Figures.digits(of.mean()),
            Figures.digits(of.p50()),
            Figures.digits(of.p90()),
            Figures.digits(of.p99()),
            Figures.digits(of.p999()),
            Figures.digits(of.max())
        };
    }

    private void cpu(Cpu cpu) {
        TextTable table = new TextTable("CPU", "ms per saga", "cores in use", "memory");
        for (Cpu.Role role : cpu.processes()) {
            table.row(
                    role.role(),
                    Figures.digits(role.millisPerSaga()),
                    Figures.digits(role.cores()),
                    Figures.mebibytes(role.residentBytes()));
        }
        table.row("coordinator", Figures.digits(cpu.coordinatorMillisPerSaga()), "", "");
        add(table);
    }

    private void agents(List<Report.Agent> agents) {
        TextTable table =
                new TextTable("agent", "sagas", "failed", "sagas/s", "saga p50", "saga p99", "ack p99", "CPU ms");
        for (Report.Agent agent : agents) {
            table.row(
                    agent.name(),
                    Figures.whole(agent.sagas().started()),
                    Figures.whole(agent.sagas().failed()),
                    Figures.whole(agent.throughput()),
                    Figures.digits(agent.sagaMillis().p50()),
                    Figures.digits(agent.sagaMillis().p99()),
                    Figures.digits(agent.ackMillis().p99()),
                    Figures.digits(agent.cpuMillisPerSaga()));
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
