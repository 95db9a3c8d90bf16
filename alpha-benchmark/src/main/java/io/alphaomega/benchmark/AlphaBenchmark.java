package io.alphaomega.benchmark;

import io.alphaomega.benchmark.preset.PresetCommand;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The command line: {@code alpha-benchmark COMMAND}. */
@Command(
        name = "alpha-benchmark",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        description = "Measures alpha with simulated omegas, and checks what became of every saga.")
final class AlphaBenchmark {
    private AlphaBenchmark() {}

    /** The command line. */
    static CommandLine commands() {
        return new CommandLine(new AlphaBenchmark()).addSubcommand(new PresetCommand());
    }

    public static void main(String[] arguments) {
        System.exit(commands().execute(arguments));
    }
}
