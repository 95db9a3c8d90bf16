package io.alphaomega.benchmark.preset;

import picocli.CommandLine.Command;

/** {@code preset}: the published tables of the field, each by one command. */
@Command(
        name = "preset",
        mixinStandardHelpOptions = true,
        exitCodeOnInvalidInput = 1,
        synopsisSubcommandLabel = "TABLE",
        description = "Makes a published table of the field again, against alphas that run.",
        subcommands = {PackCommand.class, DtmCommand.class})
public final class PresetCommand {}
