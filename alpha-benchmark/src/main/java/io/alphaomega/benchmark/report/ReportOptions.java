package io.alphaomega.benchmark.report;

import io.alphaomega.benchmark.plan.LoadPlan;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What a command that runs a load can be told about its report; a picocli mixin. */
public final class ReportOptions {
    @Option(names = "--json", paramLabel = "FILE", description = "Write the report as JSON.")
    private @Nullable Path json;

    @Option(names = "--html", paramLabel = "FILE", description = "Write the report as one self-contained page.")
    private @Nullable Path html;

    @Option(names = "--csv", paramLabel = "FILE", description = "Write the series: a line per second.")
    private @Nullable Path csv;

    @Option(
            names = "--hdr",
            paramLabel = "FILE",
            description = "Write the latencies of each second as an HdrHistogram log.")
    private @Nullable Path hdr;

    @Option(
            names = "--label",
            paramLabel = "NAME",
            description = "Name the run; compare takes runs of one name together.")
    private @Nullable String label;

    @Option(
            names = "--store-pid",
            paramLabel = "PID",
            split = ",",
            description = "Read the store's processor time and memory: its process, on this machine; more by commas.")
    private List<Long> storePids = new ArrayList<>();

    @Option(
            names = "--threshold",
            paramLabel = "EXPR",
            description =
                    "End with 2 unless a figure of the JSON report is such: 'sagaMillis.p99<15'. May be repeated.")
    private List<String> thresholds = new ArrayList<>();

    /**
     * Begins a report, before its load.
     *
     * @param arguments of the command line, for the report
     * @throws IllegalArgumentException with a sentence, if the options are wrong
     */
    public RunRecorder open(LoadPlan plan, List<String> arguments) {
        if (label != null && label.isBlank())
            throw new IllegalArgumentException("--label must be a name, but is blank.");
        for (Output output : outputs()) output.check();
        ProcessTree store = storePids.isEmpty() ? null : new ProcessTree(storePids);
        if (store != null) store.check();
        List<Threshold> parsed = thresholds.stream().map(Threshold::parse).toList();
        return new RunRecorder(plan, arguments, this, parsed, store);
    }

    @Nullable
    String label() {
        return label;
    }

    /** @throws IllegalArgumentException with a sentence, if two are one file */
    List<Output> outputs() {
        List<Output> outputs = new ArrayList<>();
        if (json != null) outputs.add(new Output(Output.Form.JSON, json));
        if (html != null) outputs.add(new Output(Output.Form.HTML, html));
        if (csv != null) outputs.add(new Output(Output.Form.CSV, csv));
        if (hdr != null) outputs.add(new Output(Output.Form.HDR, hdr));
        Set<Path> paths = new HashSet<>();
        for (Output output : outputs) {
            if (!paths.add(output.path().toAbsolutePath().normalize())) {
                throw new IllegalArgumentException("%s must be a file of its own, but is %s, as another option says."
                        .formatted(output.option(), output.path()));
            }
        }
        return outputs;
    }
}
