package io.alphaomega.samples.bank.planted;

import static io.alphaomega.samples.bank.planted.AlphaBugs.bug;
import static io.alphaomega.samples.bank.planted.AlphaBugs.change;

import io.alphaomega.samples.bank.checker.Rule;
import io.alphaomega.samples.bank.planted.PlantedBug.Trouble;
import java.util.List;
import java.util.Set;

/** Bugs of the client, in the bank's services. */
final class OmegaBugs {
    private static final String OMEGA = "omega-client/starter/src/main/java/io/alphaomega/omega/";

    private OmegaBugs() {}

    static List<PlantedBug> all() {
        return List.of(
                bug(
                        "the fence lets a business run and leaves no row of it",
                        Trouble.BANK,
                        Set.of(Rule.ENDED, Rule.ONCE),
                        change(
                                OMEGA + "fence/FenceRules.java",
                                "insert(FORWARD, FORWARD, first -> first ? done(Forward.RUN) : again())",
                                "done(Forward.RUN)")),
                bug(
                        "a compensation that is asked for twice is done twice",
                        Trouble.BANK_ANSWERS_LOST,
                        Set.of(Rule.ONCE),
                        change(
                                OMEGA + "fence/FenceRules.java",
                                "isFirst -> done(isFirst ? first : Compensation.DONE_BEFORE)",
                                "isFirst -> done(first)")),
                bug(
                        "what is not ASCII in the arguments of a callback is lost",
                        Trouble.BANK,
                        Set.of(Rule.MONEY),
                        change(
                                OMEGA + "spring/payload/Payloads.java",
                                "json.writeBytes(argument(branch, i, types.get(i), arguments[i]));",
                                "json.writeBytes(new String(argument(branch, i, types.get(i), arguments[i]), java.nio.charset.StandardCharsets.UTF_8).getBytes(java.nio.charset.StandardCharsets.US_ASCII));")),
                bug(
                        "a branch that alpha refuses runs all the same",
                        Trouble.BANK_PAUSED,
                        Set.of(Rule.CROSS_TALK),
                        change(
                                OMEGA + "spring/reporting/BranchReports.java",
                                "if (!ack.hasAccepted()) {",
                                "if (!ack.hasAccepted() && !ack.hasAborted()) {")),
                bug(
                        "a saga that alpha knows is taken for one that nobody has heard of, and its end is not told",
                        Trouble.BANK,
                        Set.of(Rule.TRUTH),
                        change(
                                OMEGA + "context/PendingReports.java",
                                "!isOver()) return shared;",
                                "!isOver()) return shared && !begun;")),
                bug(
                        "sagas that begin within a second have one id",
                        Trouble.BANK,
                        Set.of(Rule.CROSS_TALK),
                        change(
                                OMEGA + "spring/reporting/SagaIds.java",
                                "long time = clock.millis() << 16;",
                                "long time = clock.millis() / 1000 << 26;",
                                "(random.nextLong() & 0x0FFFL)",
                                "0L",
                                "return uuid(time | version, random.nextLong());",
                                "return uuid(time | version, 0L);")));
    }
}
