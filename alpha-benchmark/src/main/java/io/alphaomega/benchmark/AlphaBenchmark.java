package io.alphaomega.benchmark;

import io.alphaomega.benchmark.agent.AgentCommand;
import io.alphaomega.benchmark.agent.AgentFailedException;
import io.alphaomega.benchmark.load.Load;
import io.alphaomega.benchmark.plan.DurationConverter;
import io.alphaomega.benchmark.preset.PresetCommand;
import io.alphaomega.benchmark.report.Compare;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The command line: {@code alpha-benchmark COMMAND}. */
@Command(
        name = "alpha-benchmark",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {RunCommand.class, SearchCommand.class, RecoveryCommand.class, DisturbCommand.class},
        description = "Measures alpha with simulated omegas, and checks what became of every saga.")
final class AlphaBenchmark {
    /** Wrong options, an alpha that is not there, a file that cannot be written. */
    static final int USAGE = 1;

    static CommandLine commands() {
        return new CommandLine(new AlphaBenchmark())
                .addSubcommand(new AgentCommand())
                .addSubcommand(new PresetCommand())
                .addSubcommand(new Compare())
                .registerConverter(Duration.class, new DurationConverter())
                .registerConverter(Range.class, new Range.Converter())
                .setParameterExceptionHandler((e, arguments) -> refuse(e.getCommandLine(), e))
                .setExecutionExceptionHandler((e, command, result) -> {
                    boolean expected = e instanceof IllegalArgumentException
                            || e instanceof Load.UnreachableException
                            || e instanceof AgentFailedException
                            || e instanceof IOException;
                    if (!expected) throw e;
                    return refuse(command, e);
                });
    }

    /** One sentence. */
    private static int refuse(CommandLine command, Exception why) {
        command.getErr().println(why.getMessage());
        command.getErr().flush();
        return USAGE;
    }

    public static void main(String[] arguments) {
        Optional<String> refused = ArgumentEncoding.unreadable(List.of(arguments));
        if (refused.isPresent()) {
            System.err.println(refused.get());
            System.exit(USAGE);
        }
        System.exit(commands().execute(arguments));
    }
}
