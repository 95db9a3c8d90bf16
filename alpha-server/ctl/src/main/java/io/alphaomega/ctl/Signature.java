package io.alphaomega.ctl;

import picocli.CommandLine.Option;
import tools.jackson.databind.node.ObjectNode;

/** Who orders something, and why: what alpha journals with every order. */
final class Signature {
    @Option(names = "--reason", required = true, paramLabel = "TEXT", description = "Why; it is journaled.")
    private String reason = "";

    @Option(
            names = "--operator",
            paramLabel = "NAME",
            defaultValue = "${sys:user.name}",
            description = "Who you are; it is journaled. Whoever is logged in.")
    private String operator = "";

    /** The order, signed. */
    ObjectNode sign(ObjectNode order) {
        return order.put("operator", operator).put("reason", reason);
    }
}
