package io.alphaomega.ctl;

import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import tools.jackson.databind.node.ObjectNode;

/** Who orders something, and why: what alpha journals with every order. */
final class Signature {
    @Option(names = "--reason", required = true, paramLabel = "TEXT", description = "Why; it is journaled.")
    private String reason = "";

    @Option(
            names = "--operator",
            paramLabel = "NAME",
            defaultValue = "${sys:user.name}",
            description = "Your name, which is journaled. Default: the user that is logged in.")
    private String operator = "";

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec = CommandSpec.create();

    /** The order, signed. */
    ObjectNode sign(ObjectNode order) {
        // The arguments were looked at before; whoever is logged in is named by the locale, too.
        Arguments.unreadable(List.of(operator)).ifPresent(refused -> {
            throw new ParameterException(spec.commandLine(), "The operator " + refused);
        });
        return order.put("operator", operator).put("reason", reason);
    }
}
