package io.alphaomega.benchmark.report;

import io.alphaomega.benchmark.measure.Measurements;
import io.alphaomega.benchmark.measure.Verification;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * What a run measured, read and checked.
 *
 * @param agents one per machine with a generator; empty where this process was the only one
 * @param resident memory by role, in bytes, at the end
 */
record Findings(
        Measurements measured,
        Verification verification,
        List<Report.Agent> agents,
        CpuUse use,
        Map<String, Long> resident) {
    private static final double MILLIS_PER_SECOND = 1_000;

    /** A tenth of a machine is more than measurements of one run differ by. */
    private static final double WORTH_TELLING = 0.1;

    Findings {
        agents = List.copyOf(agents);
        resident = Map.copyOf(resident);
    }

    Cpu cpu(List<AlphaNode> alphas) {
        List<Cpu.Role> roles = new ArrayList<>();
        for (String role : List.of(Cpu.ALPHA, Cpu.STORE)) {
            Double seconds = use.of(role);
            if (seconds != null) roles.add(role(role, seconds, use.seconds()));
        }
        roles.add(role(Cpu.GENERATOR, measured.generatorCpuMillis() / MILLIS_PER_SECOND, measured.seconds()));
        return Cpu.of(roles, !alphas.isEmpty() && alphas.stream().allMatch(AlphaNode::isEmbedded));
    }

    /** What each alpha took; none where there is only one, or none that says. */
    List<Report.Node> nodes(List<AlphaNode> alphas) {
        List<Report.Node> nodes = new ArrayList<>();
        for (int i = 0; i < alphas.size() && alphas.size() > 1; i++) {
            Double seconds = use.ofNode(i);
            if (seconds == null) continue;
            Cpu.Role node = role(alphas.get(i).address(), seconds, use.seconds());
            nodes.add(new Report.Node(
                    node.role(),
                    node.cores(),
                    node.millisPerSaga(),
                    alphas.get(i).residentBytes()));
        }
        return nodes;
    }

    private Cpu.Role role(String name, double cpuSeconds, double wallSeconds) {
        long ended = measured.counts().ended();
        return new Cpu.Role(
                name,
                FigureText.rounded(cpuSeconds, 2),
                FigureText.rounded(cpuSeconds / wallSeconds, 3),
                ended == 0 ? null : Double.valueOf(FigureText.rounded(cpuSeconds * MILLIS_PER_SECOND / ended, 4)),
                resident.get(name));
    }

    Generator generator(Machine machine) {
        double cores = measured.generatorCpuMillis() / MILLIS_PER_SECOND / measured.seconds();
        if (agents.isEmpty()) return Generator.judged(use, cores, machine.cores());
        double busiest = agents.stream()
                .mapToDouble(agent -> agent.cpuMillisPerSaga() * agent.throughput() / MILLIS_PER_SECOND)
                .max()
                .orElse(0);
        return new Generator(
                false,
                "The generators used %s cores together, the busiest of the %d machines %s: compare that with the cores it has."
                        .formatted(FigureText.digits(cores), agents.size(), FigureText.digits(busiest)));
    }

    /** What a reader must know before believing the figures. */
    List<String> warnings(Report.Setup setup) {
        List<String> warnings = new ArrayList<>();
        int cores = setup.generator().cores();
        if (agents.isEmpty() && use.coresOfOthers() > WORTH_TELLING * cores) {
            warnings.add(
                    "The machine was not quiet: what is not measured here took at least %s of its %d cores. Throughput and latency would be better without it."
                            .formatted(FigureText.digits(use.coresOfOthers()), cores));
        }
        if (use.machineStolen() > WORTH_TELLING) {
            warnings.add("The hypervisor gave %s of this machine's time to others."
                    .formatted(FigureText.percent(use.machineStolen())));
        }
        for (AlphaNode alpha : setup.alphas()) {
            if (alpha.unknown() != null)
                warnings.add("Nothing is known of alpha at %s. %s".formatted(alpha.address(), alpha.unknown()));
        }
        Cpu cpu = cpu(setup.alphas());
        if (cpu.alphaMillisPerSaga() == null) {
            warnings.add("Alpha's processor time is not known: its /actuator/metrics did not tell it at "
                    + String.join(", ", setup.plan().http()) + "; see --http.");
        } else if (cpu.storeMillisPerSaga() == null) {
            warnings.add("The store's processor time is not known: --store-pid names its process.");
        }
        return warnings;
    }

    List<Report.Second> series() {
        Map<String, List<@Nullable Double>> cores = new HashMap<>();
        for (String role : List.of(Cpu.ALPHA, Cpu.STORE, Cpu.GENERATOR)) cores.put(role, use.cores(role));
        if (!agents.isEmpty()) cores.put(Cpu.GENERATOR, List.of()); // This process makes no load then.
        return measured.series().stream().map(second -> second(second, cores)).toList();
    }

    private static Report.Second second(Measurements.Second of, Map<String, List<@Nullable Double>> cores) {
        Histogram ack = of.ack().micros();
        Histogram saga = of.saga().micros();
        return new Report.Second(
                of.second(),
                of.started(),
                of.ended(),
                of.errors(),
                millis(ack, 50),
                millis(ack, 99),
                millis(saga, 50),
                millis(saga, 99),
                at(cores, Cpu.ALPHA, of.second()),
                at(cores, Cpu.STORE, of.second()),
                at(cores, Cpu.GENERATOR, of.second()));
    }

    private static @Nullable Double millis(Histogram micros, double percentile) {
        return micros.getTotalCount() == 0 ? null : Double.valueOf(Percentiles.millis(micros, percentile));
    }

    private static @Nullable Double at(Map<String, List<@Nullable Double>> cores, String role, int second) {
        List<@Nullable Double> seconds = cores.getOrDefault(role, List.of());
        return second < seconds.size() ? seconds.get(second) : null;
    }
}
