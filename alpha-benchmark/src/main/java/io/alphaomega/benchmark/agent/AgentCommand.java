package io.alphaomega.benchmark.agent;

import io.alphaomega.benchmark.agent.AgentOptions.TokenOptions;
import java.io.IOException;
import java.io.PrintStream;
import java.time.Clock;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code alpha-benchmark agent}. */
@Command(
        name = "agent",
        mixinStandardHelpOptions = true,
        description = {
            "Waits for a coordinator ('alpha-benchmark run --agents …') and makes the load that it tells, one at a time.",
            "It does what it is told by everybody who reaches it, so beyond this machine it wants a token."
        })
public final class AgentCommand implements Callable<Integer> {
    private static final int REFUSED = 1;

    @Option(
            names = "--listen",
            paramLabel = "HOST[:PORT]",
            defaultValue = "127.0.0.1:8060",
            description = "Where to listen; without a port, at ${DEFAULT-VALUE}'s. Port 0 takes a free one.")
    private String listen = "";

    @Mixin
    private TokenOptions token = new TokenOptions();

    private final AgentWork work;

    /** Makes real load. */
    public AgentCommand() {
        this(new RealLoad());
    }

    AgentCommand(AgentWork work) {
        this.work = work;
    }

    @Override
    @SuppressWarnings("SystemOut") // The log of a command is what it prints.
    public Integer call() {
        PrintStream out = System.out;
        try {
            AgentAddress endpoint = AgentAddress.parse("--listen", listen);
            Agent.Settings settings =
                    new Agent.Settings(AgentOptions.version(), token.token(), work, Clock.systemUTC(), out);
            try (Agent agent = Agent.listening(endpoint, settings)) {
                out.printf("agent ready: %s%n", agent.endpoint());
                agent.serve();
            }
            return 0;
        } catch (IllegalArgumentException e) {
            System.err.println(e.getMessage());
        } catch (IOException e) {
            System.err.printf("--listen %s: the agent cannot listen there: %s.%n", listen, e.getMessage());
        }
        return REFUSED;
    }
}
