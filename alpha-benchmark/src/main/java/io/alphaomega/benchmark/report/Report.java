package io.alphaomega.benchmark.report;

import io.alphaomega.benchmark.measure.Latency;
import io.alphaomega.benchmark.measure.Measurements;
import io.alphaomega.benchmark.measure.OutcomeCounts;
import io.alphaomega.benchmark.measure.Verification;
import io.alphaomega.benchmark.plan.LoadPlan;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * What a run came to; as JSON it is what {@code --json} writes. The names of its parts are fixed, new ones may come.
 *
 * @param format of the JSON: 1
 * @param label by which runs are compared; null if the run has none
 * @param title the label, or what was run in a few words
 * @param summary what was run, in a sentence
 * @param seconds from the first begin to the last end, warm-up excluded
 * @param throughput ended sagas per second
 * @param ackMillis from handing an input to its stream until alpha has acknowledged it
 * @param sagaMillis from begin to end; in an open loop from the moment when it should have begun
 * @param sagaUncorrectedMillis in an open loop from its real begin; null in a closed one
 * @param warnings what a reader must know before believing the figures
 * @param errors streams that broke and inputs that alpha refused or could not take for now
 */
public record Report(
        int format,
        @Nullable String label,
        String title,
        String summary,
        boolean verified,
        OutcomeCounts sagas,
        double seconds,
        double throughput,
        Percentiles ackMillis,
        Percentiles sagaMillis,
        @Nullable Percentiles sagaUncorrectedMillis,
        long errors,
        Cpu cpu,
        Generator generator,
        List<String> warnings,
        List<Check> verification,
        List<Threshold.Outcome> thresholds,
        List<Agent> agents,
        List<Node> nodes,
        Setup setup,
        List<Second> series,
        Histograms histograms) {
    static final int FORMAT = 1;

    static final JsonMapper JSON =
            JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

    /** What was compared after the run, and whether it agreed. */
    record Check(boolean ok, String text) {}

    /** What was run, where and with what. */
    record Setup(@Nullable Instant begun, String command, LoadPlan plan, Machine generator, List<AlphaNode> alphas) {}

    /** All three in microseconds, in HdrHistogram's compressed form; the last is empty in a closed loop. */
    record Histograms(Latency ack, Latency saga, Latency sagaUncorrected) {}

    /** What one machine with a generator measured. */
    public record Agent(
            String name,
            OutcomeCounts sagas,
            double seconds,
            double throughput,
            long errors,
            Percentiles ackMillis,
            Percentiles sagaMillis,
            double cpuMillisPerSaga) {
        public static Agent of(String name, Measurements measured) {
            return new Agent(
                    name,
                    measured.counts(),
                    FigureText.rounded(measured.seconds(), 3),
                    FigureText.rounded(measured.throughput(), 1),
                    measured.errors(),
                    Percentiles.of(measured.ack()),
                    Percentiles.of(measured.saga()),
                    FigureText.rounded(
                            measured.generatorCpuMillis() / measured.counts().ended(), 4));
        }
    }

    /**
     * What one of several alphas took.
     *
     * @param cores in use, on average
     * @param cpuMillisPerSaga its processor time by the sagas of all; the nodes' sum is alpha's
     * @param residentBytes of memory, at the end
     */
    record Node(
            String address,
            double cores,
            @Nullable Double cpuMillisPerSaga,
            @Nullable Long residentBytes) {}

    /**
     * One second of the measurement, from 0. Percentiles are null where nothing ended or was acknowledged, cores where
     * they could not be read.
     */
    record Second(
            int second,
            long started,
            long ended,
            long errors,
            @Nullable Double ackP50Millis,
            @Nullable Double ackP99Millis,
            @Nullable Double sagaP50Millis,
            @Nullable Double sagaP99Millis,
            @Nullable Double alphaCores,
            @Nullable Double storeCores,
            @Nullable Double generatorCores) {}

    /** Ended as it should: 0. A threshold was missed: 2. What the run counted is not what alpha did: 3. */
    public int exitCode() {
        if (!verified) return 3;
        return thresholds.stream().allMatch(Threshold.Outcome::met) ? 0 : 2;
    }

    String json() {
        return JSON.writeValueAsString(this) + "\n";
    }

    /** @param label null where the run has none */
    static Report of(@Nullable String label, Setup setup, Findings found, List<Threshold> thresholds) {
        Report unjudged = judged(label, setup, found, List.<Threshold.Outcome>of());
        if (thresholds.isEmpty()) return unjudged;
        JsonNode figures = JSON.valueToTree(unjudged);
        return judged(
                label,
                setup,
                found,
                thresholds.stream().map(each -> each.judge(figures)).toList());
    }

    private static Report judged(
            @Nullable String label, Setup setup, Findings found, List<Threshold.Outcome> outcomes) {
        Measurements measured = found.measured();
        List<Check> checks = checks(found.verification());
        boolean open = measured.sagaUncorrected().count() > 0;
        String title = label != null ? label : store(setup.alphas()) + ": " + PlanText.brief(setup.plan());
        return new Report(
                FORMAT,
                label,
                title,
                PlanText.sentence(setup.plan(), measured.counts().started()) + ", " + against(setup.alphas()) + ".",
                checks.stream().allMatch(Check::ok),
                measured.counts(),
                FigureText.rounded(measured.seconds(), 3),
                FigureText.rounded(measured.throughput(), 1),
                Percentiles.of(measured.ack()),
                Percentiles.of(measured.saga()),
                open ? Percentiles.of(measured.sagaUncorrected()) : null,
                measured.errors(),
                found.cpu(setup.alphas()),
                found.generator(setup.generator()),
                found.warnings(setup),
                checks,
                outcomes,
                found.agents(),
                found.nodes(setup.alphas()),
                setup,
                found.series(),
                new Histograms(measured.ack(), measured.saga(), measured.sagaUncorrected()));
    }

    /** Where nothing was compared, nothing agreed. */
    private static List<Check> checks(Verification verification) {
        List<Check> checks = Stream.concat(
                        verification.checked().stream().map(text -> new Check(true, text)),
                        verification.mismatches().stream().map(text -> new Check(false, text)))
                .toList();
        return checks.isEmpty()
                ? List.of(new Check(false, "Nothing was compared, neither with alpha nor with what the services saw."))
                : checks;
    }

    private static String store(List<AlphaNode> alphas) {
        return alphas.stream()
                .flatMap(alpha -> Stream.ofNullable(alpha.repository()))
                .findFirst()
                .orElse("alpha");
    }

    private static String against(List<AlphaNode> alphas) {
        AlphaNode first = alphas.stream()
                .filter(alpha -> alpha.unknown() == null)
                .findFirst()
                .orElse(null);
        if (first == null) return "against an alpha of which nothing else is known";
        String nodes = alphas.size() == 1 ? "alpha" : alphas.size() + " alphas";
        return "against %s %s with the store %s (%s)"
                .formatted(nodes, first.version(), first.repository(), briefly(first.settings()));
    }

    /** Without the sentence that follows the settings. */
    private static String briefly(@Nullable String settings) {
        return settings == null ? "settings unknown" : settings.replaceFirst(": .*", "");
    }
}
