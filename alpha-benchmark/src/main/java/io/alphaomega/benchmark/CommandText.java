package io.alphaomega.benchmark;

import java.util.List;
import java.util.stream.Collectors;
import picocli.CommandLine.Model.CommandSpec;

/** A command as it was typed, for the report. */
final class CommandText {
    private CommandText() {}

    static String of(CommandSpec spec) {
        List<String> typed = spec.root().commandLine().getParseResult().originalArgs();
        return typed.stream().collect(Collectors.joining(" ", "alpha-benchmark ", ""));
    }
}
