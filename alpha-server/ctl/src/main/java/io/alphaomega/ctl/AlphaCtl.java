package io.alphaomega.ctl;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.PrintWriter;
import java.util.List;
import java.util.Optional;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;

/** The command line: {@code alphactl COMMAND}. */
@Command(
        name = "alphactl",
        mixinStandardHelpOptions = true,
        versionProvider = AlphaCtl.Version.class,
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            StuckCommand.class,
            SagasCommand.class,
            ServicesCommand.class,
            NodesCommand.class,
            CoverageCommand.class,
            OrdersCommand.class,
            CheckCommand.class,
            OrderCommands.Retry.class,
            OrderCommands.Skip.class,
            OrderCommands.Resolve.class,
            OrderCommands.Abort.class,
            WhatIfCommand.class,
            BulkCommand.class,
            AutoComplete.GenerateCompletion.class
        },
        description = "Shows what alpha knows, and orders what it shall do with sagas.",
        footer = {
            "",
            "Ends with 0 if it did what was asked for, 1 for wrong options, 2 if alpha",
            "refused, 3 if alpha could not be reached, 4 if check says FAIL of something,",
            "5 if stuck cannot know, because no alpha could look. What keeps alpha from",
            "working or from seeing all there is comes first, on the error stream.",
            "scripts/alphactl dev starts an alpha with the embedded store."
        })
final class AlphaCtl {
    static final int USAGE = 1;
    static final int REFUSED = 2;
    static final int UNREACHABLE = 3;
    static final int WRONG = 4;
    static final int UNKNOWN = 5;

    /** As the jar says. */
    static final class Version implements IVersionProvider {
        @Override
        public String[] getVersion() {
            String version = AlphaCtl.class.getPackage().getImplementationVersion();
            return new String[] {"alphactl " + (version == null ? "development" : version)};
        }
    }

    static CommandLine commands() {
        return new CommandLine(new AlphaCtl())
                .setParameterExceptionHandler((e, arguments) -> say(e.getCommandLine(), e, USAGE))
                .setExecutionExceptionHandler((e, command, result) -> switch (e) {
                    case Api.RefusedException refused -> say(command, refused, REFUSED);
                    case StuckCommand.UnknownException unknown -> say(command, unknown, UNKNOWN);
                    case Api.UnreachableException unreachable -> say(command, unreachable, UNREACHABLE);
                    default -> throw e;
                });
    }

    /** One sentence. */
    private static int say(CommandLine command, Exception why, int exitCode) {
        command.getErr().println(why.getMessage());
        command.getErr().flush();
        return exitCode;
    }

    public static void main(String[] arguments) {
        Optional<String> refused = Arguments.unreadable(List.of(arguments));
        if (refused.isPresent()) {
            System.err.println(refused.get());
            System.exit(USAGE);
        }
        CommandLine commands = commands();
        // What it prints is for programs, too, and what ASCII lacks would be a question mark.
        if (System.out.charset().equals(US_ASCII)) commands.setOut(new PrintWriter(System.out, false, UTF_8));
        System.exit(commands.execute(arguments));
    }
}
